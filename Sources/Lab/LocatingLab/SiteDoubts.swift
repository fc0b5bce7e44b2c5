import Foundation
import Positioning
import SiteModel
import SurveyFiles

/// What cannot be expected of a site, however it is located.
struct SiteDoubts {
    /// From this share of confused seconds on, two zones count as one.
    static let confused = 0.25
    /// A receiver so far off the floor of its zone is doubted, in metres.
    static let far = 3.0

    private let site: RecordedSite
    private let model: PlaceModel?

    /// Doubts about a site with what was learned of it.
    init(_ site: RecordedSite, model: PlaceModel?) {
        self.site = site
        self.model = model
    }

    /// What is to be told of receivers and zones, without looking at any reading.
    var words: [String] { few + uncovered + displaced + twins + neighbours }

    private var few: [String] {
        guard site.receivers.count == 1 else { return [] }
        return [
            "one receiver only: it tells near from far, not one zone from another; "
                + (model == nil
                    ? "its own zone is the only one ever said"
                    : "expect zones at about the same distance to be mixed up")
        ]
    }

    private var uncovered: [String] {
        site.zones.indices.filter { zone in
            !site.receivers.contains { $0.zone == zone }
                && model?.spots.contains { site.zone(of: $0.place) == zone } != true
        }.map { zone in
            let rest =
                site.zones[zone].area == nil
                ? "it is never said"
                : "it cannot be told apart from its neighbours but by coordinates, and is often missed"
            return "zone \(site.zones[zone].id) has no receiver and was not calibrated: \(rest)"
        }
    }

    private var displaced: [String] {
        site.receivers.compactMap { receiver in
            guard let position = receiver.position, let zone = receiver.zone,
                let area = site.zones[zone].area
            else { return nil }
            let x = max(area.low.x - position.x, position.x - area.high.x, 0)
            let y = max(area.low.y - position.y, position.y - area.high.y, 0)
            let distance = (x * x + y * y).squareRoot()
            guard distance > Self.far else { return nil }
            return "receiver \(receiver.id) hangs \(Int(distance.rounded())) m off the floor of "
                + "its zone \(site.zones[zone].id): coordinates may mislead"
        }
    }

    /// Receivers at one spot that stand for different zones.
    private var twins: [String] {
        site.receivers.indices.flatMap { first in
            site.receivers.indices.dropFirst(first + 1).compactMap { second in
                let (a, b) = (site.receivers[first], site.receivers[second])
                guard let position = a.position, position == b.position, let one = a.zone,
                    let other = b.zone, one != other
                else { return nil }
                return
                    "zones \(site.zones[one].id) and \(site.zones[other].id) cannot be told apart "
                    + "by these receivers (\(a.id) and \(b.id) hang at the same spot)"
            }
        }
    }

    private var neighbours: [String] {
        site.strangeNeighbours.map {
            "adjacency: \($0) is no zone of the site; neighbours decide nothing here, so this is "
                + "only told"
        }
    }

    /// Which zones were taken for each other when what was learned was tried on seconds held back,
    /// and how many of these were right.
    func words(of confusion: Confusion) -> [String] {
        let names = confusion.places.map { place in
            site.zone(of: place).map { site.zones[$0].id } ?? "elsewhere"
        }
        let totals = confusion.seconds.map { $0.reduce(0, +) }
        let all = totals.reduce(0, +)
        guard all > 0 else { return [] }
        var words: [String] = []
        for first in names.indices {
            for second in names.indices.dropFirst(first + 1) {
                let mixed = confusion.seconds[first][second] + confusion.seconds[second][first]
                let share = Double(mixed) / Double(max(totals[first] + totals[second], 1))
                guard share >= Self.confused else { continue }
                words.append(
                    "zones \(names[first]) and \(names[second]) cannot be told apart by these "
                        + "receivers (\(Int((share * 100).rounded())) % of their seconds are taken "
                        + "for the other)")
            }
        }
        return words
    }
}
