import Operations
import Permissions
import Records
import Registry
import SiteModel
import SiteStore

// Who carried which beacon, and what it was recognised by.

extension Operation {
    static let beaconHistory = [
        Operation(
            "beacon-bindings", "/api/v1/beacons/{id}/bindings", .peopleRead,
            "Who carried a beacon from when until when, oldest first.", .of(OfBeacon.self),
            answer: .rows("bindings"), refusals: [.notFound]
        ) { asked, _, store in
            guard let lines = try BeaconHistory(store).bindings(of: asked.beacon) else {
                throw BooksRefusal(.notFound, "there is no such beacon")
            }
            return lines
        },
        Operation(
            "beacon-identities", "/api/v1/beacons/{id}/identities", .peopleRead,
            "What a beacon was recognised by from when until when, oldest first.",
            .of(OfBeacon.self), answer: .rows("identities"), refusals: [.notFound]
        ) { asked, _, store in
            guard let lines = try BeaconHistory(store).identities(of: asked.beacon) else {
                throw BooksRefusal(.notFound, "there is no such beacon")
            }
            return lines
        },
        Operation(
            "beacon-places", "/api/v1/beacons/{id}/places", .peopleRead,
            "Where a beacon was fixed from when until when, oldest first.", .of(OfBeacon.self),
            answer: .rows("places"), refusals: [.notFound]
        ) { asked, _, store in
            guard let lines = try BeaconHistory(store).places(of: asked.beacon) else {
                throw BooksRefusal(.notFound, "there is no such beacon")
            }
            return lines
        },
        Operation(
            "beacon-levels", "/api/v1/beacons/{id}/levels", .attendanceRead,
            "How loud a beacon was at each node in the last hours, from what nodes kept, and where its carriers were decided "
                + "to be.",
            .of(LevelsAsked.self), answer: .row, refusals: [.notFound]
        ) { asked, caller, store in
            let now = caller.asker.at
            let interval = Interval(from: now - .seconds(Double(asked.hours) * 3600), to: now)
            guard let told = try LevelHistory(store).told(of: asked.beacon, in: interval) else {
                throw BooksRefusal(.notFound, "there is no such beacon")
            }
            return told
        },
        Operation(
            "identity-history", "/api/v1/identities/{identity}", .peopleRead,
            "Which beacons were ever recognised by something, such as mac-…, oldest first.",
            .of(OfIdentity.self), answer: .rows("identities")
        ) { asked, _, store in
            try BeaconHistory(store).beacons(knownBy: asked.identity)
        },
    ]
}

private struct OfBeacon: OperationInput {
    var beacon = ""

    static let members: [Member<OfBeacon>] = [.needed("id", .anyText, \.beacon)]
}

private struct LevelsAsked: OperationInput {
    var beacon = ""
    var hours: Int64 = 24

    static let members: [Member<LevelsAsked>] = [
        .needed("id", .anyText, \.beacon),
        .preset(
            "hours", .integer(1...72), \.hours,
            "How many, 24 if not said."),
    ]
}

extension LevelHistory.Told: OperationOutput {
    package static let members: [Member<LevelHistory.Told>] = [
        .told("from_ms", Form<Timestamp>.time, from: \.from),
        .told("to_ms", Form<Timestamp>.time, from: \.to),
        .told("step_s", .number, "How long a span is.") { $0.step.seconds },
        .told(
            "nodes", .list(.object), "Which hear it, those that heard it most first.", from: \.nodes
        ),
        .told(
            "stays", .list(.object),
            "Where its carriers were decided to be, by rooms and by stations.",
            from: \.stays),
    ]
}

extension LevelHistory.Hearer: OperationOutput {
    package static let members: [Member<LevelHistory.Hearer>] = [
        .told("node", .slug, from: \.node),
        .told("levels", .list(.object), "Of each span in which it was heard.", from: \.levels),
    ]
}

extension LevelHistory.Level: OperationOutput {
    package static let members: [Member<LevelHistory.Level>] = [
        .told("at_ms", Form<Timestamp>.time, "The middle of the span.", from: \.at),
        .told("mean_dbm", .number, from: \.mean),
        .told("strongest_dbm", .number, "Of the loudest second.", from: \.strongest),
        .told("count", Form<Int>.count, "Advertisements.", from: \.count),
    ]
}

extension LevelHistory.Stay: OperationOutput {
    package static let members: [Member<LevelHistory.Stay>] = [
        .told("user", .slug, from: \.user), .toldIfAny("room", .slug, from: \.room),
        .toldIfAny("station", .slug, from: \.station),
        .told("from_ms", Form<Timestamp>.time, from: \.from),
        .toldIfAny("to_ms", Form<Timestamp>.time, "Not there while they are there.", from: \.to),
    ]
}

private struct OfIdentity: OperationInput {
    var identity = ""

    static let members: [Member<OfIdentity>] = [.needed("identity", .anyText, \.identity)]
}

extension BeaconHistory.Bound: OperationOutput {
    package static let members: [Member<BeaconHistory.Bound>] = [
        .told("user", .slug, from: \.user), .told("from_ms", Form<Int64>.time, from: \.from_ms),
        .toldIfAny(
            "to_ms", Form<Int64>.time, "Not there while they carry it.", from: \.to_ms),
    ]
}

extension BeaconHistory.Fixed: OperationOutput {
    package static let members: [Member<BeaconHistory.Fixed>] = [
        .toldIfAny("room", .slug, from: \.room), .toldIfAny("station", .slug, from: \.station),
        .told("from_ms", Form<Int64>.time, from: \.from_ms),
        .toldIfAny("to_ms", Form<Int64>.time, "Not there while it hangs there.", from: \.to_ms),
    ]
}

extension BeaconHistory.Known: OperationOutput {
    package static let members: [Member<BeaconHistory.Known>] = [
        .told("beacon", .slug, from: \.beacon), .told("identity", .anyText, from: \.identity),
        .told("from_ms", Form<Int64>.time, from: \.from_ms),
        .toldIfAny("to_ms", Form<Int64>.time, "Not there while it holds.", from: \.to_ms),
    ]
}
