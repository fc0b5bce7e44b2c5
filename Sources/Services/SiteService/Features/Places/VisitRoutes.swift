import Basics
import JSON
import Registry
import SiteModel
import SiteStore
import Synchronization
import WebServer
import Wire

/// What whoever passes by sees of a station, or of a tag that nobody carries, without an account: its cards, and whether it
/// is free. Of people it tells nothing. Where the site does not want that, there is nothing.
package struct VisitRoutes: Sendable {
    /// So many others of the room are named.
    private static let mostNear = 20

    private let desk: WriteDesk
    private let answers = VisitAnswers()

    package init(_ desk: WriteDesk) { self.desk = desk }

    package var all: [Route] {
        [
            Route(
                .get, "/api/v1/visits/{id}", nil,
                about: RouteText(
                    "What whoever passes by sees of a station, or of a tag that nobody carries, where content.visitors "
                        + "lets them.",
                    answer: Visit.members, refusals: [.notFound])
            ) { try await visit($0) },
            Route(
                .get, "/api/v1/visits/{id}/pictures/{name}", nil,
                about: RouteText(
                    "A picture of one of its cards.",
                    query: [
                        .init("version", .text(1...64), "Any: another picture has another one.")
                    ],
                    type: "image/png", refusals: [.notFound])
            ) { try await picture($0) },
        ]
    }

    private struct Visit: Encodable {
        var kind: String
        var id: String
        var name: String
        var site: String
        var room: String?
        var state: String?
        var free: Int?
        var slots: Int?
        var waiting: Int?
        var cards: [CardTold] = []
        var near: [Other] = []

        static let members: [RouteText.Field] = [
            .always("kind", .word(["station", "beacon"])), .always("id", .slug),
            .always("name", .anyText), .always("site", .anyText, "What the site is called."),
            .init("room", .anyText),
            .init("state", .oneOf(StationState.State.self)),
            .init("free", .count, "How many places of it are free; not there: nobody knows."),
            .init("slots", .count, "How many it has."),
            .init("waiting", .count, "How many wait for it."),
            .always(
                "cards", .list(.object(CardTold.members)),
                "Each in another language; a picture is below `pictures/` of this path."),
            .always("near", .list(.object(Other.members)), "What else there is in the room."),
        ]
    }

    private struct Other: Encodable {
        var id: String
        var name: String
        var cards: [CardTold]
        var state: String?

        static let members: [RouteText.Field] = [
            .always("id", .slug), .always("name", .anyText),
            .always("cards", .list(.object(CardTold.members))),
            .init("state", .oneOf(StationState.State.self)),
        ]
    }

    private func visit(_ request: RouteRequest) async throws -> RouteAnswer {
        _ = try AskedQuery(request, allowed: [])
        let (id, now) = (request.parameters["id"] ?? "", desk.clock.now)
        // Anybody may ask, as often as they like: everything is looked up once in two seconds.
        if let known = answers.answer(to: id, at: now) { return RouteAnswer.json(known) }
        let text = try Reading.text(of: try await looked(request))
        answers.keep(text, to: id, at: now)
        return RouteAnswer.json(text)
    }

    private func looked(_ request: RouteRequest) async throws -> Visit {
        guard let (kind, id, cards) = try await subject(of: request) else { throw Self.nothing }
        let shown = cards.map { CardTold($0) }
        let site = desk.newest("info", as: SiteInfoPayload.self)?.name ?? ""
        guard kind == "station" else {
            let title = desk.newest("beacon/\(id)/info", as: BeaconInfoPayload.self)?.title
            return Visit(
                kind: kind, id: id, name: cards.first?.title ?? title ?? id, site: site,
                cards: shown)
        }
        guard let info = desk.newest("station/\(id)/info", as: StationInfoPayload.self) else {
            throw Self.nothing
        }
        var visit = Visit(kind: kind, id: id, name: info.name, site: site, cards: shown)
        visit.room = desk.newest("room/\(info.room)/info", as: RoomInfoPayload.self)?.name
        if let state = desk.newest("station/\(id)/state", as: StationStatePayload.self) {
            visit.state = state.state.rawValue
            visit.slots = state.slots
            visit.waiting = state.queue
            if state.state != .unknown { visit.free = max(0, state.slots - state.by.count) }
        }
        visit.near = try await Blocking.run { [self, room = info.room] in near(room, but: id) }
        return visit
    }

    private func near(_ room: String, but id: String) -> [Other] {
        let others = desk.latest("station/").compactMap { topic, payload -> Other? in
            let levels = topic.split(separator: "/").suffix(2)
            guard levels.last == "info", let other = levels.first, other != id,
                let info = try? StationInfoPayload(json: payload.span), info.room == room
            else { return nil }
            return Other(
                id: String(other), name: info.name, cards: info.cards.map { CardTold(brief: $0) })
        }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        return others.prefix(Self.mostNear).map { other in
            var other = other
            other.state =
                desk.newest("station/\(other.id)/state", as: StationStatePayload.self)?.state
                .rawValue
            return other
        }
    }

    private func picture(_ request: RouteRequest) async throws -> RouteAnswer {
        _ = try AskedQuery(request, allowed: ["version"])
        let name = request.parameters["name"] ?? ""
        guard let (_, _, cards) = try await subject(of: request),
            cards.contains(where: {
                $0.picture?.split(separator: "?").first.map(String.init) == name
            })
        else { throw Self.nothing }
        let png = try await Blocking.run { [store = desk.store] in
            try CardPictures(store).png(of: name)
        }
        guard let png else { throw Self.nothing }
        return RouteAnswer(
            contentType: "image/png", headers: [("Cache-Control", "max-age=86400")],
            body: .bytes(png))
    }

    /// What is looked at, and its cards; `nil`: nothing, or nothing for visitors.
    private func subject(
        of request: RouteRequest
    ) async throws -> (kind: String, id: String, cards: [CardPayload])? {
        let id = request.parameters["id"] ?? ""
        guard id.isSlug else { return nil }
        let now = desk.clock.now
        let kind = try await Blocking.run { [store = desk.store] in
            try VisitorCards(store).kind(of: id, at: now)
        }
        switch kind {
        case .station?:
            guard let info = desk.newest("station/\(id)/info", as: StationInfoPayload.self) else {
                return nil
            }
            return ("station", id, info.cards)
        case .beacon?:
            let cards = desk.newest("beacon/\(id)/info", as: BeaconInfoPayload.self)?.cards ?? []
            return cards.isEmpty ? nil : ("beacon", id, cards)
        case nil: return nil
        }
    }

    private static let nothing = RouteProblem(.notFound, "There is nothing to see for visitors.")
}

/// What was answered to visitors a moment ago.
private final class VisitAnswers: Sendable {
    private static let life = Timestamp.Span.seconds(2)
    private static let most = 256

    private let kept = Mutex<[String: (text: String, at: Timestamp)]>([:])

    func answer(to id: String, at now: Timestamp) -> String? {
        kept.withLock { kept in
            guard let one = kept[id], now >= one.at, now - one.at < Self.life else { return nil }
            return one.text
        }
    }

    func keep(_ text: String, to id: String, at now: Timestamp) {
        kept.withLock { kept in
            if kept.count >= Self.most { kept = [:] }
            kept[id] = (text, now)
        }
    }
}
