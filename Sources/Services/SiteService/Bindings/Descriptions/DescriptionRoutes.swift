import Permissions
import WebServer
import Wire

/// What the interface is, for machines; people read it at `/docs`.
package struct DescriptionRoutes {
    private let openAPI: String

    /// Describes `routes`, and its own.
    package init(_ routes: [Route]) {
        openAPI = OpenAPI(routes + Self.routes { "" }).text
    }

    package var all: [Route] { Self.routes { [openAPI] in openAPI } }

    private static func routes(_ text: @escaping @Sendable () -> String) -> [Route] {
        [
            Route(
                .get, "/api/v1/openapi.json", .documentation, whose: .each,
                about: RouteText(
                    "This interface, as OpenAPI 3.1.",
                    answer: document("openapi", ["paths", "components"]))
            ) { _ in .json(text()) },
            Route(
                .get, "/api/v1/asyncapi.json", .documentation, whose: .each,
                about: RouteText(
                    "What goes over MQTT, as AsyncAPI 3.0.",
                    answer: document("asyncapi", ["channels", "operations"]))
            ) { _ in .json(AsyncAPI.text) },
        ]
    }

    /// What its standard says of the document, and what the parts hold.
    private static func document(_ version: String, _ parts: [String]) -> [RouteText.Field] {
        let version = RouteText.Field.always(version, .anyText)
        return [version]
            + (["info"] + parts).map { RouteText.Field.always($0, .map(.value)) }
    }
}
