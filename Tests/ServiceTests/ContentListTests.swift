import Foundation
import Testing

@testable import Records
@testable import Registry
@testable import SiteModel
@testable import SiteService

/// Cards, groups, and lists of them as files.
struct ContentListTests {
    /// As apps for a campus keep it; sorted by nothing, with more than is shown.
    private static let campus = #"""
        {
          "data": {
            "beacons": {
              "789": {"title": "Library", "subtitle": "Open until ten", "description": "Four floors.\nNo food.",
                      "image": "library", "url": "http://example.org/library"},
              "456": {"title": "Chapel", "subtitle": "", "image": "images/chapel.png", "colour": "blue"},
              "0": {"title": "Größe 漢字 \"x\"", "url": null}
            }
          },
          "metadata": {"last-updated": "Aug-05-2016-14:11", "list": [1, 2.50, true]}
        }
        """#

    private static func perform(
        _ text: String, group: String? = nil, in site: EditedSite
    ) throws -> ContentImport.Done {
        try ContentImport(site.store).perform(
            Array(text.utf8), group: group, by: Asker(name: "ada", via: .cli, at: EditedSite.now))
    }

    @Test(arguments: [
        ("7B44B47B-52A1-5381-90C2-F09B6838C5D4", "ib-7b44b47b52a1538190c2f09b6838c5d4"),
        ("7b44b47b52a1538190c2f09b6838c5d4 1", "ib-7b44b47b52a1538190c2f09b6838c5d4-1"),
        ("7b44b47b52a1538190c2f09b6838c5d4 1 2", "ib-7b44b47b52a1538190c2f09b6838c5d4-1-2"),
        (
            "7b44b47b52a1538190c2f09b6838c5d4 1 256&65280",
            "ibm-7b44b47b52a1538190c2f09b6838c5d4-00000001-0001xxxx"
        ),
        ("7b44b47b52a1538190c2f09b6838c5d4-*-*", "ib-7b44b47b52a1538190c2f09b6838c5d4"),
        ("name: Tag*", "nm-5461672a"), ("eu-00112233445566778899", "eu-00112233445566778899"),
        ("C4:A7:F1:0B:33:21", "mac-c4a7f10b3321"),
    ])
    func `a rule is written as people write it`(text: String, rule: String) throws {
        let site = try EditedSite()
        try site.add(.groups, "g", [("name", "G"), ("rule", text)])
        #expect(try site.row(.groups, "g")?["rule"]?.string == rule)
    }

    @Test(arguments: [
        "7b44b47b52a1538190c2f09b6838c5d4 1 &65280", "7b44b47b52a1538190c2f09b6838c5d4 1 257&65280",
        "7b44b47b52a1538190c2f09b6838c5d4 1 256&0", "7b44b47b52a1538190c2f09b6838c5d4 70000 *",
        "7b44 1 2", "everything", "*", "name:", "",
    ])
    func `a rule that is none is refused`(text: String) throws {
        let site = try EditedSite()
        let refusal = site.refusal { try $0.add(.groups, "g", [("name", "G"), ("rule", text)]) }
        #expect(refusal?.text.hasPrefix("rule: ") == true, "\(String(describing: refusal))")
        #expect(try site.row(.groups, "g") == nil)
    }

    @Test(arguments: [
        "https://example.org/", "http://example.org:8080/a?b=c#d", "HTTPS://EXAMPLE.ORG",
        "https://[2001:db8::1]/", "https://example.org/%D6sterreich",
    ])
    func `a page of the web is a link`(text: String) throws {
        #expect(WebLink.fault(in: text) == nil)
    }

    @Test(arguments: [
        "javascript:alert(1)", "JaVaScRiPt://example.org/%0Aalert(1)", "data:text/html,x",
        "//example.org/",
        "example.org", "https://", "https://user@example.org/", "https://user:word@example.org/",
        "https://example.org/\u{0}", "https://example.org/a b", "https://example.org/\u{202E}gro",
        "https://exa mple.org", "file:///etc/passwd", "https:example.org",
        "https://example.org\\@evil.org/",
        "https://example.org/<script>", "https://.../", "https://-/", "https://例え.jp/",
        "ftp://example.org/",
    ])
    func `what is no page of the web is no link`(text: String) throws {
        #expect(WebLink.fault(in: text) != nil)
        let site = try EditedSite()
        let row = SiteTree.section([("id", .text("c")), ("link", .text(text))])
        let refusal = site.refusal { _ = try $0.edit(.add(.cards, row)) }
        #expect(refusal?.code == .schema, "\(String(describing: refusal))")
    }

    @Test(arguments: [
        (
            ["station": "rower", "beacon": "b-a"],
            "beacon: a card has only one of station, beacon and group"
        ),
        (
            ["group": "machines", "station": "rower"],
            "group: a card has only one of station, beacon and group"
        ),
        (["minor": "3", "beacon": "b-a"], "minor: only with a group, or alone"),
        (["minor": "65536"], "minor: "), (["group": "none"], "group: there is no group"),
        (["language": "Deutsch!"], "language: expected a language such as de or pt-br"),
        (["picture": "../site.sqlite"], "picture: expected letters"),
        (["picture": "a/b"], "picture: "),
        (["picture": ".."], "picture: "), (["title": "a\u{202E}b"], "title: "),
    ])
    func `a card that contradicts itself is refused`(members: [String: String], words: String)
        throws
    {
        let site = try EditedSite()
        var row = SiteTree.section([("id", .text("c"))])
        for (key, value) in members { row.set(key, key == "minor" ? .scalar(value) : .text(value)) }
        let refusal = site.refusal { _ = try $0.edit(.add(.cards, row)) }
        #expect(refusal?.text.hasPrefix(words) == true, "\(String(describing: refusal))")
    }

    @Test func `a file becomes cards, and is written as it was`() throws {
        let site = try EditedSite()
        let done = try Self.perform(Self.campus, in: site)
        #expect(done.added == 3 && done.changed == 0 && done.retired == 0)
        #expect(done.notes == ["no card has “colour”: left out"])
        #expect(done.missing == ["chapel.png", "library"])
        let card = try #require(try site.row(.cards, "minor-789"))
        #expect(
            card["title"]?.string == "Library" && card["text"]?.string == "Four floors.\nNo food.")
        #expect(
            card["link"]?.string == "http://example.org/library" && card["minor"] == .scalar("789"))
        // Byte for byte, with what no card has.
        #expect(try ContentImport(site.store).file(of: nil) == Self.campus)
        // Other cards are no part of it.
        #expect(try site.row(.cards, "rower-en") != nil && site.row(.cards, "seven") != nil)
        let again = try Self.perform(Self.campus, in: site)
        #expect(again.same == 3 && again.added + again.changed + again.retired == 0)
    }

    @Test func `a card that was changed changes the file, and nothing around it`() throws {
        let site = try EditedSite()
        _ = try Self.perform(Self.campus, in: site)
        try site.change(.cards, "minor-456", [("title", "The chapel")])
        let text = try ContentImport(site.store).file(of: nil)
        #expect(text.contains(#""last-updated": "Aug-05-2016-14:11""#) && text.contains("2.50"))
        let file = try ContentFile(Array(text.utf8))
        #expect(file.entries.map(\.minor) == [0, 456, 789])
        #expect(file.entries[1].title == "The chapel" && file.entries[1].picture == "chapel.png")
        // What we write is what we write again.
        _ = try Self.perform(text, in: site)
        #expect(try ContentImport(site.store).file(of: nil) == text)
        #expect(ContentFile(file.entries).with(file.entries).text == ContentFile(file.entries).text)
    }

    @Test func `a card that the file does not name is retired, and comes back`() throws {
        let site = try EditedSite()
        _ = try Self.perform(Self.campus, in: site)
        let done = try Self.perform(#"{"beacons": {"789": {"title": "Library"}}}"#, in: site)
        #expect(done.changed == 1 && done.retired == 2 && done.added == 0)
        #expect(try site.row(.cards, "minor-456") == nil)
        #expect(try Self.perform(Self.campus, in: site).added == 2)
    }

    @Test func `a group has cards of its own minors`() throws {
        let site = try EditedSite()
        let flat = #"{"7": {"title": "Seven"}, "8": {"title": "Eight"}}"#
        let done = try Self.perform(flat, group: "machines", in: site)
        // The card that was there is this group's.
        #expect(done.changed == 1 && done.added == 1)
        #expect(try site.row(.cards, "seven")?["title"]?.string == "Seven")
        #expect(try site.row(.cards, "machines-8")?["group"]?.string == "machines")
        #expect(try ContentImport(site.store).file(of: "machines") == flat)
        #expect(
            try ContentFile(Array(ContentImport(site.store).file(of: nil).utf8)).entries.isEmpty)
        #expect(throws: BooksRefusal.self) { try Self.perform(flat, group: "none", in: site) }
    }

    @Test(arguments: [
        ("", "no list of beacons"), ("[]", "no list of beacons"), ("{", "no list of beacons"),
        (#"{"data": {}}"#, "data.beacons is missing"),
        (#"{"a": {"title": "x"}}"#, "“a” is no minor"),
        (#"{"65536": {"title": "x"}}"#, "is no minor"),
        (#"{"007": {"title": "x"}}"#, "is no minor"), (#"{"7": "x"}"#, "beacon 7: an object"),
        (#"{"7": {}}"#, "beacon 7: title: missing"),
        (#"{"7": {"title": 7}}"#, "beacon 7: title: a text expected"),
        (
            #"{"7": {"title": "x", "url": "javascript:alert(1)"}}"#,
            "beacon 7: link: expected an address"
        ),
        (
            #"{"7": {"title": "x", "image": "../../etc/passwd"}}"#,
            "beacon 7: image: expected the name"
        ),
        (#"{"7": {"title": "x"}, "7": {"title": "y"}}"#, "“7” comes twice"),
        (#"{"7": {"title": "x", "subtitle": ["x"]}}"#, "beacon 7: subtitle: a text expected"),
        (#"{"beacons": {"7": {"title": "\#u{0}"}}}"#, "no JSON"),
    ])
    func `a broken file changes nothing, and says where`(text: String, words: String) throws {
        let site = try EditedSite()
        _ = try Self.perform(Self.campus, in: site)
        let refusal = site.refusal { _ = try Self.perform(text, in: $0) }
        #expect(
            refusal?.code == .schema && refusal?.text.contains(words) == true,
            "\(String(describing: refusal))")
        #expect(try ContentImport(site.store).file(of: nil) == Self.campus)
    }

    @Test func `as many as there can be are read, and one more is not`() throws {
        func file(_ count: Int) -> String {
            "{" + (0..<count).map { #""\#($0)": {"title": "T"}"# }.joined(separator: ",") + "}"
        }
        #expect(try ContentFile(Array(file(4096).utf8)).entries.count == 4096)
        #expect(throws: ContentFile.Fault.self) { try ContentFile(Array(file(4097).utf8)) }
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        #expect(throws: ContentFile.Fault.self) {
            try ContentFile(Array(#"{"metadata": \#(deep)}"#.utf8))
        }
        let large = #"{"metadata": ""# + String(repeating: "x", count: 5 << 20) + #""}"#
        #expect(throws: ContentFile.Fault.self) { try ContentFile(Array(large.utf8)) }
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("10.1.2.3", true), ("192.168.178.1", true), ("169.254.169.254", true),
        ("172.31.0.1", true), ("100.64.0.1", true), ("0.0.0.0", true), ("224.0.0.1", true),
        ("::1", true), ("fd00::1", true), ("fe80::1", true), ("::ffff:10.0.0.1", true),
        ("64:ff9b::a00:1", true),
        ("2002:a00:1::", true), ("no address", true), ("8.8.8.8", false), ("172.32.0.1", false),
        ("2606:4700::1111", false),
    ])
    func `machines of our own network are told from others`(address: String, isOwn: Bool) {
        #expect(ContentFetch.isOfOurOwn(address) == isOwn)
    }

    @Test func `a machine of our own network is asked only where that is said`() {
        for url in [
            "http://127.0.0.1:9/beacons.json", "http://localhost:9/", "http://2130706433:9/",
            "http://[::1]:9/", "http://0x7f.1:9/",
        ] {
            guard case .refused(let why) = ContentFetch(allowsPrivate: false).get(url, limit: 1000)
            else {
                Issue.record("\(url) was asked")
                continue
            }
            #expect(why.contains("our own network") || why.contains("not known"), "\(url): \(why)")
        }
        #expect(
            ContentFetch(allowsPrivate: true).get("file:///etc/passwd", limit: 1000)
                == .refused("expected an address that begins with https:// or http://"))
    }
}
