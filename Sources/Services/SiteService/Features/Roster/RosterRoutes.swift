import Basics
import Foundation
import JSON
import Permissions
import Platform
import Records
import Reporting
import Scheduling
import SiteModel
import SiteStore
import WebServer
import Wire

/// Shifts and who works them, leave, and calendars with a secret address.
package struct RosterRoutes: Sendable {
    private let desk: WriteDesk

    package init(_ desk: WriteDesk) { self.desk = desk }

    package var all: [Route] { shifts + assignments + leave + feeds }

    // MARK: Shifts

    private static let lengths: [(name: String, preset: Int64, most: Int64, text: String)] = [
        ("early_in_min", 60, 720, "Minutes before the start that still belong to it."),
        ("late_out_min", 60, 720, "Minutes after the end that still belong to it."),
        ("late_grace_min", 0, 720, "Minutes somebody may be late."),
        ("exit_grace_min", 0, 720, "Minutes somebody may leave early."),
        ("break_min", 0, 720, "Minutes of break that are not worked."),
        ("half_day_min", 0, 1440, "Minutes below which it was half a day; 0: never."),
        ("absent_min", 0, 1440, "Minutes below which somebody was absent; 0: only who never came."),
    ]

    private var shifts: [Route] {
        [
            Route(
                .get, "/api/v1/shifts", .rosterRead, whose: .query("user"),
                about: RouteText(
                    "Shifts, and who works them.", query: [.init("user", .slug, "Only theirs.")],
                    answer: [.always("shifts", .list(.object(RosterLines.ShiftLine.answer)))])
            ) { request in
                let only = try AskedQuery(request, allowed: ["user"]).values["user"]
                let lines = try await read { try RosterLines($0, only: only).shifts() }
                return try Reading.answer(["shifts": lines])
            },
            Route(
                .post, "/api/v1/shifts", .rosterWrite,
                about: RouteText(
                    "Adds a shift. Its hours never change, so that past days stay what they were.",
                    body: [
                        .init("id", .slug, isNeeded: true), .init("name", .text(1...120)),
                        .init("start", .text(5...5), isNeeded: true, "Such as 22:00."),
                        .init("end", .text(5...5), isNeeded: true, "Such as 06:00."),
                    ] + Self.lengths.map { .init($0.name, .integer(0...$0.most), $0.text) },
                    answer: RosterLines.ShiftLine.answer, status: 201, refusals: [.overlap])
            ) { request in
                let shift = try Self.shift(request)
                return try await desk.perform(.roster(.addShift(shift)), for: request) { _, store in
                    let lines = try RosterLines(store).shifts()
                    guard let line = lines.first(where: { $0.id == shift.slug }) else {
                        throw RouteProblem(.internal, "It is not among the shifts.")
                    }
                    return try Reading.answer(line, status: 201)
                }
            },
            Route(
                .post, "/api/v1/shifts/{id}/end", .rosterWrite,
                about: RouteText(
                    "Removes a shift: nobody works it after a day.",
                    body: [.init("last", .date, isNeeded: true), Self.force], status: 204,
                    type: nil,
                    refusals: [.notFound, .lockedPeriod])
            ) { request in
                let (last, force) = try Self.last(request)
                let id = request.parameters["id"] ?? ""
                return try await desk.perform(
                    .roster(.removeShift(id, last: last), force: force), for: request
                ) { _, _ in Reading.nothing }
            },
        ]
    }

    private static func shift(_ request: RouteRequest) throws -> Shift {
        let known = Set(["id", "name", "start", "end"] + lengths.map(\.name))
        return try Reading.body(request, known: known) { (object, json) throws(PayloadError) in
            func time(_ name: String) throws(PayloadError) -> LocalTime {
                let text = try object.required(name, json).text(json, limit: 5)
                guard let time = LocalTime(text), time.milliseconds % 60_000 == 0 else {
                    throw .unknownValue(field: "\(name) (a time like 22:00)")
                }
                return time
            }
            func length(_ index: Int) throws(PayloadError) -> Timestamp.Span {
                let length = lengths[index]
                let count = try object.optional(length.name, json)?.integer(
                    json, from: 0, through: length.most)
                return .seconds(Double(count ?? length.preset) * 60)
            }
            let slug = try object.required("id", json).slug(json)
            return Shift(
                id: 0, slug: slug,
                name: try object.optional("name", json)?.text(json, limit: 120) ?? slug,
                start: try time("start"), end: try time("end"), earlyIn: try length(0),
                lateOut: try length(1), lateGrace: try length(2), exitGrace: try length(3),
                pause: try length(4), halfDay: try length(5), absent: try length(6))
        }
    }

    // MARK: Assignments

    private var assignments: [Route] {
        [
            Route(
                .post, "/api/v1/shifts/{id}/assignments", .rosterWrite,
                about: RouteText(
                    "Lets people work a shift; all of them or, if one cannot, nobody.",
                    body: [
                        .init("users", .list(.slug), isNeeded: true),
                        .init("from", .date, isNeeded: true),
                        .init("to", .date, "The last day; for good if not given."),
                        .init(
                            "weekdays", .list(.integer(1...7)),
                            "1 Monday to 7 Sunday; every day if not given."), Self.force,
                    ], answer: [.always("assignments", .list(.count), "The id of each.")],
                    status: 201, refusals: [.notFound, .overlap, .lockedPeriod])
            ) { try await assign($0) },
            Route(
                .post, "/api/v1/assignments/{id}/end", .rosterWrite,
                about: RouteText(
                    "Ends an assignment after a day; one that has not begun by then goes away.",
                    body: [.init("last", .date, isNeeded: true), Self.force], status: 204,
                    type: nil,
                    refusals: [.notFound, .lockedPeriod])
            ) { request in
                let (last, force) = try Self.last(request)
                let id = try Self.number(request, "assignment")
                return try await desk.perform(
                    .roster(.endAssignment(id, last: last), force: force), for: request
                ) { _, _ in Reading.nothing }
            },
        ]
    }

    private func assign(_ request: RouteRequest) async throws -> RouteAnswer {
        let (users, from, to, weekdays, force) = try Reading.body(
            request, known: ["users", "from", "to", "weekdays", "force"]
        ) { (object, json) throws(PayloadError) in
            (
                try object.required("users", json).slugs(json),
                try object.required("from", json).date(json),
                try object.optional("to", json)?.date(json),
                try object.optional("weekdays", json)?.list(json) {
                    (value, json) throws(PayloadError) in
                    Int(try value.integer(json, from: 1, through: 7))
                } ?? Array(1...7), try object.optional("force", json)?.flag(json) ?? false
            )
        }
        guard !users.isEmpty else { throw RouteProblem(.badRequest, "users: nobody is named.") }
        return try await desk.perform(
            .roster(
                .assign(
                    users, shift: request.parameters["id"] ?? "", from: from, to: to,
                    weekdays: weekdays), force: force), for: request
        ) { written, _ in try Reading.answer(["assignments": written.rows], status: 201) }
    }

    // MARK: Leave

    private var leave: [Route] {
        [
            Route(
                .get, "/api/v1/leave", .rosterRead, whose: .query("user"),
                about: RouteText(
                    "Days of leave, by date.",
                    query: [
                        .init("user", .slug, "Only theirs."), .init("from", .date, "Today."),
                        .init("to", .date, "A year from then, which is the most."),
                    ], answer: [.always("leave", .list(.object(RosterLines.LeaveLine.answer)))])
            ) { try await listLeave($0) },
            Route(
                .post, "/api/v1/leave", .rosterWrite,
                about: RouteText(
                    "Notes leave; what was noted for these days before is replaced.",
                    body: [
                        .init("user", .slug, isNeeded: true), .init("from", .date, isNeeded: true),
                        .init("to", .date, "The last day; the first if not given."),
                        .init("kind", .text(1...64), "Such as holiday or sick."),
                        .init("half", .flag, "Half a day only."), Self.force,
                    ], status: 204, type: nil, refusals: [.notFound, .lockedPeriod])
            ) { request in
                try await desk.perform(try Self.newLeave(request), for: request) { _, _ in
                    Reading.nothing
                }
            },
            Route(
                .delete, "/api/v1/leave/{user}/{date}", .rosterWrite,
                about: RouteText(
                    "Takes a day of leave back.",
                    query: [
                        .init(
                            "force", .word(["true", "false"]),
                            "Also a day that is locked, which the audit says.")
                    ], status: 204, type: nil, refusals: [.notFound, .lockedPeriod])
            ) { request in
                let force = try AskedQuery(request, allowed: ["force"]).values["force"] == "true"
                guard let date = LocalDate(request.parameters["date"] ?? "") else {
                    throw RouteProblem(.notFound, "There is no such day of leave.")
                }
                _ = try await desk.perform(
                    .roster(
                        .removeLeave(request.parameters["user"] ?? "", date), force: force),
                    for: request)
                return Reading.nothing
            },
        ]
    }

    private static func newLeave(_ request: RouteRequest) throws -> SiteWrite {
        try Reading.body(request, known: ["user", "from", "to", "kind", "half", "force"]) {
            (object, json) throws(PayloadError) in
            let from = try object.required("from", json).date(json)
            return .roster(
                .addLeave(
                    try object.required("user", json).slug(json), from: from,
                    to: try object.optional("to", json)?.date(json) ?? from,
                    kind: try object.optional("kind", json)?.text(json, limit: 64) ?? "holiday",
                    isHalf: try object.optional("half", json)?.flag(json) ?? false),
                force: try object.optional("force", json)?.flag(json) ?? false)
        }
    }

    private func listLeave(_ request: RouteRequest) async throws -> RouteAnswer {
        let asked = try AskedQuery(request, allowed: ["user", "from", "to"])
        func date(_ name: String) throws(RouteProblem) -> LocalDate? {
            guard let text = asked.values[name] else { return nil }
            guard let date = LocalDate(text) else {
                throw RouteProblem(.badRequest, "\(name): a date like 2026-03-29 expected.")
            }
            return date
        }
        let (from, to, only) = (try date("from"), try date("to"), asked.values["user"])
        let now = desk.clock.now
        let lines = try await read { store in
            let first =
                try from ?? ReportDesk(store, now: now).context.calendar.businessDay(of: now)
            let last = to ?? LocalDate(day: first.day + 365)
            guard (0..<366).contains(last - first) else {
                throw RouteProblem(.badRequest, "to: at most a year after from, and not before it.")
            }
            return try RosterLines(store, only: only).leave(first...last)
        }
        return try Reading.answer(["leave": lines])
    }

    // MARK: Feeds

    private struct NewFeed: Encodable {
        var id: Int64
        var path: String
    }

    private var feeds: [Route] {
        [
            Route(
                .get, "/api/v1/feeds", .rosterRead, whose: .query("user"),
                about: RouteText(
                    "Calendars with a secret address, revoked ones too.",
                    query: [.init("user", .slug, "Only theirs.")],
                    answer: [.always("feeds", .list(.object(RosterLines.FeedLine.answer)))])
            ) { request in
                let only = try AskedQuery(request, allowed: ["user"]).values["user"]
                let lines = try await read { try RosterLines($0, only: only).feeds() }
                return try Reading.answer(["feeds": lines])
            },
            Route(
                .post, "/api/v1/feeds", .rosterWrite,
                about: RouteText(
                    "Makes a calendar; the answer has its path, which is its secret, shown once.",
                    body: [
                        .init("user", .slug, "Whose; everybody's if not given."),
                        .init("kind", .word(Feed.Kind.allCases.map(\.rawValue))),
                    ], answer: [.always("id", .count), .always("path", .anyText)], status: 201,
                    refusals: [.notFound], isShownOnce: true)
            ) { request in
                let (user, kind) = try Reading.body(request, known: ["user", "kind"]) {
                    (object, json) throws(PayloadError) in
                    (
                        try object.optional("user", json)?.slug(json),
                        try object.optional("kind", json)?.choice(json, of: Feed.Kind.self)
                            ?? .attendance
                    )
                }
                let secret = FeedText.secret()
                return try await desk.perform(
                    .feeds(.add(hash: FeedText.hash(of: secret), user: user, kind: kind)),
                    for: request
                ) { written, _ in
                    try Reading.answer(
                        NewFeed(id: try written.rows.first ?? 0, path: "/feeds/\(secret).ics"),
                        status: 201)
                }
            },
            Route(
                .delete, "/api/v1/feeds/{id}", .rosterWrite,
                about: RouteText(
                    "Refuses a calendar from now on.", status: 204, type: nil,
                    refusals: [.notFound])
            ) { request in
                _ = try await desk.perform(
                    .feeds(.revoke(try Self.number(request, "feed"))), for: request)
                return Reading.nothing
            },
        ]
    }

    // MARK: Reading

    /// What changes locked days has to say so.
    private static let force = RouteText.Field(
        "force", .flag, "Also where days change that are locked, which the audit says.")

    private static func last(
        _ request: RouteRequest
    ) throws -> (day: LocalDate, force: Bool) {
        try Reading.body(request, known: ["last", "force"]) {
            (object, json) throws(PayloadError) in
            (
                try object.required("last", json).date(json),
                try object.optional("force", json)?.flag(json) ?? false
            )
        }
    }

    /// The number in the path.
    private static func number(
        _ request: RouteRequest, _ what: String
    ) throws(RouteProblem) -> Int64 {
        guard let number = request.parameters["id"].flatMap({ Int64($0) }) else {
            throw RouteProblem(.notFound, "There is no such \(what).")
        }
        return number
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Store) throws -> Value
    ) async throws -> Value {
        try await Blocking.run { [store = desk.store] in try body(store) }
    }
}

extension JSONValue {
    /// A day of the calendar, such as 2026-03-29.
    func date(_ json: Span<UInt8>) throws(PayloadError) -> LocalDate {
        guard let date = LocalDate(try text(json, limit: 10)) else {
            throw .unknownValue(field: "\(name) (a date like 2026-03-29)")
        }
        return date
    }
}
