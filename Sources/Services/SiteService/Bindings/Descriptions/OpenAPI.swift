import JSON
import Permissions
import Registry
import SiteModel
import WebServer
import Wire

/// The description of the interface over HTTP (OpenAPI 3.1), made from the routes themselves.
package struct OpenAPI {
    /// The document, keys in a fixed order.
    package let text: String

    /// Describes routes, and what the server has beside them.
    package init(_ routes: [Route]) {
        let all = (routes + WebServer.described).sorted {
            ($0.path, $0.method.rawValue) < ($1.path, $1.method.rawValue)
        }
        var paths: [(key: String, value: SiteTree)] = []
        for route in all {
            let operation = (
                key: route.method.rawValue.lowercased(), value: Self.operation(route)
            )
            if let last = paths.last, last.key == route.path {
                paths[paths.count - 1].value.set(operation.key, operation.value)
            } else {
                paths.append((route.path, .section([operation])))
            }
        }
        let tree = SiteTree.section([
            ("openapi", .text("3.1.0")),
            (
                "info",
                .section([
                    ("title", .text("Beaconmesh")), ("version", .text(CoreVersion.text)),
                    (
                        "description",
                        .text(
                            "What can be asked of a coordinator. A refusal is a problem document "
                                + "(RFC 9457); machines go by its code.")
                    ),
                ])
            ),
            ("paths", .section(paths)), ("components", Self.components),
        ])
        text = tree.lines + "\n"
    }

    private static func operation(_ route: Route) -> SiteTree {
        let about = route.about
        var members: [(key: String, value: SiteTree)] = [
            ("operationId", .text(id(of: route))), ("summary", .text(about.summary)),
            ("tags", .list([.text(tag(of: route))])),
        ]
        if let right = route.right {
            members.append(("x-right", .text(right.rawValue)))
            members.append(("x-roles", roles(right, route.whose)))
        } else {
            members.append(("security", .list([])))
        }
        let parameters = parameters(of: route)
        if !parameters.isEmpty { members.append(("parameters", .list(parameters))) }
        if route.takesBody {
            let body =
                about.body.isEmpty
                ? SiteTree.section([("type", .text("string"))])
                : .section(ParameterSchema.object(about.body, isClosed: true))
            members.append(
                (
                    "requestBody",
                    .section([
                        ("required", .flag(route.needsBody)),
                        (
                            "content",
                            .section([
                                (route.takes, .section([("schema", body)]))
                            ])
                        ),
                    ])
                ))
        }
        members.append(("responses", responses(of: route)))
        return .section(members)
    }

    /// `getAttendanceSessions`.
    private static func id(of route: Route) -> String {
        let words = route.path.split { !$0.isLetter && !$0.isNumber }.map(String.init)
            .filter { $0 != "api" && $0 != "v1" }
        return route.method.rawValue.lowercased()
            + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private static func tag(of route: Route) -> String {
        let words = route.path.split(separator: "/").map(String.init)
        return words.count > 2 && words[0] == "api" ? words[2] : words.first ?? "page"
    }

    /// What each role reaches, those that reach nothing left out.
    private static func roles(_ right: Right, _ whose: Route.Whose) -> SiteTree {
        let reached = Role.allCases.compactMap { role -> (key: String, value: SiteTree)? in
            if role == .integration {
                return right.scope.map { (role.rawValue, .text($0.rawValue)) }
            }
            let reach = right.reach(of: role)
            guard reach != .nothing, reach >= whose.least else { return nil }
            return (role.rawValue, .text(reach.word))
        }
        return .section(reached)
    }

    private static func parameters(of route: Route) -> [SiteTree] {
        var parameters: [SiteTree] = []
        for part in route.path.split(separator: "/") where part.hasPrefix("{") {
            parameters.append(
                .section([
                    ("name", .text(String(part.dropFirst().dropLast()))), ("in", .text("path")),
                    ("required", .flag(true)),
                    ("schema", .section([("type", .text("string"))])),
                ]))
        }
        for field in route.about.query {
            parameters.append(
                .section(
                    [
                        ("name", .text(field.name)), ("in", .text("query")),
                        ("schema", ParameterSchema.of(field)),
                    ] + (field.text.isEmpty ? [] : [("description", .text(field.text))])))
        }
        if route.method == .post, route.right != nil, !route.about.isPure {
            parameters.append(.section([("$ref", .text("#/components/parameters/IdempotencyKey"))]))
        }
        if route.about.refusals.contains(.preconditionFailed) {
            parameters.append(.section([("$ref", .text("#/components/parameters/IfMatch"))]))
        }
        return parameters
    }

    // MARK: Answers

    private static func responses(of route: Route) -> SiteTree {
        let about = route.about
        var success: [(key: String, value: SiteTree)] = [("description", .text("Done."))]
        if let type = about.type {
            let members = RouteText.Field.Kind.object(about.answer)
            let body =
                type == "application/json"
                ? ParameterSchema.of(.init("", about.isList ? .list(members) : members))
                : .section([])
            success.append(
                ("content", .section([(type, .section([("schema", body)]))])))
        }
        var members: [(key: String, value: SiteTree)] = [
            ("\(about.status)", .section(success))
        ]
        var codes: [ProblemCode] = [.badRequest, .internal, .unavailable] + about.refusals
        if route.right != nil { codes += [.unauthorised] }
        codes += [.forbidden]
        if route.path.contains("{") { codes.append(.notFound) }
        let takesBody = route.method == .delete ? !about.body.isEmpty : route.method != .get
        if takesBody { codes += [.schema, .unsupportedType, .tooLarge] }
        let trainer = Principal(name: "", role: .trainer)
        if let right = route.right, trainer.needsConsent(of: nil, for: right) {
            codes.append(.consentRequired)
        }
        if route.method != .get, route.right != nil { codes.append(.rateLimited) }
        if route.method == .post, route.right != nil, !about.isPure {
            codes += [.idempotencyMismatch, .inDoubt]
            if about.isShownOnce { codes.append(.badState) }
        }
        let statuses = Set(codes.map(\.status)).subtracting([about.status]).sorted()
        for status in statuses {
            let names = Set(codes.filter { $0.status == status }.map(\.rawValue)).sorted()
            members.append(
                (
                    "\(status)",
                    .section([
                        ("description", .text(names.joined(separator: ", "))),
                        (
                            "content",
                            .section([
                                (
                                    "application/problem+json",
                                    .section([
                                        (
                                            "schema",
                                            .section([
                                                (
                                                    "$ref",
                                                    .text("#/components/schemas/Problem")
                                                )
                                            ])
                                        )
                                    ])
                                )
                            ])
                        ),
                    ])
                ))
        }
        return .section(members)
    }

    private static var components: SiteTree {
        let codes = ProblemCode.allCases.map { SiteTree.text($0.rawValue) }
        func text(_ name: String) -> (key: String, value: SiteTree) {
            (name, .section([("type", .text("string"))]))
        }
        let problem = SiteTree.section([
            ("type", .text("object")),
            (
                "required",
                .list(["type", "title", "status", "detail", "code"].map { .text($0) })
            ),
            (
                "properties",
                .section([
                    text("type"), text("title"),
                    ("status", .section([("type", .text("integer"))])), text("detail"),
                    ("code", .section([("type", .text("string")), ("enum", .list(codes))])),
                ])
            ),
        ])
        func header(_ name: String, _ about: String, _ schema: SiteTree) -> SiteTree {
            .section([
                ("name", .text(name)), ("in", .text("header")), ("schema", schema),
                ("description", .text(about)),
            ])
        }
        return .section([
            ("schemas", .section([("Problem", problem)])),
            (
                "parameters",
                .section([
                    (
                        "IdempotencyKey",
                        header(
                            "Idempotency-Key",
                            "The same key with the same request is done once, for 24 hours.",
                            .section([
                                ("type", .text("string")), ("pattern", .text("^[!-~]{1,64}$")),
                            ]))
                    ),
                    (
                        "IfMatch",
                        header(
                            "If-Match", "Only if it is still the one with this ETag.",
                            .section([("type", .text("string"))]))
                    ),
                ])
            ),
            (
                "securitySchemes",
                .section([
                    (
                        "token",
                        .section([("type", .text("http")), ("scheme", .text("bearer"))])
                    ),
                    (
                        "session",
                        .section([
                            ("type", .text("apiKey")), ("in", .text("cookie")),
                            ("name", .text(Access.cookie(isSecure: false))),
                        ])
                    ),
                ])
            ),
        ])
    }
}

extension SiteTree {
    /// JSON with a member of the first four levels a line, so that changes can be read.
    var lines: String { lines(0) }

    private func lines(_ depth: Int) -> String {
        guard depth < 4, case .section(let members) = self, !members.isEmpty else { return json }
        let inner = String(repeating: "  ", count: depth + 1)
        let text = members.map { member in
            inner + SiteTree.text(member.key).json + ": " + member.value.lines(depth + 1)
        }
        return "{\n" + text.joined(separator: ",\n") + "\n"
            + String(repeating: "  ", count: depth) + "}"
    }
}
