import Operations
import Permissions
import Records
import Registry
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

extension BeaconHistory.Known: OperationOutput {
    package static let members: [Member<BeaconHistory.Known>] = [
        .told("beacon", .slug, from: \.beacon), .told("identity", .anyText, from: \.identity),
        .told("from_ms", Form<Int64>.time, from: \.from_ms),
        .toldIfAny("to_ms", Form<Int64>.time, "Not there while it holds.", from: \.to_ms),
    ]
}
