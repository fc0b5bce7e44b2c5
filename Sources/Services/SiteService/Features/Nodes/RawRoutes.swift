import BeaconDecoding
import Basics
import JSON
import Operations
import Permissions
import Registry
import SiteModel
import WebServer
import Wire

/// What a node hears, advertisement by advertisement, while somebody asks for it.
package struct RawRoutes: Sendable {
    /// The most advertisements a second that are told.
    private static let perSecond: Int64 = 100

    private let desk: WriteDesk

    package init(_ desk: WriteDesk) { self.desk = desk }

    package var all: [Route] {
        [
            Route(
                .post, "/api/v1/nodes/{id}/raw", .nodesCommand,
                about: RouteText(
                    "What a node heard since a number, advertisement by advertisement. Each request has it go on for half "
                        + "a minute; it stops by itself when nobody asks.",
                    body: [
                        .preset(
                            "after", .integer(0...Parameter.Kind.largest), "0",
                            "The number of the last one that is known."),
                        .preset(
                            "all", .flag, "false",
                            "Whether addresses and data of strangers' devices are told, too; that is for who may read people."
                        ),
                    ], answer: Answer.members, refusals: [.notFound, .rateLimited], isPure: true)
            ) { try await look($0) },
            Route(
                .delete, "/api/v1/nodes/{id}/raw", .nodesCommand,
                about: RouteText(
                    "Ends that at once.", status: 204, type: nil, refusals: [.notFound])
            ) { try await end($0) },
        ]
    }

    private struct Advertisement: Encodable {
        var number: Int64
        var tMs: Int64
        var rssi: Double?
        var addr: String
        var addrType: String
        var event: String
        var data: String?
        var name: String?
        var formats: [String] = []
        var identity: String?

        private enum CodingKeys: String, CodingKey {
            case number
            case tMs = "t_ms"
            case rssi
            case addr
            case addrType = "addr_type"
            case event
            case data
            case name
            case formats
            case identity
        }

        init(_ number: Int64, _ raw: RawPayload) {
            self.number = number
            tMs = raw.tMs
            rssi = raw.rssi
            addr = raw.addr
            addrType = raw.addrType.rawValue
            event = raw.event.rawValue
            guard let bytes = raw.data else { return }
            data = HexText.text(bytes)
            let contents = AdvertisingContents(
                bytes.span, sender: HexText.address(raw.addr), keys: RawRoutes.noKeys)
            name = contents.name?.text
            for beacon in contents.beacons where !formats.contains(beacon.format.rawValue) {
                formats.append(beacon.format.rawValue)
            }
            identity = Identification.beacon(in: bytes.span)?.identity.text
        }

        static let members: [RouteText.Field] = [
            .always("number", .count), .always("t_ms", .time, "By the node's clock."),
            .init("rssi", .number, "In dBm."),
            .always(
                "addr", .anyText,
                "12 digits; or eight x and four that stand for the same device while this lasts."),
            .always("addr_type", .word(RawPayload.AddressType.allCases.map(\.rawValue))),
            .always(
                "event", .word(RawPayload.Event.allCases.map(\.rawValue)), "The kind of packet."),
            .init("data", .anyText, "Hexadecimal; not there where it is withheld."),
            .init("name", .anyText),
            .always("formats", .list(.anyText), "Beacon formats that it holds."),
            .init("identity", .anyText, "What it could be registered as."),
        ]
    }

    private struct Answer: Encodable {
        var untilMs: Int64
        var leftOut: Int64
        var advertisements: [Advertisement]

        private enum CodingKeys: String, CodingKey {
            case untilMs = "until_ms"
            case leftOut = "left_out"
            case advertisements
        }

        static let members: [RouteText.Field] = [
            .always("until_ms", .time, "When it stops, if nobody asks again."),
            .always(
                "left_out", .count,
                "How many were left out since it began, because there were too many."),
            .always(
                "advertisements", .list(.object(Advertisement.members)),
                "Oldest first, the newest 400 at most."),
        ]
    }

    /// Nobody's keys: what is private stays so.
    static let noKeys = DecodingKeys(
        cryptography: Cryptography(encrypt: { block, _ in block }, open: { _, _ in nil }))

    private func node(_ request: RouteRequest) async throws -> String {
        let id = request.parameters["id"] ?? ""
        let isThere = try await Blocking.run { [store = desk.store] in
            try NearBeacons(store).node(id) != nil
        }
        guard isThere else { throw RouteProblem(.notFound, "There is no such node.") }
        return id
    }

    private func look(_ request: RouteRequest) async throws -> RouteAnswer {
        let (after, isWhole) = try Reading.body(request, known: ["after", "all"]) {
            (object, json) throws(PayloadError) in
            (
                try object.optional("after", json)?.integer(json, from: 0) ?? 0,
                try object.optional("all", json)?.flag(json) ?? false
            )
        }
        let id = try await node(request)
        if isWhole, request.visitor?.principal.reach(.peopleRead) != .site {
            throw RouteProblem(
                .forbidden, "Addresses and data of strangers are for who may read people.")
        }
        let now = desk.clock.now
        guard let heard = desk.mailbox.raw.ask(id, after: after, isRedacted: !isWhole, at: now)
        else {
            throw RouteProblem(
                .rateLimited, "Too many nodes are looked through at once.", retryAfter: 30)
        }
        if heard.isDue {
            say(
                id,
                DebugLeasePayload(
                    id: heard.lease.id, untilMs: heard.lease.until.milliseconds,
                    maxPerS: Self.perSecond,
                    redact: heard.lease.isRedacted
                ).json)
        }
        return try Reading.answer(
            Answer(
                untilMs: heard.lease.until.milliseconds, leftOut: heard.leftOut,
                advertisements: heard.advertisements.map { Advertisement($0.number, $0.raw) }))
    }

    private func end(_ request: RouteRequest) async throws -> RouteAnswer {
        let id = try await node(request)
        desk.mailbox.raw.end(id)
        say(id, [])
        return RouteAnswer(status: 204, contentType: nil, body: .bytes([]))
    }

    private func say(_ node: String, _ payload: [UInt8]) {
        guard let site = desk.site else { return }
        _ = desk.mailbox.put([.retained(SiteTopics(site: site)[.debugLease, node], payload)])
    }
}
