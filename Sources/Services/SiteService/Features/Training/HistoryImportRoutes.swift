import Basics
import JSON
import Operations
import Reporting
import SiteModel
import SiteStore
import WebServer
import Wire
import Workouts

/// What somebody trained elsewhere, taken in.
package struct HistoryImportRoutes: Sendable {
    /// The longest body, in bytes: the longest file, and what JSON makes of its quotes and line ends.
    private static let longestBody = HistoryFile.mostBytes + (2 << 20)
    /// Remarks, unknown names and workouts left out of one answer.
    private static let mostListed = 1000

    private let desk: WriteDesk
    /// The slugs of those who let trainers see what they train.
    private let sharing: @Sendable () -> Set<String>

    package init(_ desk: WriteDesk, sharing: @escaping @Sendable () -> Set<String>) {
        self.desk = desk
        self.sharing = sharing
    }

    package var all: [Route] {
        [
            Route(
                .post, "/api/v1/workouts/import", .workoutsWrite, whose: .query("user"),
                longestBody: Self.longestBody,
                about: RouteText(
                    "Takes in what somebody trained elsewhere: a CSV file of the export of this program, of Strong "
                        + "or of Hevy. Nothing is stored while a name is unknown. What is there is not taken "
                        + "again.",
                    query: [.init("user", .slug, "Whose; only of oneself it may be left out.")],
                    body: Order.members, answer: Self.answer,
                    refusals: [.notFound, .consentRequired, .tooLarge])
            ) { try await take($0) }
        ]
    }

    private func take(_ request: RouteRequest) async throws -> RouteAnswer {
        let asked = try AskedQuery(request, allowed: ["user"])
        guard let user = asked.values["user"] ?? request.visitor?.principal.user else {
            throw RouteProblem(.badRequest, "user: whose is missing.")
        }
        if request.visitor?.principal.needsConsent(of: user, for: .workoutsWrite) ?? false,
            !sharing().contains(user)
        {
            throw Executor.notAgreed
        }
        let (store, now) = (desk.store, desk.clock.now)
        let (order, file, resolved) = try await WriteDesk.refusing {
            try await Blocking.run {
                let order = try Order(request.body)
                let (file, resolved) = try order.resolved(store, now: now)
                return (order, file, resolved)
            }
        }
        let run = HistoryImport(resolved.workouts, of: user, file.layout)
        let isStored = !order.isDry && (resolved.unknown.isEmpty || order.skipsUnknown)
        let counts =
            isStored
            ? try await desk.perform(.importHistory(run), for: request).counts
            : try await WriteDesk.refusing { try await Blocking.run { try run.foreseen(store) } }
        return await desk.note(
            .json(Self.text(file.layout, resolved, counts, isStored: isStored) + "\n"),
            to: request.caller)
    }
}

/// What is asked for with a file.
private struct Order: Sendable {
    static let members: [Parameter] = [
        .init("csv", .anyText, isNeeded: true, "The whole file, at most 5 MB and 50,000 rows."),
        .init(
            "exercises",
            .list(
                .object([
                    .init("name", .text(1...200), isNeeded: true, "As it stands in the file."),
                    .init("exercise", .slug, isNeeded: true),
                ])), "What names mean here, before all names of exercises."),
        .init(
            "weight_unit", .oneOf(HistoryUnits.Weight.self), "Of a file that does not name its own."
        ),
        .init("distance_unit", .oneOf(HistoryUnits.Distance.self), "The same of distances."),
        .init("skip_unknown", .flag, "Leaves out sets of exercises that nobody knows."),
        .init("dry_run", .flag, "Tells what would come of it, and stores nothing."),
    ]

    let csv: [UInt8]
    let names: [String: String]
    let units: HistoryUnits
    let skipsUnknown: Bool
    let isDry: Bool

    init(_ body: [UInt8]) throws(RouteProblem) {
        let json = body.span
        do throws(PayloadError) {
            let object = try JSONObject(document: json, limit: .max)
            let known = Set(Self.members.map(\.name))
            if let strange = try object.members(json).first(where: { !known.contains($0.name) }) {
                throw .unknownMember(field: strange.name)
            }
            csv = Array(try object.required("csv", json).text(json, limit: .max).utf8)
            let said = try object.optional("exercises", json)?.list(json) {
                (value, json) throws(PayloadError) -> (String, String) in
                let one = try value.object(json)
                return (
                    try one.required("name", json).text(json, limit: 200),
                    try one.required("exercise", json).slug(json)
                )
            }
            names = Dictionary(said ?? [], uniquingKeysWith: { first, _ in first })
            guard names.count == said?.count ?? 0 else {
                throw .unknownValue(field: "exercises (each name once)")
            }
            units = HistoryUnits(
                weight: try Self.word("weight_unit", object, json),
                distance: try Self.word("distance_unit", object, json))
            skipsUnknown = try object.optional("skip_unknown", json)?.flag(json) ?? false
            isDry = try object.optional("dry_run", json)?.flag(json) ?? false
        } catch {
            throw ProblemCode.problem("schema", "The body is refused: \(error.words).")
        }
    }

    private static func word<Word: RawRepresentable<String>>(
        _ name: String, _ object: JSONObject, _ json: Span<UInt8>
    ) throws(PayloadError) -> Word? {
        guard let text = try object.optional(name, json)?.text(json, limit: 8) else { return nil }
        guard let word = Word(rawValue: text) else { throw .unknownValue(field: name) }
        return word
    }

    /// The file, and what it means at the site.
    func resolved(_ store: Store, now: Timestamp) throws -> (HistoryFile, ResolvedHistory) {
        let calendar = try ReportDesk(store, now: now).context.calendar
        let file = try HistoryFile.read(csv, in: calendar, now: now, units: units)
        let site = try SiteExercises(store)
        let names = try ExerciseNames(site.names, map: names)
        return (
            file, ResolvedHistory(file, site.exercises, names, stations: site.stations)
        )
    }
}

extension HistoryImportRoutes {
    private static let answer: [Parameter] = [
        .always("stored", .flag, "false: nothing was, and the counts tell what would be."),
        .always("layout", .oneOf(HistoryFile.Layout.self)),
        .always("workouts", .count, "Stored, or with sets that were added."),
        .always("sets", .count, "Stored."),
        .always("known_sets", .count, "There already."),
        .always(
            "left_out", .list(.count),
            "Lines of workouts that were not taken: at that time there is another one."),
        .always(
            "unknown",
            .list(
                .object([
                    .always("name", .anyText), .always("sets", .count),
                    .always("suggestion", .slug, isNullable: true, "Written most like it."),
                ])), "Names that are no exercise of the site, at most 1000."),
        .always(
            "remarks",
            .list(
                .object([
                    .always("line", .count), .always("kind", .oneOf(HistoryFile.Remark.Kind.self)),
                ])), "What was left out or changed, at most 1000."),
        .always("remark_count", .count, "How many there are in all."),
    ]

    private static func text(
        _ layout: HistoryFile.Layout, _ resolved: ResolvedHistory, _ counts: HistoryImport.Counts,
        isStored: Bool
    ) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("stored", isStored)
        writer.field("layout", layout.rawValue)
        writer.field("workouts", counts.workouts)
        writer.field("sets", counts.sets)
        writer.field("known_sets", counts.knownSets)
        writer.key("left_out")
        writer.beginArray()
        for line in counts.leftOut.prefix(mostListed) { writer.integer(line) }
        writer.endArray()
        writer.key("unknown")
        writer.beginArray()
        for one in resolved.unknown.prefix(mostListed) {
            writer.beginObject()
            writer.field("name", one.name)
            writer.field("sets", one.sets)
            writer.field("suggestion", one.suggestion)
            writer.endObject()
        }
        writer.endArray()
        writer.key("remarks")
        writer.beginArray()
        for remark in resolved.remarks.prefix(mostListed) {
            writer.beginObject()
            writer.field("line", remark.line)
            writer.field("kind", remark.kind.rawValue)
            writer.endObject()
        }
        writer.endArray()
        writer.field("remark_count", resolved.remarks.count)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
