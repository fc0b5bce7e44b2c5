import Accounts
import Activities
import ActivityEngine
import JSON
import Operations
import Permissions
import Reporting
import SiteModel
import WebServer
import Wire

/// What a person's phone needs: a token of its own, and a path that takes what its apps send.
package struct PhoneRoutes: Sendable {
    /// The longest body, in bytes: an app sends two days of every minute at once.
    private static let longestBody = 4 << 20
    private static let path = "/api/v1/activity/phones"
    /// The most phones of a person, and the most tokens that are made for them within a day.
    private static let most = 8
    private static let mostADay = 16

    private let desk: WriteDesk
    private let budget: SampleBudget

    package init(_ desk: WriteDesk, _ budget: SampleBudget) {
        self.desk = desk
        self.budget = budget
    }

    package var all: [Route] {
        [
            Route(
                .post, "/api/v1/activity/app", .activityWrite, whose: .query("user"),
                longestBody: Self.longestBody,
                about: RouteText(
                    "Takes what an app on a phone sends in a body of its own: HC Webhook, Life Dashboard Companion, "
                        + "Health Auto Export, OwnTracks, Home Assistant. What is refused or cannot be read is counted, the rest is stored.",
                    query: [
                        Parameter.whose,
                        .init(
                            "every", .oneOf(PhoneBody.Bucket.self),
                            "How long a bucket of Health Auto Export is; minute, if it is left out."
                        ),
                    ],
                    body: [
                        .init("timestamp", .anyText, "Of an app for Health Connect."),
                        .init("steps", .list(.value)), .init("heart_rate", .list(.value)),
                        .init("exercise", .list(.value)), .init("distance", .list(.value)),
                        .init("active_calories", .list(.value)),
                        .init("data", .value, "Of Health Auto Export: `metrics`."),
                        .init("_type", .anyText, "Of OwnTracks: `location`."),
                        .init("attributes", .value, "Of a state of Home Assistant."),
                    ],
                    answer: [
                        .always(
                            "app", .oneOf(PhoneBody.App.self), isNullable: true,
                            "null: no app that is known sends this."),
                        .always("stored", .count), .always("refused", .count),
                        .always("unread", .count, "Records without a time or an amount."),
                        .init("unread_example", .anyText, "What the first of them says."),
                    ], refusals: [.notFound, .unavailable, .tooLarge])
            ) { try await take($0) },
            Route(
                .get, Self.path, .activityRead, whose: .query("user"),
                about: RouteText(
                    "The phones that send what somebody does.", query: [Parameter.whose],
                    answer: [
                        .always(
                            "phones",
                            .list(
                                .object([
                                    .always("name", .anyText), .always("made_ms", .time),
                                    .always("used_ms", .time, isNullable: true),
                                ])))
                    ])
            ) { request in
                let user = try request.person()
                return .json(list(of: user))
            },
            Route(
                .post, Self.path, .activityWrite, whose: .body("user"),
                about: RouteText(
                    "Makes a token with which a phone sends and reads what its person does, and nothing else; "
                        + "the answer has it, shown once.",
                    body: [Parameter.whose],
                    answer: [.always("name", .anyText), .always("token", .anyText)], status: 201,
                    refusals: [.notFound, .rateLimited], isShownOnce: true)
            ) { try await add($0) },
            Route(
                .delete, Self.path + "/{name}", .activityWrite, whose: .query("user"),
                about: RouteText(
                    "Ends a phone's token.", query: [Parameter.whose], status: 204, type: nil,
                    refusals: [.notFound])
            ) { request in
                try request.refusePhones()
                let user = try request.person()
                let name = request.parameters["name"] ?? ""
                guard phones(of: user).contains(where: { $0.name == name }) else {
                    throw RouteProblem(.notFound, "There is no such phone.")
                }
                _ = try await desk.perform(.accounts(.revokeToken(name: name)), for: request)
                return Reading.nothing
            },
        ]
    }

    // MARK: What apps send

    private func take(_ request: RouteRequest) async throws -> RouteAnswer {
        let asked = try AskedQuery(request, allowed: ["user", "every"])
        let user = try request.person()
        let bucket = asked.values["every"].flatMap { PhoneBody.Bucket(rawValue: $0) } ?? .minute
        let now = desk.clock.now
        // As with those of a minute: such apps try again after 503.
        if let wait = desk.rows.wait(.samples, of: user) {
            throw RouteProblem(
                .unavailable, "More samples came than are taken within a day: send it again.",
                retryAfter: wait)
        }
        // By its bytes before it is looked at: who has sent enough is refused without work.
        let paid = request.body.count / Self.bytesOfRecord
        try spend(max(1, paid), of: user)
        let body: PhoneBody
        let calendar = try await Blocking.run { [store = desk.store] in
            try ReportDesk(store, now: now).context.calendar
        }
        do throws(PhoneBody.Fault) {
            body = try PhoneBody(request.body.span, every: bucket, by: calendar, at: now)
        } catch {
            switch error {
            case .unreadable(let fault):
                throw ProblemCode.problem("schema", "The body is refused: \(fault.words).")
            case .tooLong: throw Self.tooLong
            }
        }
        guard body.load <= SampleBudget.aMinute else { throw Self.tooLong }
        try spend(max(0, body.load - paid), of: user)
        var (stored, refused) = (0, 0)
        for call in body.calls(of: user) {
            let written = try await WriteDesk.refusing {
                try await desk.perform([.activity(call)], by: request.asker)[0].get()
            }
            for code in try written.codes {
                if code == nil { stored += 1 } else { refused += 1 }
            }
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("app", body.app?.rawValue)
        writer.field("stored", stored)
        writer.field("refused", refused)
        writer.field("unread", body.unread)
        if let example = body.example { writer.field("unread_example", example) }
        writer.endObject()
        return await desk.note(
            .json(String(decoding: writer.bytes, as: UTF8.self) + "\n"),
            to: request.caller)
    }

    private static let tooLong = RouteProblem(
        .tooLarge,
        "More than \(SampleBudget.aMinute) records: let the app send fewer days at once.")

    /// About so many bytes of a body are one record.
    private static let bytesOfRecord = 256

    private func spend(_ records: Int, of user: String) throws(RouteProblem) {
        guard let seconds = budget.wait(for: records, of: user) else { return }
        // Such apps try again after 503, and not after 429.
        throw RouteProblem(
            .unavailable, "More records came than are taken within a minute: send it again.",
            retryAfter: seconds)
    }

    // MARK: Tokens

    private func phones(of user: String) -> [Token] {
        let now = desk.clock.now
        return desk.directory.tokens.filter {
            $0.user == user && $0.isPhone && $0.isValid(at: now)
        }
    }

    private func list(of user: String) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("phones")
        writer.beginArray()
        for phone in phones(of: user) {
            writer.beginObject()
            writer.field("name", phone.name)
            writer.field("made_ms", phone.made.milliseconds)
            writer.field("used_ms", phone.used?.milliseconds)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }

    private func add(_ request: RouteRequest) async throws -> RouteAnswer {
        try request.refusePhones()
        let named = try Reading.body(request, known: ["user"]) {
            (object, json) throws(PayloadError) in
            try object.optional("user", json)?.slug(json)
        }
        let user = try request.person(named)
        guard phones(of: user).count < Self.most else {
            throw RouteProblem(
                .rateLimited, "There are \(Self.most) phones: end one that is not used.")
        }
        let (all, now) = (desk.directory.tokens, desk.clock.now)
        let made = all.count {
            $0.user == user && $0.isPhone && now - $0.made < ActivitySample.longest
        }
        guard made < Self.mostADay else {
            throw RouteProblem(
                .rateLimited, "\(Self.mostADay) phones were added today: come again tomorrow.")
        }
        // What is made with a token ends with it at the latest.
        let maker = request.visitor?.principal.name
        let expires = all.first { "token:\($0.name)" == maker && $0.isValid(at: now) }?.expires
        let secret = Token.prefix + OneTimeSecret.make()
        let start = "phone-" + user.prefix(48) + "-"
        // Others are added at the same time, whose names are taken only when they are stored.
        var taken = Set(all.map(\.name))
        while true {
            let name = (1...).lazy.map { start + "\($0)" }.first { !taken.contains($0) } ?? start
            do {
                return try await desk.perform(
                    .accounts(
                        .addToken(
                            name: name, hash: OneTimeSecret.hash(of: secret), role: .member,
                            scopes: [.activity], user: user, expires: expires)), for: request
                ) { _, _ in
                    .json("{\"name\":\"\(name)\",\"token\":\"\(secret)\"}\n", status: 201)
                }
            } catch let problem as RouteProblem where problem.code == .alreadyExists {
                guard phones(of: user).count < Self.most, taken.count < all.count + Self.most else {
                    throw problem
                }
                taken.insert(name)
            }
        }
    }
}

extension PhoneBody {
    /// The most of one call.
    private static let most = 1000

    /// All of it, a thousand at a time.
    fileprivate func calls(of user: String) -> [ActivityCall] {
        cut(samples).map { .samples(user: user, $0) }
            + cut(intervals).map { .intervals(user: user, $0) }
            + cut(rates).map { .rates(user: user, $0) }
            + cut(positions).map { .positions(user: user, $0) }
    }

    private func cut<Sample: Measured>(_ sent: [Sent<Sample>]) -> [[Sent<Sample>]] {
        let sorted = sent.intakeOrder().map { sent[$0] }
        return stride(from: 0, to: sorted.count, by: Self.most).map {
            Array(sorted[$0..<min($0 + Self.most, sorted.count)])
        }
    }
}
