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
    package let table: String
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
    /// How some of its texts are read, by their member.
    let texts: [String: RowText]
    /// What members contradict one another: one of them and what is wrong; `nil` if none do.
    let contradiction: @Sendable (SiteTree) -> (member: String, fault: String)?

    private init(
        _ name: String, table: String? = nil, label: String = "name", _ members: [Parameter],
        required: [String] = [], read: Right, write: Right, owner: String? = nil,
        isContent: Bool = false, presets: [String: SiteTree] = [:], most: Int,
        texts: [String: RowText] = [:],
        contradiction: @escaping @Sendable (SiteTree) -> (member: String, fault: String)? = { _ in
            nil
        }
    ) {
        self.texts = texts
        self.contradiction = contradiction
        self.name = name
        one = String(name.dropLast())
        self.table = table ?? one
        self.label = label
        self.members =
            [.always("id", .slug), .always(label, .text(1...120), "What people call it.")]
            + members.map { member in
                var member = member
                member.preset = presets[member.name]?.json
                return member
            }
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
        [
            .init(
                "area_m", .list(.number),
                "Two opposite corners, x0, y0, x1, y1; or 3 to 32 of a polygon in turn."),
            .always("storey", .integer(-9...99), "0 is that of the entrance, 1 the one above it."),
        ],
        read: .placesRead, write: .placesWrite, presets: ["storey": .scalar("0")], most: 256)

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
            .init(
                "profile", .oneOf(NodePolicy.Profile.self),
                "How much it tells; where nothing is said, as much as the site's nodes."),
            .init(
                "sparse_hours", .text(11...11),
                "When it tells little every day, such as 22:00-06:00; where neither this nor profile is said, as the site's nodes."
            ),
        ], read: .placesRead, write: .placesWrite, most: 256, texts: ["sparse_hours": .hours])

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

    package static let groups = SiteCollection(
        "groups", table: "beacon_group",
        [
            .always(
                "rule", .text(1...256),
                "Which beacons are in it: a UUID, a UUID and a major, or both and a minor; `256&65280` for a number of which "
                    + "only the bits of a mask count, `*` for any; eu- and a namespace; or `name:` and a name or pattern."
            ),
            .init(
                "notify", .list(.word(["enter", "leave"])),
                "Whether the office is told when a tag of it comes into range or goes out of it; not, where nothing is said."
            ),
            .always(
                "allow", .flag,
                "Whether nodes regard what fits the rule although nobody registered it. Once one group has this, or policy "
                    + "allows something, all else that is not registered is left out."
            ),
        ], required: ["rule"], read: .peopleRead, write: .peopleWrite, isContent: true,
        presets: ["allow": .flag(false)], most: 64, texts: ["rule": .rule])

    package static let cards = SiteCollection(
        "cards", label: "title",
        [
            .init("subtitle", .text(1...240)),
            .init("text", .freeText(1...2000), "What there is to say, in lines."),
            .init(
                "picture", .text(1...64),
                "The name of an uploaded picture; of one that is not there none is shown."),
            .init("link", .text(1...512), "An address that begins with https:// or http://."),
            .init(
                "language", .text(2...8),
                "Such as de: who reads another sees another card of the same thing, if there is one."
            ),
            .init("station", .reference("stations"), "What it is shown at."),
            .init("beacon", .reference("beacons"), "The beacon that it is of."),
            .init("group", .reference("groups"), "For each beacon that has no card of its own."),
            .init(
                "minor", .integer(0...65_535),
                "For each iBeacon with this minor that has no card of its own, of the group if there is one."
            ),
        ], read: .peopleRead, write: .placesWrite, isContent: true, most: 4096,
        texts: ["link": .link, "picture": .picture, "language": .language],
        contradiction: { card in
            let named = ["station", "beacon", "group"].filter { card[$0] != nil }
            if named.count > 1 {
                return (named[1], "a card has only one of station, beacon and group")
            }
            guard card["minor"] != nil, named.first.map({ $0 != "group" }) ?? false else {
                return nil
            }
            return ("minor", "only with a group, or alone")
        })

    /// All of them, what is referred to before what refers to it.
    /// What a picture of a device shows.
    package static let deviceIcons = [
        "camera", "doorbell", "tracker", "beacon", "phone", "computer", "watch", "speaker", "lock",
        "light", "sensor", "headphones", "tv", "car", "printer", "fitness", "tag", "drone", "other",
    ]

    package static let deviceTypes = SiteCollection(
        "device-types", table: "device_type",
        [
            .init("description", .freeText(1...400), "What it is, and what to do about one."),
            .always("icon", .word(deviceIcons)),
            .init("colour", .text(7...7), "Such as #b34700."),
            .init(
                "notify", .list(.word(["seen", "beside"])),
                "Whom is told: the office when one appears, and somebody with whom one came and went on three days; nobody, where nothing is said."
            ),
        ], read: .detections, write: .detections, isContent: true,
        presets: ["icon": .text("other")], most: 100, texts: ["colour": .colour])

    package static let deviceRules = SiteCollection(
        "device-rules", table: "device_rule",
        [
            .always("type", .reference("device-types"), "What it is, if all of this holds."),
            .always("confidence", .decimal(0.01...1), "How sure that is."),
            .init(
                "company", .text(4...6),
                "The number of the company whose data are advertised, such as 0x004c."),
            .init("company_data", .text(2...48), "How these data begin, as hexadecimal digits."),
            .init("name_prefix", .text(1...30), "How its name begins, in either case."),
            .init("name_contains", .text(1...30), "What its name has in it, in either case."),
            .init("service", .text(4...36), "A service that it offers or tells about."),
            .init(
                "vendor", .text(6...8),
                "Who made it: the first half of an address that is not random, such as c0:ff:ee."),
            .init("appearance", .integer(0...1023), "The category of its appearance."),
        ], required: ["type"], read: .detections, write: .detections, isContent: true,
        presets: ["confidence": .scalar("0.5")], most: 256,
        texts: [
            "company": .company, "company_data": .companyData, "service": .service,
            "vendor": .vendor,
        ]
    ) { row in
        let said = [
            "company", "name_prefix", "name_contains", "service", "vendor", "appearance",
        ].filter { row[$0] != nil }
        if row["company_data"] != nil, row["company"] == nil {
            return ("company_data", "says nothing without company")
        }
        return said.isEmpty ? ("company", "a rule says one thing of a device at least") : nil
    }

    package static let all = [
        rooms, exercises, stations, nodes, users, beacons, groups, cards, deviceTypes,
        deviceRules,
    ]

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
