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
                    ("address", .text(kind.topic.address)), ("title", .text(kind.rawValue)),
                    ("summary", .text(kind.topic.text)),
                    ("parameters", .section(kind.topic.parameters.map { ($0, .section([])) })),
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
                    ("x-retained", .flag(kind.topic.isRetained)),
                    ("x-qos", .number(Double(kind.topic.quality))),
                    ("x-written-by", .text(kind.topic.writer.rawValue)),
                    ("x-right", .text(kind.topic.reader.rawValue)),
                ])
            )
        }
        let operations = kinds.map { kind in
            (
                key: "\(kind.topic.writer.rawValue)-\(kind.rawValue)",
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
}

/// A request and its answer, each a channel.
extension Verb {
    fileprivate var channels: [(key: String, value: SiteTree)] {
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
                name, .request, request, summary),
            channel(
                name + "-answer", .response,
                .section(ParameterSchema.object(answered, isClosed: false)),
                "The answer to \(name)."),
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
        _ key: String, _ kind: PayloadKind, _ payload: SiteTree, _ summary: String
    ) -> (key: String, value: SiteTree) {
        let message = SiteTree.section([
            ("contentType", .text("application/json")), ("payload", payload),
        ])
        let topic = kind.topic
        let address = topic.path(["{site}", "{client}", name])
        let parameters = topic.parameters.filter { $0 != "operation" }
            .map { ($0, SiteTree.section([])) }
        return (
            key,
            .section([
                ("address", .text(address)), ("title", .text(key)), ("summary", .text(summary)),
                ("parameters", .section(parameters)), ("messages", .section([(key, message)])),
                ("bindings", .section([("mqtt", .section([]))])),
                ("x-retained", .flag(topic.isRetained)),
                ("x-qos", .number(Double(topic.quality))),
                ("x-written-by", .text(topic.writer.rawValue)), ("x-right", .text(right.rawValue)),
            ])
        )
    }
}
