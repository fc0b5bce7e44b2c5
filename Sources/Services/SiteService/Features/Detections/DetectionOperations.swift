import Detections
import Operations
import Records
import SiteModel
import SiteStore

// Strangers' devices that were found: to look through, and to delete.

extension Operation {
    static let detections = [
        Operation(
            "detection-list", "/api/v1/detections", .detections,
            "Strangers' devices that were found, a row a visit.", .of(DetectionsAsked.self),
            answer: .row
        ) { asked, _, store in
            let (rows, next) = try Detections(store).page(try asked.filter, most: asked.limit)
            return DetectionPage(detections: rows, next: next?.text)
        },
        Operation(
            "detection-show", "/api/v1/detections/{id}", .detections,
            "One visit of a device, and which nodes heard it.", .of(Numbered.self), answer: .row,
            refusals: [.notFound]
        ) { asked, _, store in
            guard let (one, hearers) = try Detections(store).one(asked.id) else {
                throw BooksRefusal.noDetection
            }
            return DetectionWhole(detection: one, nodes: hearers)
        },
        Operation(
            "detection-delete", .delete, "/api/v1/detections/{id}", .detections,
            "Deletes what is stored of a visit.", .of(Numbered.self), answer: .nothing,
            refusals: [.notFound]
        ) { asked, caller, store in
            guard try Detections(store).delete(asked.id, by: caller.asker) else {
                throw BooksRefusal.noDetection
            }
        },
        Operation(
            "detection-forget", .post, "/api/v1/detections/forget", .detections,
            "Deletes all visits, or those of a type, or those heard last before a moment; \(Detections.mostForgotten) at once.",
            .of(DetectionsForgotten.self), answer: .row
        ) { asked, caller, store in
            let count = try Detections(store).forget(
                type: asked.type, before: asked.before, by: caller.asker)
            return ForgottenCount(count: count, hasMore: count == Detections.mostForgotten)
        },
    ]
}

extension BooksRefusal {
    fileprivate static let noDetection = BooksRefusal(.notFound, "there is no such detection")
}

struct DetectionsAsked: OperationInput {
    var text: String?
    var type: String?
    var node: String?
    var room: String?
    var source: String?
    var from: Timestamp?
    var until: Timestamp?
    var order = DetectionFilter.Order.newest
    var limit = 50
    var cursor: String?

    /// What it asks for.
    ///
    /// - Throws: A `BooksRefusal`.
    var filter: DetectionFilter {
        get throws {
            var filter = DetectionFilter()
            if let text, !text.isEmpty {
                guard text.unicodeScalars.count >= DetectionFilter.shortest else {
                    throw BooksRefusal(
                        .badRequest, "q: \(DetectionFilter.shortest) characters or more expected")
                }
                // Addresses are kept without what stands between their digits.
                let digits = text.filter { $0 != ":" && $0 != "-" }
                filter.text =
                    text.contains(/^[0-9A-Fa-f]{2}([:-][0-9A-Fa-f]{2})+$/) ? digits : text
            }
            (filter.type, filter.node, filter.room, filter.source) = (type, node, room, source)
            (filter.from, filter.until, filter.order) = (from, until, order)
            if let cursor {
                guard let place = DetectionFilter.Place(cursor) else {
                    throw BooksRefusal(
                        .badRequest, "cursor: what `next` of an answer said expected")
                }
                filter.after = place
            }
            return filter
        }
    }

    static let members: [Member<DetectionsAsked>] = [
        .optional(
            "q", .text(0...100), \.text,
            "A text of three characters or more in the name, the network, the address or what is said of it; of more than \(Detections.mostFound) that have it the newest."
        ),
        .optional("type", .slug, \.type), .optional("node", .slug, \.node),
        .optional("room", .slug, \.room),
        .optional("source", .slug, \.source, "mesh for our nodes, or an external detector."),
        .optional("from_ms", .time, \.from, "Last heard then or later."),
        .optional("to_ms", .time, \.until, "Last heard before then."),
        .preset("sort", .word, \.order), .preset("limit", .integer(1...500), \.limit),
        .optional("cursor", .text(1...64), \.cursor, "`next` of the answer before."),
    ]
}

private struct DetectionsForgotten: OperationInput {
    var type: String?
    var before: Timestamp?

    static let members: [Member<DetectionsForgotten>] = [
        .optional("type", .slug, \.type), .optional("before_ms", .time, \.before),
    ]
}

private struct ForgottenCount: OperationOutput {
    var count: Int
    var hasMore: Bool

    static let members: [Member<ForgottenCount>] = [
        .told("count", .count, "How many.") { Int64($0.count) },
        .told("more", .flag, "There may be more: ask again.", from: \.hasMore),
    ]
}

private struct DetectionPage: OperationOutput {
    var detections: [Detection]
    var next: String?

    static let members: [Member<DetectionPage>] = [
        .needed("detections", .list(.object), \.detections),
        .optional("next", .anyText, \.next, "What to ask for as `cursor`; not there at the end."),
    ]
}

private struct DetectionWhole: OperationOutput {
    var detection: Detection
    var nodes: [Detection.Hearer]

    static let members: [Member<DetectionWhole>] = [
        .told("detection", .object, from: \.detection),
        .told("nodes", .list(.object), "Who heard it, the best first.", from: \.nodes),
    ]
}

extension Detection: OperationOutput {
    package static let members: [Member<Detection>] = [
        .needed("id", .count, \.id),
        .needed("source", .anyText, \.source, "mesh for our nodes, or an external detector."),
        .optional("source_id", .anyText, \.sourceID, "What the detector calls it."),
        .optional("type", .slug, \.type),
        .optional("said", .anyText, \.said, "What the detector says that it is."),
        .optional(
            "address", .anyText, \.address, "12 digits; after a day x- and what it is known by."),
        .optional("name", .anyText, \.name), .optional("ssid", .anyText, \.ssid),
        .optional("rssi", .number, \.rssi, "The strongest, in dBm."),
        .optional("confidence", .number, \.confidence, "How sure the type is, 0 to 1."),
        .optional("latitude", .number, \.latitude, "In degrees."),
        .optional("longitude", .number, \.longitude, "In degrees."),
        .optional("speed_m_s", .number, \.speed),
        .optional("heading_deg", .number, \.heading),
        .optional("activity", .anyText, \.activity),
        .optional(
            "position_age_ms", .count, \.positionAge,
            "How long before that the position was measured, if it is that of the carrier's phone."
        ), .needed("first_ms", .time, \.first),
        .needed("last_ms", .time, \.last),
        .needed("hits", .count, \.hits, "How many advertisements were heard."),
        .optional("node", .slug, \.node, "Which heard it best."),
        .optional("room", .slug, \.room),
    ]
}

extension Detection.Hearer: OperationOutput {
    package static let members: [Member<Detection.Hearer>] = [
        .needed("node", .slug, \.node), .needed("rssi", .number, \.rssi, "The strongest, in dBm."),
        .needed("hits", .count, \.hits), .needed("first_ms", .time, \.first),
        .needed("last_ms", .time, \.last),
    ]
}
