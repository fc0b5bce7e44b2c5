import Ciphers
import JSON
import Notifications
import SiteModel
import WebServer

/// Where a browser says that it wants messages: which services are asked is in the configuration.
package struct PushRoutes: Sendable {
    private let desk: WriteDesk
    private let services: PushServices

    package init(_ desk: WriteDesk, _ services: PushServices) {
        self.desk = desk
        self.services = services
    }

    package var all: [Route] {
        [
            Route(
                .post, "/api/v1/push/subscriptions", .session, whose: .each,
                about: RouteText(
                    "Has this browser told what is about whoever is signed in, by its push service.",
                    body: [
                        .init(
                            "endpoint", .text(1...2048), isNeeded: true, "Of a known push service."),
                        .init("p256dh", .text(87...87), isNeeded: true),
                        .init("auth", .text(22...22), isNeeded: true),
                        .init(
                            "language", .word(PageLanguage.allCases.map(\.rawValue)), isNeeded: true
                        ),
                    ], status: 204, type: nil, refusals: [.badState], isPure: true)
            ) { try await subscribe($0) }
        ]
    }

    private func subscribe(_ request: RouteRequest) async throws -> RouteAnswer {
        let new = try Reading.body(
            request, known: ["endpoint", "p256dh", "auth", "language"]
        ) { (object, json) throws(PayloadError) in
            let theirs = WebPush.decoded(try object.required("p256dh", json).text(json, limit: 87))
            let auth = WebPush.decoded(try object.required("auth", json).text(json, limit: 22))
            guard let theirs, theirs.count == 65, theirs.first == 4 else {
                throw PayloadError.unknownValue(field: "p256dh")
            }
            guard let auth, auth.count == 16 else { throw PayloadError.unknownValue(field: "auth") }
            let language = try object.required("language", json).text(json, limit: 2)
            guard PageLanguage(rawValue: language) != nil else {
                throw PayloadError.unknownValue(field: "language")
            }
            return NewPush(
                endpoint: try object.required("endpoint", json).text(json, limit: 2048),
                theirs: theirs, auth: auth, language: language)
        }
        guard services.origin(of: new.endpoint) != nil else {
            throw RouteProblem(
                .badRequest,
                "endpoint: the address of a push service expected, such as https://fcm.googleapis.com/…; "
                    + "others are named by http.push_services of the configuration.")
        }
        guard let account = request.visitor?.principal.account else {
            throw RouteProblem(.badState, "A token has no browser: sign in.")
        }
        let moment = desk.clock.now
        try await WriteDesk.refusing {
            try await desk.mailbox.ask(within: 10, storing: .together) { store in
                try Pushes(store).add(new, of: account, at: moment)
            }
        }
        return Reading.nothing
    }
}
