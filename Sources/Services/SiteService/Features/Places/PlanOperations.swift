import Operations
import Records
import Registry
import SiteModel
import SiteStore

// Where rooms, stations and nodes are, in metres: drawn and moved all together.

extension Operation {
    static let plan = [
        Operation(
            "plan-show", "/api/v1/plan", .placesRead, about: .each,
            "Where rooms, stations and nodes on walls are, with the ETag of all of it.",
            .of(Nothing.self), answer: .shown(answer)
        ) { _, _, store in
            let plan = try drawn(store)
            return ShownRow(plan, shown: plan)
        },
        Operation(
            "plan-change", .patch, "/api/v1/plan", .placesWrite,
            "Moves rooms, stations and nodes, as one revision; null takes a place away.",
            GivenRows.input([.rooms, .stations, .nodes]) {
                .list(.object($0.placed(isChange: true)))
            },
            answer: .shown(answer), refusals: [.notFound, .preconditionFailed]
        ) { given, caller, store in
            let before = try drawn(store)
            for (kind, rows) in given.rows {
                let known = kind.placed(isChange: true).map(\.name)
                for row in rows {
                    guard let other = row.keys.subtracting(known).min() else { continue }
                    throw BooksRefusal(
                        .schema,
                        "\(kind.name): \(other.quoted) is no place; there is \(known.joined(separator: ", "))"
                    )
                }
            }
            _ = try RowEdit.patchAll(given.rows).perform(by: caller, in: store)
            try refuseOverlaps(of: given.rows[0].rows.compactMap { $0["id"]?.string }, store)
            // What can never be is refused whatever the plan is by now.
            guard caller.tag.map({ $0 == "*" || $0 == RowEdit.tag(before) }) ?? true else {
                throw BooksRefusal.changed
            }
            let plan = try drawn(store)
            return ShownRow(plan, shown: plan)
        },
    ]

    private static let answer: [Parameter] = [SiteCollection.rooms, .stations, .nodes].map {
        .always($0.name, .list(.object($0.placed(isChange: false))))
    }

    /// Places of everything that has an id; nodes that people carry have none.
    private static func drawn(_ store: Store) throws -> SiteTree {
        .section(
            try [SiteCollection.rooms, .stations, .nodes].map { kind in
                let known = Set(kind.placed(isChange: false).map(\.name))
                let rows = try SiteRows(store).all(kind).filter { $0["user"] == nil }
                return (kind.name, .list(rows.map { $0.only(known) }))
            })
    }

    /// How far two rooms may be in each other, in metres: walls are drawn by hand.
    private static let tolerance = 0.1

    private static func refuseOverlaps(of rooms: [String], _ store: Store) throws {
        guard !rooms.isEmpty else { return }
        let all = try SiteRows(store).all(.rooms).compactMap { row in
            row.area.map { (id: row["id"]?.string ?? "", area: $0, storey: row["storey"]?.json) }
        }
        for (index, one) in all.enumerated() {
            for other in all.dropFirst(index + 1)
            where (rooms.contains(one.id) || rooms.contains(other.id))
                && one.storey == other.storey && one.area.overlaps(other.area, by: tolerance)
            {
                throw BooksRefusal(
                    .schema, "rooms: \(one.id.quoted) and \(other.id.quoted) lie on each other")
            }
        }
    }
}

extension SiteCollection {
    /// The members that say where a row is, with its id.
    fileprivate func placed(isChange: Bool) -> [Parameter] {
        members.filter { ["id", "area_m", "storey", "x_m", "y_m"].contains($0.name) }.map {
            member in
            guard member.name != "id" else { return member }
            var member = member.optional
            member.isNullable = isChange
            return member
        }
    }
}

extension SiteTree {
    /// What a room covers.
    fileprivate var area: Area? {
        let numbers = self["area_m"]?.items?.compactMap { Double($0.json) }
        return numbers.flatMap { try? Area(numbers: $0) }
    }
}
