import Registry
import SiteModel
import Wire

/// The description of what goes over MQTT (AsyncAPI 3.0), made from the topics and payloads of the code.
package enum AsyncAPI {
    /// The document, keys in a fixed order. The schemas are the files beside it.
    package static var text: String {
        let channels = PayloadKind.allCases.map { kind in
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
        let operations = PayloadKind.allCases.map { kind in
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
            ("channels", .section(channels)), ("operations", .section(operations)),
        ]).lines + "\n"
    }

    private static func parameters(of address: String) -> [String] {
        address.split(separator: "/").filter { $0.hasPrefix("{") }.map {
            String($0.dropFirst().dropLast())
        }
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
