import GRDB
import Records
import SiteModel

/// New rows of one collection, read by its rules all together: what is wrong is told of each by its place.
struct RowBatch {
    /// So many faults at most are told at once.
    private static let mostFaults = 8

    private let kind: SiteCollection
    private let rules: RowRules
    private let db: Database

    init(_ kind: SiteCollection, _ db: Database) {
        self.kind = kind
        self.db = db
        rules = RowRules(db)
    }

    /// The rows as they become.
    ///
    /// - Throws: A `BooksRefusal`, `schema`, with up to eight faults such as `users[3]: …`, counted from 0; a
    ///   `DatabaseError`.
    func read(_ rows: [SiteTree]) throws -> [RowChange] {
        guard try RowTable(kind).count(db) + rows.count <= kind.most else {
            throw BooksRefusal(.schema, "a site has \(kind.most) \(kind.name) at most")
        }
        var taken = Set(
            try db.rows("SELECT slug FROM \(kind.table) WHERE retired_ms IS NULL") {
                $0["slug"] as String
            })
        var identities = Identities()
        var changes: [RowChange] = []
        var faults: [String] = []
        for (place, row) in rows.enumerated() {
            guard faults.count < Self.mostFaults else { break }
            do {
                let row = try rules.read(row, of: kind)
                if !taken.insert(row["id"]?.string ?? "").inserted {
                    throw BooksRefusal(
                        .schema, "id: there is a \(kind.one) \((row["id"]?.string ?? "").quoted)")
                }
                if let text = row["identity"]?.string, let identity = Identity(text: text) {
                    try identities.add(identity)
                }
                changes.append(RowChange(kind, before: nil, after: row))
            } catch let refusal as BooksRefusal {
                faults.append("\(kind.name)[\(place)]: \(refusal.text)")
            }
        }
        guard faults.isEmpty else {
            throw BooksRefusal(.schema, faults.joined(separator: "; "))
        }
        return changes
    }

    /// What the rows are recognised by, none of which may be another's.
    private struct Identities {
        private var texts: Set<String> = []
        private var stems: Set<String> = []

        mutating func add(_ identity: Identity) throws(BooksRefusal) {
            guard !identity.isTriedInOrder else {
                throw BooksRefusal(
                    .schema, "identity: masks and names are added one by one, as their order counts"
                )
            }
            let own = identity.stems.map(\.text)
            guard !stems.contains(identity.text), texts.isDisjoint(with: own),
                texts.insert(identity.text).inserted
            else { throw BooksRefusal(.schema, "identity: another of these has it already") }
            stems.formUnion(own)
        }
    }
}
