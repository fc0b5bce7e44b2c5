import Operations
import Records
import Registry
import SiteModel
import SiteStore

// People and their tags, many at once: all of them or none.

extension Operation {
    static let people = [
        Operation(
            "people-add", .post, "/api/v1/people", .peopleWrite,
            "Adds people and tags, all of them or none; a refusal names each by its place.",
            GivenRows.input([.users, .beacons]) { .list(.object($0.sent)) }, answer: .row
        ) { given, caller, store in
            for (kind, rows) in given.rows where !rows.isEmpty {
                _ = try RowEdit.addAll(kind, rows).perform(by: caller, in: store)
            }
            return RowCounts(given)
        },
        Operation(
            "people-retire", .post, "/api/v1/people/retire", .peopleWrite,
            "Retires people and tags, all of them or none. \(whoNeedsAccounts)",
            GivenRows.input([.users, .beacons]) { .list(.reference($0.name)) }, answer: .row,
            refusals: [.notFound]
        ) { given, caller, store in
            let people = Set(given.rows[0].rows.compactMap(\.string))
            try refuse({ people.contains($0) }, toLeaveBy: caller, in: store)
            // What somebody carries is retired before them.
            for (kind, rows) in given.rows.reversed() where !rows.isEmpty {
                let slugs = rows.compactMap(\.string)
                _ = try RowEdit.retireAll(kind, slugs).perform(by: caller, in: store)
            }
            return RowCounts(given)
        },
    ]
}

private struct RowCounts: OperationOutput {
    var users: Int
    var beacons: Int

    init(_ given: GivenRows) {
        users = given.rows[0].rows.count
        beacons = given.rows[1].rows.count
    }

    static let members: [Member<RowCounts>] = [
        .told("users", .count) { $0.users }, .told("beacons", .count) { $0.beacons },
    ]
}
