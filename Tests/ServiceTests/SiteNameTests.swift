@testable import Registry
@testable import Settings
import Testing

/// What people may call rooms, stations, nodes, people and beacons.
struct SiteNameTests {
    @Test(arguments: [
        ("a\\u202Eb", "has U+202E, which changes the direction of writing"),
        ("\\u2066a\\u2069", "has U+2066, which changes the direction of writing"),
        ("\\u200B", "shows nothing, it has only characters like U+200B"),
        ("\\u3164 \\uFE0F", "shows nothing, it has only characters like U+3164"),
        (" ", "shows nothing, it has only characters like U+0020"),
    ])
    func `a name that nobody can read is refused, with the character`(name: String, fault: String) {
        let text = """
            site: {id: a}
            rooms: [{id: r, name: "\(name)"}]
            users: [{id: u, name: "\(name)"}]
            """
        let error = #expect(throws: SettingsError.self) {
            try SiteFile(text: text, named: "site.yaml")
        }
        #expect(
            error?.faults.map(\.description) == [
                "site.yaml:2: rooms[0].name: \(fault)", "site.yaml:3: users[0].name: \(fault)",
            ])
    }
}
