import Operations
import Registry
import SiteModel
import Wire

/// The description of what goes over MQTT (AsyncAPI 3.0), made from the topics and payloads of the code.
package enum AsyncAPI {
    /// The document, keys in a fixed order. The schemas are the files beside it.
    package static var text: String {
        let kinds = PayloadKind.allCases.filter { $0 != .request && $0 != .response }
        let channels = kinds.map { kind in
            (
                key: kind.rawValue,
                value: SiteTree.section([
                    ("address", .text(kind.address)), ("title", .text(kind.rawValue)),
                    (
                        "parameters",
                        .section(parameters(of: kind.address).map { ($0, .section([])) })
                    ),
                    (
                        "messages",
                        .section([
                            (
                                kind.rawValue,
                                .section([
                                    ("contentType", .text("application/json")),
                                    (
                                        "payload",
                                        .section([
                                            (
                                                "schemaFormat",
                                                .text(
                                                    "application/schema+json;version=draft-2020-12")
                                            ),
                                            (
                                                "schema",
                                                .section([
                                                    ("$ref", .text("\(kind.rawValue).v1.json"))
                                                ])
                                            ),
                                        ])
                                    ),
                                ])
                            )
                        ])
                    ),
                    ("bindings", .section([("mqtt", .section([]))])),
                    ("x-retained", .flag(kind.isRetained)),
                    ("x-written-by", .text(kind.writer)),
                ])
            )
        }
        let operations = kinds.map { kind in
            (
                key: "\(kind.writer)-\(kind.rawValue)",
                value: SiteTree.section([
                    ("action", .text("send")),
                    (
                        "channel",
                        .section([("$ref", .text("#/channels/\(kind.rawValue)"))])
                    ),
                ])
            )
        }
        return SiteTree.section([
            ("asyncapi", .text("3.0.0")),
            (
                "info",
                .section([
                    ("title", .text("Beaconmesh")), ("version", .text(CoreVersion.text)),
                    (
                        "description",
                        .text("What nodes, coordinators and clients say to each other over MQTT.")
                    ),
                ])
            ),
            ("defaultContentType", .text("application/json")),
            ("channels", .section(channels + Verb.all.flatMap(\.channels))),
            ("operations", .section(operations + Verb.all.flatMap(\.operations))),
        ]).lines + "\n"
    }

    fileprivate static func parameters(of address: String) -> [String] {
        address.split(separator: "/").filter { $0.hasPrefix("{") }.map {
            String($0.dropFirst().dropLast())
        }
    }
}

/// A request and its answer, each a channel.
extension Verb {
    fileprivate var channels: [(key: String, value: SiteTree)] {
        let site = SiteTopics(site: "{site}")
        let codes = Set(refusals + Self.common).map(\.rawValue).sorted()
        let asked: [Parameter] = [
            .always("id", .text(1...64), "Asked again with it, it is answered alike for a day."),
            .init("exp_ms", .time, "When nobody waits for it any more."),
        ]
        let answered: [Parameter] = [
            .always("id", .text(1...64)), .always("ok", .flag),
            .init(answer.name, .object(answer.members), "What was done, if it was."),
            .init("error", .object([.always("code", .word(codes)), .always("message", .anyText)])),
        ]
        // Closed: a member that is misspelt would be passed over.
        let arguments = SiteTree.section(ParameterSchema.object(parameters, isClosed: true))
        var request = SiteTree.section(ParameterSchema.object(asked, isClosed: false))
        request.set("required", .list([.text("id"), .text("args")]))
        if var members = request["properties"] {
            members.set("args", arguments)
            request.set("properties", members)
        }
        return [
            channel(
                name, site.request(client: "{client}", operation: name), request, summary,
                writer: "client"),
            channel(
                name + "-answer", site.response(client: "{client}", operation: name),
                .section(ParameterSchema.object(answered, isClosed: false)),
                "The answer to \(name).", writer: "coordinator"),
        ]
    }

    fileprivate var operations: [(key: String, value: SiteTree)] {
        [("client", name), ("coordinator", name + "-answer")].map { writer, channel in
            (
                "\(writer)-\(channel)",
                .section([
                    ("action", .text("send")),
                    ("channel", .section([("$ref", .text("#/channels/\(channel)"))])),
                ])
            )
        }
    }

    /// What every request may be refused with.
    private static let common: [ProblemCode] = [
        .schema, .idempotencyMismatch, .forbidden, .notFound, .expired, .rateLimited, .unavailable,
    ]

    private func channel(
        _ key: String, _ address: String, _ payload: SiteTree, _ summary: String, writer: String
    ) -> (key: String, value: SiteTree) {
        let message = SiteTree.section([
            ("contentType", .text("application/json")), ("payload", payload),
        ])
        let parameters = AsyncAPI.parameters(of: address).map { ($0, SiteTree.section([])) }
        return (
            key,
            .section([
                ("address", .text(address)), ("title", .text(key)), ("summary", .text(summary)),
                ("parameters", .section(parameters)), ("messages", .section([(key, message)])),
                ("bindings", .section([("mqtt", .section([]))])), ("x-retained", .flag(false)),
                ("x-written-by", .text(writer)), ("x-right", .text(right.rawValue)),
            ])
        )
    }
}

extension PayloadKind {
    /// Its topic, with `{names}` for what differs.
    var address: String {
        let site = SiteTopics(site: "{site}")
        let core = CoreTopics(coordinator: "{coordinator}")
        return switch self {
        case .nodeStatus: site.nodeStatus("{node}")
        case .nodeInfo: site.nodeInfo("{node}")
        case .nodeHealth: site.nodeHealth("{node}")
        case .nodeBeat: site.nodeBeat("{node}")
        case .rssi: site.nodeRSSI("{node}", beacon: "{beacon}")
        case .frame: site.nodeFrame("{node}")
        case .nodeConfiguration: site.nodeConfigurationDesired("{node}")
        case .nodeConfigurationActive: site.nodeConfigurationActive("{node}")
        case .nodeCommand: site.nodeCommand("{node}")
        case .nodeResponse: site.nodeResponse("{node}")
        case .debugLease: site.debugLease("{node}")
        case .raw: site.nodeRaw("{node}")
        case .evidence: site.nodeEvidence("{node}")
        case .nodeEvent: site.nodeEvent("{node}")
        case .cursor: site.nodeCursor("{node}")
        case .siteInfo: site.info
        case .siteState: site.state
        case .roomInfo: site.roomInfo("{room}")
        case .roomState: site.roomState("{room}")
        case .stationInfo: site.stationInfo("{station}")
        case .stationState: site.stationState("{station}")
        case .beaconInfo: site.beaconInfo("{beacon}")
        case .beaconState: site.beaconState("{beacon}")
        case .presence: site.presence("{user}")
        case .attendance: site.attendance("{user}")
        case .workout: site.workout("{user}")
        case .why: site.why("{user}")
        case .shadow: site.shadow
        case .event: site.event(area: "{area}", id: "{id}")
        case .notification: site.notification("{user}")
        case .request: site.request(client: "{client}", operation: "{operation}")
        case .response: site.response(client: "{client}", operation: "{operation}")
        case .coreStatus: core.status
        case .coreInfo: core.info
        case .coreHealth: core.health
        }
    }

    /// Whether the broker keeps the newest.
    var isRetained: Bool {
        switch self {
        case .nodeBeat, .rssi, .frame, .nodeCommand, .nodeResponse, .raw, .evidence, .nodeEvent,
            .event, .notification, .request, .response:
            false
        default: true
        }
    }

    /// Who says it.
    var writer: String {
        switch self {
        case .nodeStatus, .nodeInfo, .nodeHealth, .nodeBeat, .rssi, .frame,
            .nodeConfigurationActive, .nodeResponse, .raw, .evidence, .nodeEvent:
            "node"
        case .request, .debugLease: "client"
        default: "coordinator"
        }
    }
}
