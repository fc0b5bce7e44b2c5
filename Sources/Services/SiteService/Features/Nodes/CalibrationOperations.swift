import Basics
import Operations
import Records
import Registry
import SiteModel
import SiteStore

// What was taught about places: models, and what is gathered for the next one. Gathering and learning take minutes and
// are verbs, `beaconmesh calibrate`.

extension Operation {
    static let calibration = [
        Operation(
            "calibration-show", "/api/v1/calibration", .calibrationRead,
            "Models, newest first, and the seconds that are gathered of each place.",
            .of(Nothing.self), answer: .row
        ) { _, _, store in
            Taught(
                models: try ModelTable(store).models(), survey: try ModelTable(store).gathered())
        },
        Operation(
            "calibration-rollback", .post, "/api/v1/calibration/rollback", .calibrationWrite,
            "Puts an older model back in force; 0 is none.", .of(Revision.self), answer: .nothing,
            refusals: [.notFound]
        ) { asked, caller, store in
            _ = try ModelTable(store).perform(.rollBack(asked.revision), at: caller.moment)
        },
        Operation(
            "calibration-discard", .post, "/api/v1/calibration/discard", .calibrationWrite,
            "Drops what was gathered since the model in force was learned.", .of(Nothing.self),
            answer: .row
        ) { _, caller, store in
            Dropped(seconds: try ModelTable(store).perform(.discardSurvey, at: caller.moment))
        },
        Operation(
            "calibration-forget", .post, "/api/v1/calibration/forget", .calibrationWrite,
            "Drops what was gathered at one place; the model in force stays.",
            .of(TaughtPlace.self),
            answer: .row, refusals: [.notFound]
        ) { asked, caller, store in
            let table = ModelTable(store)
            guard let place = try table.place(room: asked.room, station: asked.station) else {
                throw BooksRefusal(.notFound, "there is no such place")
            }
            return Dropped(seconds: try table.perform(.forgetSurvey(place), at: caller.moment))
        },
    ]
}

private struct Taught: OperationOutput {
    var models: [ModelRow]
    var survey: [GatheredRow]

    static let members: [Member<Taught>] = [
        .needed("models", .list(.object), \.models), .needed("survey", .list(.object), \.survey),
    ]
}

extension ModelRow: OperationOutput {
    package static let members: [Member<ModelRow>] = [
        .needed("revision", .count, \.revision), .needed("at_ms", .time, \.at),
        .needed("in_force", .flag, \.isApplied), .needed("places", .count, \.places),
        .needed("seconds", .count, \.seconds),
        .optional("expected_accuracy", .number, \.accuracy, "From 0 to 1."),
    ]
}

extension GatheredRow: OperationOutput {
    package static let members: [Member<GatheredRow>] = [
        .needed("room", .slug, \.room), .optional("station", .slug, \.station),
        .needed("seconds", .count, \.seconds),
    ]
}

private struct Revision: OperationInput {
    var revision: Int64 = 0

    static let members: [Member<Revision>] = [.needed("revision", .count, \.revision)]
}

private struct Dropped: OperationOutput {
    var seconds: Int64

    static let members: [Member<Dropped>] = [
        .needed("seconds", .count, \.seconds, "So many.")
    ]
}

private struct TaughtPlace: OperationInput {
    var room = ""
    var station: String?

    static let members: [Member<TaughtPlace>] = [
        .needed("room", .reference("rooms"), \.room),
        .optional(
            "station", .reference("stations"), \.station,
            "The floor away from the stations if not given."),
    ]
}
