import Basics
import Operations
import Permissions
import SiteModel

/// A list of a site file whose rows are changed one by one, declared once: its routes with ETags, filters, sorting
/// and cursors, its verb, what descriptions say of its members, and its rights follow from it.
package struct SiteCollection: Sendable {
    /// Its key in the site file, and its level in a path.
    package let name: String
    /// What one of them is called.
    package let one: String
    /// The table of its rows.
    package var table: String { one }
    /// What people call one, among its members.
    package let label: String
    /// The members of a row as it is answered, in the order of the file; those that it always has are needed.
    package let members: [Parameter]
    /// Those without which none can be added.
    package let required: [String]
    package let read: Right
    package let write: Right
    /// The member that says whose a row is: members of the site may read their own. `nil`: rows are nobody's.
    package let owner: String?
    /// Whether a document holds its rows as they are (`SiteDocument.content`).
    package let isContent: Bool
    /// What members have that are left out.
    let presets: [String: SiteTree]
    /// How many rows a site may have.
    package let most: Int

    private init(
        _ name: String, one: String? = nil, label: String = "name", _ members: [Parameter],
        required: [String] = [], read: Right, write: Right, owner: String? = nil,
        isContent: Bool = false, presets: [String: SiteTree] = [:], most: Int
    ) {
        self.name = name
        self.one = one ?? String(name.dropLast())
        self.label = label
        self.members =
            [.always("id", .slug), .always(label, .text(1...120), "What people call it.")]
            + members
        self.required = ["id"] + required
        self.read = read
        self.write = write
        self.owner = owner
        self.isContent = isContent
        self.presets = presets
        self.most = most
    }

    package static let rooms = SiteCollection(
        "rooms",
        [.init("area_m", .list(.number), "Two opposite corners, x0, y0, x1, y1.")],
        read: .placesRead, write: .placesWrite, most: 256)

    package static let stations = SiteCollection(
        "stations",
        [
            .always("room", .reference("rooms")),
            .always("slots", .integer(1...64), "How many can use it at once."),
            .always("kind", .word(StationKind.allCases.map(\.rawValue))),
            .init("equipment", .text(1...120), "What is there, such as a bar and plates."),
            .init("location", .text(1...120), "Where to find it."),
            .init("exercises", .list(.reference("exercises")), "What is done there, in order."),
            .always(
                "auto_start_s", .integer(5...600), isNullable: true,
                "After how long there a workout begins by itself; null: never."),
            .always(
                "auto_pause_s", .integer(1...86_400), isNullable: true,
                "After how long away it pauses by itself, 120 s if not said; null: never."),
            .always(
                "claim_grace_s", .integer(1...86_400),
                "How long an offered slot is kept, 120 s if not said."),
            .init("x_m", .number), .init("y_m", .number),
        ], required: ["room"], read: .placesRead, write: .placesWrite,
        presets: [
            "kind": .text("other"), "auto_pause_s": .scalar("120"), "claim_grace_s": .scalar("120"),
        ], most: 1024)

    package static let nodes = SiteCollection(
        "nodes",
        [
            .init("role", .word(["fixed", "mobile"]), "Not there of a fixed one."),
            .always("room", .reference("rooms")), .init("station", .reference("stations")),
            .init("user", .reference("users"), "Who carries it."), .init("x_m", .number),
            .init("y_m", .number),
        ], read: .placesRead, write: .placesWrite, most: 256)

    package static let users = SiteCollection(
        "users", [.init("consent", .text(1...64), "To which text.")],
        read: .peopleRead, write: .peopleWrite, owner: "id", most: 10_000)

    package static let beacons = SiteCollection(
        "beacons", label: "title",
        [
            .always("identity", .text(1...256), "What it is recognised by."),
            .init("user", .reference("users"), "Who carries it."),
            .init("until", .text(1...40), "Until when, in UTC."),
            .init("room", .reference("rooms")), .init("station", .reference("stations")),
            .init("threshold_dbm", .number, "From which level on it is near."),
        ], required: ["identity"], read: .peopleRead, write: .peopleWrite, owner: "user", most: 4096
    )

    package static let exercises = SiteCollection(
        "exercises",
        [
            .init("names", .map(.text(1...120)), "What it is called in other languages."),
            .always("measure", .word(["reps", "time", "distance"]), "What a set of it counts."),
            .always("load", .word(["weight", "bodyweight", "none"])),
            .always("increment_kg", .kilograms(1...100_000), "The smallest step of its weight."),
            .always("rest_s", .integer(1...3600), "The usual rest after a set."),
            .init("muscles", .list(.word(muscles)), "The first is the main one."),
            .init("met", .decimal(0.5...30), "Its metabolic equivalent."),
            .init("note", .text(1...500)),
        ], read: .placesRead, write: .placesWrite, isContent: true,
        presets: [
            "measure": .text("reps"), "load": .text("weight"), "increment_kg": .scalar("2.5"),
            "rest_s": .scalar("90"),
        ], most: 2000)

    private static let muscles = [
        "chest", "back", "shoulders", "biceps", "triceps", "forearms", "core", "glutes",
        "quadriceps", "hamstrings", "calves", "full-body", "cardio",
    ]

    /// All of them, what is referred to before what refers to it.
    package static let all = [rooms, exercises, stations, nodes, users, beacons]

    /// The one that changes of a kind of thing are of; `nil` for those of the site itself.
    package static func of(_ subject: Change.Subject) -> SiteCollection? {
        all.first { $0.one == subject.rawValue }
    }

    /// The one of a name.
    package static func named(_ name: String) -> SiteCollection? { all.first { $0.name == name } }

    /// What of a row, or of some members of one, can never be: an unknown member, or a value of another type; `nil` if
    /// nothing is.
    package func fault(in row: SiteTree) -> String? {
        guard case .section(let sent) = row else { return "An object is expected" }
        for (key, value) in sent {
            guard let member = members.first(where: { $0.name == key }) else {
                let near = Suggestion.nearest(to: key, among: members.map(\.name))
                return "\(key.quoted) is no member of a \(one)"
                    + (near.map { "; did you mean \($0)?" } ?? "")
            }
            guard !Self.fits(value, member.kind) else { continue }
            return "\(key): expected \(member.kind.expectation), got \(value.json.prefix(80))"
        }
        return nil
    }

    /// Whether a value has the type of a kind. Its range is looked at by the rules of the file.
    static func fits(_ value: SiteTree, _ kind: Parameter.Kind) -> Bool {
        switch (kind, value) {
        case (_, .null), (.value, _): true
        // An identity may be an object, as in the site file.
        case (.text, .section), (.text, .text), (.freeText, .text), (.slug, .text),
            (.reference, .text),
            (.word, .text), (.date, .text):
            true
        case (.integer, .scalar(let text)), (.time, .scalar(let text)),
            (.number, .scalar(let text)),
            (.decimal, .scalar(let text)), (.kilograms, .scalar(let text)):
            Double(text) != nil
        case (.flag, .scalar(let text)): text == "true" || text == "false"
        case (.list(let kind), .list(let items)): items.allSatisfy { fits($0, kind) }
        case (.map(let kind), .section(let members)): members.allSatisfy { fits($0.value, kind) }
        default: false
        }
    }

    /// The members by which a list can be narrowed: those that name another row.
    package var filters: [Parameter] {
        members.filter { if case .reference = $0.kind { true } else { false } }
    }
}

extension SiteCollection: Hashable {
    package static func == (a: SiteCollection, b: SiteCollection) -> Bool { a.name == b.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// What a station is.
package enum StationKind: String, CaseIterable, Codable, Sendable {
    case rack
    case bench
    case machine
    case cable
    case cardio
    case mat
    case other
}
