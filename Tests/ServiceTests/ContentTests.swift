import Testing

@testable import Platform
@testable import Records
@testable import Registry
@testable import SiteService
@testable import SiteModel

/// Exercises, and what stations are for: by the rules that their collections declare.
struct ContentTests {
    /// What is said of a site with these rows of exercises, `nil` if nothing.
    private func refusal(_ rows: String) -> String? {
        let text = "site: {id: gym}\nrooms: [{id: hall}]\nexercises:\n\(rows)\n"
        do {
            _ = try SiteFile(text: text, named: "site.yaml")
            return nil
        } catch {
            return error.faults.map { "\($0)" }.joined(separator: "\n")
        }
    }

    @Test func `the forty that come with the program are right, and added once`() throws {
        #expect(StarterExercises.rows.count == 40)
        #expect(refusal(String(StarterExercises.text.drop { $0 != "\n" }.dropFirst())) == nil)
        let site = try EditedSite()
        try site.add(.exercises, "deadlift", [("name", "Our own")])
        #expect(try site.edit(.addStarter(.exercises)).count == 38)
        #expect(try site.edit(.addStarter(.exercises)).isEmpty)
        let document = try site.document()
        let rows = try #require(document.content["exercises"])
        #expect(rows.count == 41)
        #expect(rows.first { $0["id"]?.string == "deadlift" }?["name"]?.string == "Our own")
        for row in StarterExercises.rows {
            #expect(row["names"]?["de"]?.string != nil && row["met"] != nil, "\(row.json)")
        }
        let tree = SiteFileWriter(document).tree
        #expect(try SiteFileWriter(SiteFile(tree).document).tree == tree)
    }

    @Test func `what is left out has its default`() throws {
        let row = try EditedSite().row(.exercises, "plank")
        #expect(
            row?.json
                == #"{"id": "plank", "name": "plank", "measure": "reps", "load": "weight", "increment_kg": 2.5, "rest_s": 90}"#
        )
    }

    @Test(arguments: [
        ("{id: a, measure: hours}", "expected one of reps, time, distance"),
        ("{id: a, load: 5}", "load"), ("{id: a, increment_kg: 0}", "increment_kg"),
        ("{id: a, increment_kg: 1.0005}", "at most three decimals"),
        ("{id: a, rest_s: 0}", "rest_s"), ("{id: a, rest_s: 1.5}", "rest_s"),
        ("{id: a, met: 31}", "met"), ("{id: a, muscles: [head]}", "is none of chest"),
        ("{id: a, muscles: [back, back]}", "given twice"), ("{id: a, muscles: back}", "muscles"),
        ("{id: a, names: {DE: x}}", "is no language"), ("{id: a, names: [x]}", "at most 16 keys"),
        ("{id: a, names: {de: \"a\\u202Eb\"}}", "U+202E"), ("{id: a, name: \"a\\tb\"}", "name"),
        ("{id: a, note: \"\\u200F\\u200F\"}", "note"),
        ("{id: a, name: \(String(repeating: "x", count: 121))}", "name"),
        ("{id: a, colour: red}", "unknown key"), ("{id: a}, {id: a}", "given twice"),
        ("{id: A}", "id"), ("{name: x}", "id"),
    ])
    func `a wrong row is refused by its line and member`(row: String, words: String) throws {
        let fault = try #require(refusal("  [\(row)]"), "\(row)")
        #expect(fault.contains(words) && fault.contains("site.yaml:4: exercises["), "\(fault)")
    }

    @Test(arguments: [
        (2001, "expected a list of 0 to 2000, got 2001"), (200_000, "got 200000"),
        (400_000, "larger than 4194304 bytes"),
    ])
    func `too many exercises are refused at once`(count: Int, words: String) throws {
        let rows = (0..<count).map { "  - {id: e-\($0)}" }.joined(separator: "\n")
        let fault = try #require(refusal(rows))
        #expect(fault.contains(words), "\(fault)")
        #expect(fault.count < 1000)
    }

    @Test func `an exercise in use is retired out of its stations`() throws {
        let site = try EditedSite()
        try site.edit(.retire(.exercises, "row"))
        let document = try site.document()
        #expect(document.stations[0].use.exercises == ["plank"])
        #expect(document.content["exercises"]?.count == 1)
    }

    @Test(arguments: [
        ("exercises", SiteTree.list([.text("fly")]), "there is no exercise “fly”"),
        ("exercises", .list([.text("row"), .text("row")]), "given twice"),
        ("exercises", .text("row"), "exercises"), ("kind", .text("sofa"), "kind"),
        ("auto_start_s", .scalar("4"), "auto_start_s"),
        ("auto_pause_s", .scalar("0"), "auto_pause_s"),
        ("claim_grace_s", .scalar("86401"), "claim_grace_s"),
        ("location", .text("a\u{202E}b"), "location"),
    ])
    func `a station refers to what there is`(key: String, value: SiteTree, words: String) throws {
        let refusal = try EditedSite().refusal {
            try $0.edit(.patch(.stations, "bench", .section([(key, value)])))
        }
        #expect(refusal?.code == .schema)
        #expect(refusal?.text.contains(words) == true, "\(refusal?.text ?? "")")
    }

    @Test func `members are typed as they are declared`() throws {
        let site = try EditedSite()
        try site.change(
            .stations, "bench",
            [("equipment", "5"), ("exercises", "Rowing, plank"), ("location", "[left]")])
        try site.change(.exercises, "plank", [("names", "de: Unterarmstütz, fr: Planche")])
        let document = try site.document()
        let use = document.stations[1].use
        #expect(use.equipment == "5" && use.exercises == ["row", "plank"])
        #expect(use.location == "[left]")
        let names = document.content["exercises"]?[1]["names"]
        #expect(names?["de"]?.string == "Unterarmstütz" && names?["fr"]?.string == "Planche")
        #expect(throws: Exit.self) { try site.change(.stations, "bench", [("exercises", "fly")]) }
    }

    @Test func `a language without a name is none, and too many are refused`() throws {
        #expect(refusal("  - {id: a, names: {de: null}}") == nil)
        let many = (0..<80_000).map { "l\($0 % 10)\($0): x" }.joined(separator: ", ")
        #expect(refusal("  - {id: a, names: {\(many)}}")?.contains("at most 16 keys") == true)
    }

    @Test func `what looks like an alias is a word in quotes, as often as people write it`() throws
    {
        let site = try EditedSite()
        for number in 0..<40 {
            try site.add(.exercises, "e-\(number)", [("note", "keep your *back* straight")])
        }
        let document = try site.document()
        #expect(document.content["exercises"]?.last?["note"]?.string == "keep your *back* straight")
        let file = SiteFileWriter(document).tree.file
        #expect(try SiteFile(text: file, named: "site").document == document)
        let refusal = site.refusal { try $0.edit(.policy(.section([("# x", .scalar("1"))]))) }
        #expect(refusal?.code == .schema)
    }

    @Test func `a site with all that it may have is read, and its rows are changed`() throws {
        let users = (0..<10_000).map { "  - {id: u-\($0), name: Person \($0)}\n" }.joined()
        let beacons = (0..<4096).map {
            "  - {id: b-\($0), identity: \"mac-\(String($0 + 0x1000_0000_0000, radix: 16))\", user: u-\($0)}\n"
        }.joined()
        let stations = (0..<1024).map { "  - {id: s-\($0), room: hall}\n" }.joined()
        let exercises = (0..<2000).map { "  - {id: e-\($0)}\n" }.joined()
        let text =
            "site: {id: gym}\nrooms: [{id: hall}]\nusers:\n\(users)beacons:\n\(beacons)"
            + "stations:\n\(stations)exercises:\n\(exercises)"
        let site = try EditedSite(text)
        #expect(try SiteRows(site.store).file()?.tree.file.utf8.count ?? 0 > 1 << 20)
        try site.change(.stations, "s-7", [("slots", "2")])
        #expect(try site.row(.stations, "s-7")?["slots"] == .scalar("2"))
        for (kind, row) in [
            (SiteCollection.users, SiteTree.section([("id", .text("u-new"))])),
            (.exercises, .section([("id", .text("e-new"))])),
            (.stations, .section([("id", .text("s-new")), ("room", .text("hall"))])),
            (
                .beacons,
                .section([("id", .text("b-new")), ("identity", .text("mac-c0ffee000000"))])
            ),
        ] {
            let refusal = site.refusal { try $0.edit(.add(kind, row)) }
            #expect(refusal?.text == "a site has \(kind.most) \(kind.name) at most")
        }
    }

    @Test func `null takes away, and turns off what null turns off`() throws {
        let site = try EditedSite()
        for member in SiteCollection.exercises.members where member.name != "id" {
            #expect(throws: Never.self, "\(member.name)") {
                try site.edit(.patch(.exercises, "row", .section([(member.name, .null)])))
            }
        }
        try site.edit(.patch(.stations, "bench", .section([("auto_pause_s", .null)])))
        #expect(try site.document().stations[1].use.autoPause == nil)
        try site.edit(.patch(.stations, "bench", .section([("auto_pause_s", .scalar("120"))])))
        #expect(try site.document().stations[1].use.autoPause == 120)
    }
}
