import SiteModel

/// Why seconds that are to teach a place are hardly of that place.
///
/// A survey of the wrong place is worse than none, and nothing later finds it. A place without a receiver
/// of its own cannot be doubted so: there another place's is always the loudest.
package enum SurveyDoubt: Equatable, Sendable {
    /// What one receiver heard: the median in dBm, over so many seconds.
    package struct Heard: Equatable, Sendable {
        package var ear: Ear
        package var place: Place
        package var level: RSSI
        package var seconds: Int
    }

    /// A receiver of another place was louder than the loudest of the place itself.
    case louder(other: Heard, own: Heard)
    /// Of the place's receivers not even the one that heard it most, `own`, did in more than `seconds`
    /// of those in which anybody did; `other` is the loudest of other places.
    case hardlyHeard(own: Ear, seconds: Int, of: Int, other: Heard?)
    /// Somebody heard it in so many seconds only.
    case tooFew(seconds: Int, of: Int)

    /// By how much another place's receiver must be louder, in dB. On recordings of stations with a
    /// receiver each 6 dB doubts 4 of 105 stands at the right one and 88 % of those at another, 3 dB
    /// 13 of 105 and 97 %.
    package static let margin = 6.0
    /// The same of a receiver in the room whose open floor is taught: a floor is wide, and a station on
    /// it may be three and a half times nearer than the receiver of the room, at 22 dB a decade.
    package static let marginOnFloor = 12.0
    /// In which share of the seconds with anything heard a receiver must have heard it to count.
    static let leastShare = 0.25
    /// From how many seconds on levels say where it was: places are judged by as many.
    static let leastSeconds = 5

    /// What speaks against seconds at one place, or `nil` if nothing does. `ears` listened throughout;
    /// `homes` tells which place an ear stands for.
    package init?(
        about seconds: [Survey.Second], at place: Place, ears: [Ear], homes: (Ear) -> Place?
    ) {
        let heard = seconds.filter { !$0.heard.isEmpty }
        guard heard.count >= Self.leastSeconds else {
            self = .tooFew(seconds: heard.count, of: seconds.count)
            return
        }
        let all = ears.sorted().compactMap { ear -> Heard? in
            guard let home = homes(ear) else { return nil }
            let levels = heard.compactMap { $0.heard.first { $0.ear == ear }?.level }.sorted()
            let median = levels.isEmpty ? RSSI(dBm: -127) : levels[(levels.count - 1) / 2]
            return Heard(ear: ear, place: home, level: median, seconds: levels.count)
        }
        let counting = all.filter { Double($0.seconds) >= Self.leastShare * Double(heard.count) }
        let other = Self.loudest(of: counting.filter { $0.place != place }) {
            // What may be nearer on a floor must be so much louder.
            $0.place.room == place.room && place.station == nil
                ? Self.marginOnFloor - Self.margin : 0
        }
        if let own = Self.loudest(of: counting.filter { $0.place == place }, less: { _ in 0 }) {
            guard let other, other.excess - own.excess >= Self.margin else { return nil }
            self = .louder(other: other.heard, own: own.heard)
            return
        }
        // Of equal ones the first.
        guard
            let own = all.filter({ $0.place == place }).max(by: {
                ($0.seconds, $1.ear) < ($1.seconds, $0.ear)
            })
        else { return nil }
        self = .hardlyHeard(
            own: own.ear, seconds: own.seconds, of: heard.count, other: other?.heard)
    }

    /// The one whose level, less what it is allowed, is greatest, and that level; of equal ones the
    /// first.
    private static func loudest(
        of all: [Heard], less allowance: (Heard) -> Double
    ) -> (heard: Heard, excess: Double)? {
        var best: (heard: Heard, excess: Double)?
        for heard in all {
            let excess = heard.level.dBm - allowance(heard)
            if excess > best?.excess ?? -.infinity { best = (heard, excess) }
        }
        return best
    }
}
