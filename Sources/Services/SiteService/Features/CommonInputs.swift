import Operations

// What several operations are given.

/// Nothing.
struct Nothing: OperationInput {
    static let members: [Member<Nothing>] = []
}

/// The number of a row.
struct Numbered: OperationInput {
    var id: Int64 = 0

    static let members: [Member<Numbered>] = [.needed("id", .count, \.id)]
}

/// A person.
struct OfPerson: OperationInput {
    var user = ""

    static let members: [Member<OfPerson>] = [.needed("id", .reference("users"), \.user)]
}

/// Something by its name.
struct Named: OperationInput {
    var name = ""

    static let members: [Member<Named>] = [.needed("name", .anyText, \.name)]
}
