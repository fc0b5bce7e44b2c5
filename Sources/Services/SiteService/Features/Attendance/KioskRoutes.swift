import Accounts
import Registry
import Foundation
import JSON
import SiteModel
import Synchronization
import WebServer
import Wire

/// Who stands before a kiosk: by their PIN, or by the tag that they hold to the node beside it. And whose names a screen on
/// the wall shows.
package struct KioskRoutes: Sendable {
    private let desk: WriteDesk
    private let guesses = PinGuesses()

    package init(_ desk: WriteDesk) { self.desk = desk }

    package var all: [Route] {
        [
            Route(
                .post, "/api/v1/kiosk/pin", .check,
                about: RouteText(
                    "Whose a PIN is, and whether they are in: for a kiosk. Guesses are slowed down.",
                    body: [.init("pin", .text(Pins.digits...Pins.digits), isNeeded: true)],
                    answer: Person.members, refusals: [.notFound, .rateLimited], isPure: true)
            ) { try await byPIN($0) },
            Route(
                .get, "/api/v1/kiosk/near", .check,
                about: RouteText(
                    "Who holds their tag to a node, and whether they are in: for a kiosk. Without members: nobody, or "
                        + "more than one.",
                    query: [.init("node", .slug, isNeeded: true)],
                    answer: [.init("user", .slug), .init("name", .anyText), .init("in", .flag)])
            ) { try await near($0) },
            Route(
                .get, "/api/v1/wall", .live, whose: .filtered,
                about: RouteText(
                    "What the wall shows of the names of those at stations, by privacy.wall_names: only of who lets "
                        + "others see where they are.",
                    answer: [
                        .always("rule", .word(WallNames.allCases.map(\.rawValue))),
                        .always(
                            "stations",
                            .list(
                                .object([
                                    .always("station", .slug), .always("names", .list(.anyText)),
                                ]))),
                    ])
            ) { _ in try await wall() },
        ]
    }

    private struct Person: Encodable {
        var user: String
        var name: String
        var isIn: Bool

        private enum CodingKeys: String, CodingKey {
            case user
            case name
            case isIn = "in"
        }

        static let members: [RouteText.Field] = [
            .always("user", .slug), .always("name", .anyText), .always("in", .flag),
        ]
    }

    private func byPIN(_ request: RouteRequest) async throws -> RouteAnswer {
        let pin = try Reading.body(request, known: ["pin"]) { (object, json) throws(PayloadError) in
            try object.required("pin", json).text(json, limit: Pins.digits)
        }
        guard pin.count == Pins.digits else {
            throw RouteProblem(.badRequest, "pin: \(Pins.digits) digits expected.")
        }
        // Counted by kiosk: another one goes on.
        let (kiosk, moment) = (request.visitor?.principal.name ?? "", desk.clock.now)
        if let pause = guesses.pause(of: kiosk, at: moment) {
            throw RouteProblem(
                .rateLimited, "Too many wrong PINs. Try again in \(pause) s.", retryAfter: pause)
        }
        let owner = try await Blocking.run { [store = desk.store] in
            try Pins(store).owner(of: pin)
        }
        guesses.note(isRight: owner != nil, at: kiosk, at: moment)
        guard let owner else { throw RouteProblem(.notFound, "Nobody has this PIN.") }
        return try answer(owner)
    }

    /// A tag that is held to a node is much louder there than any other.
    private func near(_ request: RouteRequest) async throws -> RouteAnswer {
        guard let node = try AskedQuery(request, allowed: ["node"]).values["node"] else {
            throw RouteProblem(.badRequest, "node is missing.")
        }
        let now = desk.clock.now
        let found = HeldTag.find(
            desk.latest("beacon/").compactMap { topic, payload in
                let levels = topic.split(separator: "/")
                guard levels.last == "state",
                    let told = try? BeaconStatePayload(json: payload.span),
                    let heard = told.nodes.first(where: { $0.node == node })
                else { return nil }
                return HeldTag.Level(
                    beacon: String(levels[levels.count - 2]), rssi: heard.rssi,
                    at: told.tMs - heard.ageMs)
            }, at: now.milliseconds)
        guard let found else { return .json("{}\n") }
        let owner = try await Blocking.run { [store = desk.store] in
            try Pins(store).owner(ofBeacon: found, at: now)
        }
        guard let owner else { return .json("{}\n") }
        return try answer(owner)
    }

    private struct Wall: Encodable {
        struct Station: Encodable {
            var station: String
            var names: [String]
        }

        var rule: String
        var stations: [Station]
    }

    private func wall() async throws -> RouteAnswer {
        let sharing = desk.directory.sharing(.place)
        let (rule, names) = try await Blocking.run { [store = desk.store] in
            try BoardNames(store).shown(of: sharing)
        }
        let stations = desk.latest("station/").compactMap { topic, payload -> Wall.Station? in
            let levels = topic.split(separator: "/")
            guard rule != .none, levels.last == "state",
                let told = try? StationStatePayload(json: payload.span)
            else { return nil }
            let shown = told.by.compactMap { names[$0] }
            return shown.isEmpty
                ? nil : Wall.Station(station: String(levels[levels.count - 2]), names: shown)
        }
        return try Reading.answer(
            Wall(rule: rule.rawValue, stations: stations.sorted { $0.station < $1.station }))
    }

    private func answer(_ owner: Pins.Owner) throws -> RouteAnswer {
        let told = desk.latest("user/\(owner.user)/attendance").first
            .flatMap { try? AttendancePayload(json: $0.payload.span) }
        return try Reading.answer(
            Person(user: owner.user, name: owner.name, isIn: told?.state == .checkedIn))
    }
}

/// A tag held to a node.
enum HeldTag {
    /// How loud a tag is there.
    struct Level: Equatable, Sendable {
        var beacon: String
        /// In dBm.
        var rssi: Double
        /// In ms since 1970.
        var at: Int64
    }

    /// From here on a tag is within a hand's breadth, in dBm: at 1 m common tags are at -59 to -65, at 10 cm about 20
    /// louder (free space).
    static let least = -50.0
    /// So much louder than the next, in dB, that nobody is mistaken for who stands behind them.
    static let lead = 6.0
    /// What was heard longer ago has gone, in ms: levels of a tag are told every 10 s at least.
    static let freshMs: Int64 = 12_000
    /// And what was heard longer ago is in nobody's way: each tag is told at a time of its own.
    static let rivalMs: Int64 = 25_000

    /// The only tag that is held there; `nil`: none, or more than one.
    static func find(_ levels: [Level], at now: Int64) -> String? {
        let loud = levels.filter { now - $0.at <= rivalMs }
            .sorted { ($0.rssi, $1.beacon) > ($1.rssi, $0.beacon) }
        guard let first = loud.first, first.rssi >= least, now - first.at <= freshMs else {
            return nil
        }
        if let second = loud.dropFirst().first, first.rssi - second.rssi < lead { return nil }
        return first.beacon
    }
}

/// Wrong PINs by kiosk. People mistype; whoever tries one after the other waits ever longer. A right one makes good for
/// three wrong ones, and so does time: one in ten minutes.
final class PinGuesses: Sendable {
    /// So many wrong ones in a row nobody waits for.
    static let free = 5.0
    private static let madeGood = 3.0
    private static let forgottenAfter = 600.0
    /// The first wait and the longest, in seconds.
    private static let waits = 10.0...900.0

    private struct Record {
        var wrong: Double
        var last: Timestamp
    }

    private let records = Mutex<[String: Record]>([:])

    /// So many seconds nobody may try at a kiosk; `nil`: now.
    func pause(of kiosk: String, at now: Timestamp) -> Int? {
        records.withLock { records in
            guard let record = records[kiosk] else { return nil }
            let wrong = Self.wrong(record, at: now)
            guard wrong >= Self.free else { return nil }
            let wait = min(
                Self.waits.lowerBound * pow(2, (wrong - Self.free).rounded(.down)),
                Self.waits.upperBound)
            let rest = wait - (now - record.last).seconds
            return rest > 0 ? Int(rest.rounded(.up)) : nil
        }
    }

    func note(isRight: Bool, at kiosk: String, at now: Timestamp) {
        records.withLock { records in
            let wrong = records[kiosk].map { Self.wrong($0, at: now) } ?? 0
            records[kiosk] =
                isRight
                ? Record(wrong: max(0, wrong - Self.madeGood), last: records[kiosk]?.last ?? now)
                : Record(wrong: wrong + 1, last: now)
        }
    }

    private static func wrong(_ record: Record, at now: Timestamp) -> Double {
        max(0, record.wrong - (now - record.last).seconds / forgottenAfter)
    }
}
