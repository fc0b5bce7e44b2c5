import Foundation
import Platform
import Registry
import SiteModel
import SiteStore

/// Somebody stands at a place, and we learn how it is heard there.
package struct Stand {
    package let place: Place
    /// How long, in seconds.
    package let seconds: Int
    /// Told a line each second.
    package let say: (String) -> Void

    package init(place: Place, seconds: Int, say: @escaping (String) -> Void) {
        self.place = place
        self.seconds = seconds
        self.say = say
    }

    /// The seconds from which a place is worth comparing with others.
    private static let enough = 10
    /// How often that is done, in seconds.
    private static let interval = 5

    /// Listens until there are enough seconds. Returns a stretch for each carried thing that was
    /// heard. Throws an `Exit` with the reason if somebody is not heard, or walks.
    package func run(_ following: inout Following) throws -> [SurveyLeg] {
        let known = try following.site.stored { try ModelTable(following.site.store).survey() }
        var told = 0
        var likeness = ""
        while true {
            if StopSignal.isRaised { throw Exit(code: 130, text: "stopped; nothing is stored") }
            _ = try following.work()
            guard let range = following.seconds else { continue }
            let count = range.count
            guard count > told else { continue }
            told = count
            try check(following, range)
            if count >= Self.enough, count % Self.interval == 0 || count >= seconds {
                let legs = legs(following, range)
                likeness = self.likeness(of: legs, among: known, following.site)
            }
            say(line(following, range, likeness))
            guard count >= seconds else { continue }
            let legs = legs(following, range.lowerBound...range.lowerBound + Int64(seconds) - 1)
            guard !legs.isEmpty else {
                throw Exit(
                    code: Exit.unfinished,
                    text: "no node sent its frames throughout: see their health; nothing is stored")
            }
            return legs
        }
    }

    /// Throws if there is no use in going on.
    private func check(_ following: Following, _ range: ClosedRange<Int64>) throws {
        let recent = max(range.lowerBound, range.upperBound - Following.patience + 1)
        if range.upperBound - recent + 1 >= Following.patience,
            !following.isHeard(in: recent...range.upperBound)
        {
            let what = Gathered.list(following.heard.map(\.subject.slug))
            throw Exit(
                code: Exit.unfinished,
                text: """
                    no node has heard \(what) for \(Following.patience) s: is it switched on, \
                    registered, and near? Nothing is stored
                    """)
        }
        for thing in following.heard {
            guard let jump = Steadiness.jump(thing.levels(in: range)) else { continue }
            throw Exit(
                code: Exit.unfinished,
                text: """
                    the levels of \(thing.subject.slug) changed by \(Int(jump.rounded())) dB at most \
                    nodes: whoever carries it walks. Stand still and begin again (or use \
                    calibrate walk); nothing is stored
                    """)
        }
    }

    private func legs(_ following: Following, _ range: ClosedRange<Int64>) -> [SurveyLeg] {
        following.carried(in: range).compactMap { thing in
            let constant = thing.constant(in: range)
            let seconds = thing.seconds(at: place, in: range, constant: constant)
            guard !seconds.isEmpty else { return nil }
            return SurveyLeg(
                place: place, source: .stand, carrier: thing.subject.slug,
                ears: constant.map { thing.ears[$0] }, seconds: seconds)
        }
    }

    /// How well this stand differs from what is known, in words; empty if nothing can be said.
    private func likeness(
        of legs: [SurveyLeg], among known: [SurveyLeg], _ site: CalibrationSite
    ) -> String {
        let next = (known.last?.stretch ?? 0) + 1
        let own = legs.enumerated().map { index, leg in
            var leg = leg
            leg.stretch = next + Int64(index)
            return leg
        }
        let gathered = Gathered(known + own, at: site)
        guard Set(gathered.legs.map(\.place)).count > 1 else { return "" }
        let confusion = gathered.survey.confusion()
        guard let right = confusion.right(at: place) else { return "" }
        let told =
            "told from \(confusion.places.count - 1) others in \(CalibrationReport.percent(right))"
        guard let other = confusion.takenFor(place) else { return told }
        return "\(told), taken for \(site.text(other.place)) in "
            + CalibrationReport.percent(other.share)
    }

    private func line(
        _ following: Following, _ range: ClosedRange<Int64>, _ likeness: String
    ) -> String {
        let ears = following.qualities(in: range).prefix(4).map { ear in
            "\(ear.name) \(Int(ear.median.rounded())) dBm ±\(Int(ear.scatter.rounded())), "
                + CalibrationReport.percent(ear.share)
        }
        let parts = ["\(min(range.count, seconds)) of \(seconds) s"] + ears + [likeness]
        return parts.filter { !$0.isEmpty }.joined(separator: " · ")
    }
}

/// How one ear hears somebody who stands still.
struct EarQuality {
    /// What the ear is called.
    var name: String
    /// The median level, in dBm.
    var median: Double
    /// 1.48 times the median absolute deviation, in dB.
    var scatter: Double
    /// The share of seconds in which it heard anything, 0 ... 1.
    var share: Double

    /// `nil` if it heard nothing.
    init?(name: String, levels: [Double?]) {
        let heard = levels.compactMap(\.self)
        guard let median = Self.median(heard) else { return nil }
        self.name = name
        self.median = median
        scatter = 1.48 * (Self.median(heard.map { abs($0 - median) }) ?? 0)
        share = Double(heard.count) / Double(levels.count)
    }

    /// The middle of some numbers, or `nil` if there are none.
    static func median(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2)
            ? (sorted[middle] + sorted[middle - 1]) / 2 : sorted[middle]
    }
}

/// Tells who stands still from who walks, by the levels alone.
///
/// Who turns round shadows some nodes and uncovers others by a few dB. Who walks off makes all of
/// them change: the mean change over the nodes is what tells.
enum Steadiness {
    /// Seconds on each side of a moment that are compared.
    static let window = 8
    /// What may change on average over two ears or more, and of one alone, in dB.
    static let mostOfSeveral = 8.0
    static let mostOfOne = 14.0

    /// The change of the last `window` seconds from those before, in dB, if it is more than somebody
    /// makes who stands still. `levels`: by ear, second by second, all as long.
    static func jump(_ levels: [[Double?]]) -> Double? {
        let changes = levels.compactMap { ear -> Double? in
            guard ear.count >= 2 * window else { return nil }
            let after = ear.suffix(window).compactMap(\.self)
            let before = ear.dropLast(window).suffix(window).compactMap(\.self)
            guard after.count * 2 >= window, before.count * 2 >= window,
                let new = EarQuality.median(after), let old = EarQuality.median(before)
            else { return nil }
            return abs(new - old)
        }
        guard !changes.isEmpty else { return nil }
        let mean = changes.reduce(0, +) / Double(changes.count)
        return mean >= (changes.count > 1 ? mostOfSeveral : mostOfOne) ? mean : nil
    }
}
