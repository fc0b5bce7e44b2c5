import Activities
import ActivityEngine
import JSON
import SiteModel
import Synchronization
import WebServer
import Wire

/// A sample in a body, with or without what it means: one that cannot be read is refused by itself.
struct SampleBody: Sendable {
    private static let steps: ClosedRange<Int64> = 0...StepsPayload.mostSteps
    private static let metres = 0...StepsPayload.mostMetres
    private static let kilocalories = 0...StepsPayload.mostKilocalories

    /// Its members; the last two may be left out. `from` and `to` stand for `from_ms` and `to_ms`, as ISO 8601 text.
    static let names = [
        "id", "source", "from_ms", "to_ms", "from", "to", "steps", "distance_m", "kcal",
    ]

    let id: String
    let sample: SentSample?
    /// What is wrong with it, in words.
    let fault: String?

    /// The samples of a request, and whose they are if it says so.
    static func all(
        in request: RouteRequest, most: Int
    ) throws -> (user: String?, samples: [SampleBody]) {
        try Reading.body(request, known: ["user", "samples"], limit: .max) {
            (object, json) throws(PayloadError) in
            let user = try object.optional("user", json)?.slug(json)
            let samples = try object.required("samples", json).list(json, atMost: most) {
                (value, json) throws(PayloadError) in
                let one = try value.object(json)
                let id = try one.required("id", json).text(json)
                do throws(PayloadError) {
                    return SampleBody(id: id, sample: try sent(id, one, json), fault: nil)
                } catch {
                    return SampleBody(id: id, sample: nil, fault: error.words)
                }
            }
            return (user, samples)
        }
    }

    private static func sent(
        _ id: String, _ one: JSONObject, _ json: Span<UInt8>
    ) throws(PayloadError) -> SentSample {
        guard (1...SentSample.longestName).contains(id.unicodeScalars.count) else {
            throw .outOfRange(field: "id")
        }
        for member in try one.members(json) where !names.contains(member.name) {
            throw .unknownMember(field: member.name)
        }
        func thousandths(
            _ name: String, in range: ClosedRange<Double>
        ) throws(PayloadError) -> Int64? {
            guard let value = try one.optional(name, json), try value.kind(json) != .null else {
                return nil
            }
            return Int64((try value.number(json, in: range) * 1000).rounded())
        }
        /// A moment by milliseconds, or by the text that a phone without them can write.
        func moment(_ name: String) throws(PayloadError) -> Timestamp {
            guard let text = try one.optional(name, json) else {
                return Timestamp(milliseconds: try one.required(name + "_ms", json).time(json))
            }
            guard let moment = Timestamp(zoned: try text.text(json)) else {
                throw .unknownValue(field: name)
            }
            return moment
        }
        return SentSample(
            id: id,
            source: try one.required("source", json).words(json, limit: SentSample.longestName),
            sample: ActivitySample(
                from: try moment("from"), to: try moment("to"),
                steps: try one.required("steps", json).integer(
                    json, from: steps.lowerBound, through: steps.upperBound),
                distance: try thousandths("distance_m", in: metres),
                energy: try thousandths("kcal", in: kilocalories)))
    }
}

/// How many samples of a person are taken within a minute: a phone that brings years of them comes again.
package final class SampleBudget: Sendable {
    static let aMinute = 20_000
    /// So many people are remembered at most.
    private static let mostPeople = 10_000

    private struct Window {
        var from: ContinuousClock.Instant
        var taken = 0
    }

    package init() {}

    private let windows = Mutex<[String: Window]>([:])

    /// Takes so many samples of somebody; else after how many seconds there is room for them.
    func wait(for count: Int, of user: String) -> Int? {
        let now = ContinuousClock.now
        return windows.withLock { windows in
            if windows.count >= Self.mostPeople, windows[user] == nil { windows = [:] }
            var window = windows[user] ?? Window(from: now)
            if now - window.from >= .seconds(60) { window = Window(from: now) }
            guard window.taken + count <= Self.aMinute else {
                return max(1, Int((.seconds(60) - (now - window.from)) / .seconds(1)) + 1)
            }
            window.taken += count
            windows[user] = window
            return nil
        }
    }
}
