/// What is heard where: learned by standing at the places of a site, one revision of it.
package struct PlaceModel: Equatable, Sendable, Codable {
    /// What one ear hears at a spot.
    package struct Level: Equatable, Sendable, Codable {
        /// Who hears, or is heard.
        package var ear: Ear
        /// The usual level of a second, in dBm.
        package var median: Double
        /// How far levels scatter about it, in dB: 1.48 times their median absolute deviation.
        package var scale: Double
        /// The share of seconds in which anything is heard, 0.02 ... 0.98.
        package var chance: Double

        package init(ear: Ear, median: Double, scale: Double, chance: Double) {
            self.ear = ear
            self.median = median
            self.scale = scale
            self.chance = chance
        }
    }

    /// One spot of a place: somebody stood there.
    package struct Spot: Equatable, Sendable, Codable {
        /// The place it belongs to.
        package var place: Place
        /// What is heard there, sorted by ear: the same ears at every spot.
        package var levels: [Level]
        /// How many seconds it was learned from; 0 of one that is inferred from others.
        package var seconds: Int
        /// Whether it stands for the whole place: all its seconds in one.
        package var isWhole: Bool

        package init(
            place: Place, levels: [Level], seconds: Int, isWhole: Bool = false
        ) {
            self.place = place
            self.levels = levels
            self.seconds = seconds
            self.isWhole = isWhole
        }
    }

    /// Grows with each one that is applied or tried.
    package var revision: Int64
    /// The spots, sorted by place; of each place one more that stands for the whole of it.
    package var spots: [Spot]
    /// How well the seconds fit that it was learned from.
    package var fit: Fit

    /// How far the levels of a second are from those of the spot that fits best, as the mean over the
    /// ears that heard, in scales.
    package struct Fit: Equatable, Sendable, Codable {
        /// The median at the spots themselves, above 0.
        package var usual: Double
        /// The median without the second's own spot: what an unknown spot looks like.
        package var strange: Double

        /// A usual and a strange distance.
        package init(usual: Double, strange: Double) {
            self.usual = usual
            self.strange = strange
        }
    }

    /// How often each engine is right here at stretches nobody taught; `nil` where nothing could be
    /// held back, and of models that were made before this was asked.
    package var trial: Trial?

    package init(revision: Int64, spots: [Spot], fit: Fit, trial: Trial? = nil) {
        self.revision = revision
        self.spots = spots
        self.fit = fit
        self.trial = trial
    }

    /// What cross-validation by whole stretches says of the two engines.
    package struct Trial: Equatable, Sendable, Codable {
        /// Seconds of one place that were held back.
        package struct Result: Equatable, Sendable, Codable {
            package var place: Place
            package var seconds = 0
            /// Of these, placed rightly by the loudest receiver's place, and by learned spots.
            package var levels = 0
            package var spots = 0
            /// Seconds at other places that levels placed here.
            package var misled = 0

            package init(place: Place) { self.place = place }

            /// The share at which each engine alone is right.
            package var shares: (levels: Double, spots: Double) {
                let all = Double(max(seconds, 1))
                return (Double(levels) / all, Double(spots) / all)
            }
        }

        /// By place, sorted; places without a second stretch are left out.
        package var results: [Result]

        package init(results: [Result]) { self.results = results }

        /// The share at which each engine alone is right, each place counting the same; `nil` without
        /// any place.
        package var shares: (levels: Double, spots: Double)? {
            let tried = results.filter { $0.seconds > 0 }
            guard !tried.isEmpty else { return nil }
            let sums = tried.map(\.shares).reduce((0, 0)) { ($0.0 + $1.levels, $0.1 + $1.spots) }
            let count = Double(tried.count)
            return (sums.0 / count, sums.1 / count)
        }
    }
}
