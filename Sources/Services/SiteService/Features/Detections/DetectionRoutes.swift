import Detections
import JSON
import Operations
import Permissions
import SiteModel
import SiteStore
import WebServer
import Wire

/// Detections as files, and those that external detectors send.
struct DetectionRoutes: Sendable {
    /// The most detections of a request.
    static let most = 500
    private static let longestBody = 512 * 1024
    /// So many rows are read at once for a file.
    private static let piece = 500

    private let desk: WriteDesk
    private let intake: DetectionIntake

    init(_ desk: WriteDesk, _ intake: DetectionIntake) {
        self.desk = desk
        self.intake = intake
    }

    var all: [Route] {
        [
            Route(
                .get, "/api/v1/detection-files/{format}", .detections,
                about: RouteText(
                    "Detections as a file, whole: \(Self.formats). gpx and wigle have those with a position; what json and "
                        + "jsonl have of one source can be sent again.",
                    query: DetectionsAsked.members.map(\.parameter).filter {
                        !["limit", "cursor", "sort"].contains($0.name)
                    }, type: "application/octet-stream", refusals: [.notFound])
            ) { try await file($0) },
            Route(
                .post, "/api/v1/detections", .detecting, longestBody: Self.longestBody,
                about: RouteText(
                    "Takes what an external detector found, each by itself and once: what it sends again is known by its id.",
                    body: [
                        .init("source", .slug, isNeeded: true, "What the detector is called."),
                        .init(
                            "detections", .list(.value), isNeeded: true,
                            "At most \(Self.most) objects of \(DetectionBody.names.joined(separator: ", ")); also the names "
                                + "\(DetectionBody.others.joined(separator: ", ")). What is wrong with one refuses that one alone."
                        ),
                    ],
                    answer: [
                        .always(
                            "results",
                            .list(
                                .object([
                                    .always("id", .anyText),
                                    .init("detection", .count, "Its row."),
                                    .init("known", .flag, "It was sent before."),
                                    .init("code", .anyText, "Why it is refused."),
                                    .init("detail", .anyText, "What is wrong with it."),
                                ])), "In the order of what was sent.")
                    ], refusals: [.rateLimited, .tooLarge], isPure: true)
            ) { try await take($0) },
        ]
    }

    private static let formats = DetectionWriter.Format.allCases.map(\.rawValue)
        .joined(separator: ", ")

    // MARK: Files

    private func file(_ request: RouteRequest) async throws -> RouteAnswer {
        guard let format = DetectionWriter.Format(rawValue: request.parameters["format"] ?? "")
        else { throw RouteProblem(.notFound, "A file is one of \(Self.formats).") }
        var filter: DetectionFilter
        do {
            let form = InputForm.of(DetectionsAsked.self)
            filter = try form.read(Given(query: request.query)).filter
            filter.order = .stored
        } catch let refusal as any Refusing {
            throw RouteProblem(refusal)
        }
        let (type, name) =
            switch format {
            case .csv: ("text/csv; charset=utf-8; header=present", "detections.csv")
            case .wigle: ("text/csv; charset=utf-8", "wigle.csv")
            case .json: ("application/json", "detections.json")
            case .jsonl: ("application/x-ndjson", "detections.jsonl")
            case .gpx: ("application/gpx+xml", "detections.gpx")
            }
        return RouteAnswer(
            contentType: type,
            headers: [("Content-Disposition", "attachment; filename=\"\(name)\"")],
            body: .stream { [store = desk.store, filter] write in
                var filter = filter
                var writer = DetectionWriter(format)
                writer.begin()
                while true {
                    let asked = filter
                    let (rows, next) = try await Blocking.run {
                        try Detections(store).page(asked, most: Self.piece)
                    }
                    for row in rows { writer.add(row) }
                    guard let next else { break }
                    filter.after = next
                    try await write(Array(writer.take().utf8)[...])
                }
                writer.end()
                try await write(Array(writer.take().utf8)[...])
            })
    }

    // MARK: External detectors

    private func take(_ request: RouteRequest) async throws -> RouteAnswer {
        let now = desk.clock.now
        let bodies = try Reading.body(
            request, known: ["source", "detections"], limit: .max
        ) { (object, json) throws(PayloadError) in
            let source = try object.required("source", json).slug(json)
            guard source != Detection.mesh else { throw PayloadError.unknownValue(field: "source") }
            let bodies = try object.required("detections", json).list(json, atMost: Self.most) {
                (value, json) throws(PayloadError) in
                try DetectionBody(
                    value.object(json), json, of: source, by: request.visitor?.principal.user,
                    at: now)
            }
            return bodies
        }
        if let seconds = intake.wait(for: bodies.count, of: request.caller.name) {
            throw RouteProblem(
                .rateLimited,
                "More than \(DetectionIntake.aMinute) detections came within a minute. Nothing of this request is stored: send it "
                    + "again in \(seconds) s.", retryAfter: seconds)
        }
        let stored = try await intake.store(bodies.compactMap(\.detection))
        var rows = stored[...]
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("results")
        writer.beginArray()
        for body in bodies {
            writer.beginObject()
            writer.field("id", body.id)
            if let fault = body.fault {
                writer.field("code", ProblemCode.schema.rawValue)
                writer.field("detail", fault)
            } else {
                switch rows.popFirst() {
                case .new(let row)?: writer.field("detection", row)
                case .known(let row)?:
                    writer.field("detection", row)
                    writer.field("known", true)
                case nil: break
                }
            }
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return .json(String(decoding: writer.bytes, as: UTF8.self) + "\n")
    }
}
