import Basics
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

/// Somebody; whoever asks, if it is left out.
struct OfSomebody: OperationInput {
    var user: String?

    static let members: [Member<OfSomebody>] = [.whose(\.user)]
}

extension Member {
    /// Of whom something is asked.
    static func whose(_ path: WritableKeyPath<Row, String?> & Sendable) -> Member {
        .optional(
            "user", .reference("users"), path,
            "Whose; only of oneself it may be left out.")
    }
}

extension Form where Value == LocalDate {
    /// A day whose moments can be told.
    static let day = parsed(
        .date, upTo: 10, "a day such as 2026-03-29, of the years 1971 to 9998"
    ) { text in
        LocalDate(text).flatMap { (1971...9998).contains($0.parts.year) ? $0 : nil }
    } text: {
        "\($0)"
    }
}
