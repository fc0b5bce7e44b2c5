import Foundation
import Glibc
import Testing

@testable import SiteModel

/// Files that make machines nodes: who reads them, what is in them, and what is in the way.
@Suite(.ownThread) struct ProcessJoinFileTests {
    /// What `beaconmesh node bundle` writes, but for the time.
    private static func bundle(_ member: String = "", _ value: String = "", at now: Timestamp)
        -> String
    {
        let members = [
            ("beaconmesh", #""node-1""#), ("site", #""gym""#), ("node", #""n-row""#),
            ("host", #""127.0.0.1""#), ("port", "1883"), ("password", #""k7m2p9xw""#),
            ("made_ms", "\(now.milliseconds)"),
        ].filter { $0.0 != member }
        let all = members + (value.isEmpty ? [] : [(member, value)])
        return "{" + all.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}\n"
    }

    @Test func `files are their owner's alone, and stay unless they are to be deleted`() throws {
        let own = try JoinableSite(RunningSite())
        defer { own.site.stop() }
        try own.start()
        let cards = own.site.file("cards")
        let made = try own.beaconmesh(["node", "bundle", "--all", "--out", cards])
        #expect(made.status == 0, "\(made.errors)")
        let files = ["n-press", "n-row"].map { "\(cards)/\($0).join" }
        #expect(made.output.split(separator: "\n").map(String.init) == files)
        #expect(JoiningMachine.mode(of: cards) == 0o700)
        for file in files { #expect(JoiningMachine.mode(of: file) == 0o600) }
        let machine = try JoiningMachine(own.site)
        #expect(try machine.join([files[0]]).status == 0)
        #expect(JoiningMachine.mode(of: files[0]) == 0o600)
        let deleting = try machine.join([files[1], "--delete"])
        #expect(deleting.status == 0, "\(deleting.errors)")
        #expect(deleting.output.contains("deleted \(files[1])"))
        #expect(JoiningMachine.mode(of: files[1]) == nil)
        #expect(try machine.text(of: "node.yaml").contains("node: n-row"))
        #expect(try machine.text(of: "node.yaml.old").contains("node: n-press"))
    }

    @Test func `a file that is there is kept, and so is the password in it`() throws {
        let own = try JoinableSite(RunningSite())
        defer { own.site.stop() }
        try own.start()
        let cards = own.site.file("cards")
        let words = ["node", "bundle", "n-row", "--out", cards]
        #expect(try own.beaconmesh(words).status == 0)
        let file = cards + "/n-row.join"
        let (text, rows) = (
            FileManager.default.contents(atPath: file), try own.identities(of: "n-row")
        )
        let again = try own.beaconmesh(words + ["--replace"])
        #expect(again.status == 73)
        #expect(again.errors.contains(file), "\(again.errors)")
        let other = try own.beaconmesh(["node", "bundle", "n-row", "--out", own.site.directory])
        #expect(other.status == 1)
        #expect(other.errors.contains("replace"), "\(other.errors)")
        #expect(JoiningMachine.mode(of: own.site.file("n-row.join")) == nil)
        let none = own.site.file("nowhere/cards")
        #expect(try own.beaconmesh(["node", "bundle", "n-press", "--out", none]).status == 73)
        #expect(try own.beaconmesh(["node", "bundle", "n-none", "--out", cards]).status == 3)
        #expect(FileManager.default.contents(atPath: file) == text)
        #expect(try own.identities(of: "n-row") == rows)
        #expect(try own.identities(of: "n-press") == [])

        try FileManager.default.removeItem(atPath: file)
        #expect(try own.beaconmesh(words + ["--replace"]).status == 0)
        let after = try own.identities(of: "n-row")
        #expect(after.count == 1 && after != rows)
    }

    @Test func `hostile files are refused by name, and nothing is written`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let machine = try JoiningMachine(site)
        let path = site.file("x.join")
        let now = site.now
        func refuse(_ text: String, _ word: String) throws {
            try site.write(text, to: "x.join")
            let refused = try machine.join([path, "--delete"])
            #expect(refused.status == 78, "\(text.prefix(60)): \(refused.errors)")
            #expect(refused.errors.contains(word), "\(refused.errors)")
            #expect(FileManager.default.contents(atPath: path) == Data(text.utf8), "it stays")
        }
        for (member, value) in [
            ("host", #""127.0.0.1\nusername: x""#), ("host", #""\"x""#), ("host", #""-x""#),
            ("node", #""../../etc""#), ("site", #""gym/x""#), ("port", "0"), ("port", "70000"),
            ("ca", #""no certificate""#), ("password", #""a b""#), ("password", #""a\nb""#),
            ("beaconmesh", #""node-9""#), ("made_ms", "-1"),
        ] {
            try refuse(Self.bundle(member, value, at: now), member)
        }
        try refuse(Self.bundle("password", at: now), "password")
        try refuse("", "x.join")
        try refuse("node: n-row\n", "x.join")
        try refuse(String(Self.bundle(at: now).dropLast(9)), "x.join")
        try refuse(String(repeating: " ", count: 48 << 10) + Self.bundle(at: now), "bytes")
        #expect(try machine.join([site.file("none.join")]).status == 78)
        #expect(try machine.join([site.directory]).status == 78)
        #expect(try machine.files() == [:])
        #expect(JoiningMachine.mode(of: site.file("pi-state")) == nil)

        try site.write(Self.bundle(at: now), to: "x.join")
        let joined = try machine.join([path])
        #expect(joined.status == 0, "each was refused for that alone: \(joined.errors)")
    }

    @Test func `a machine whose clock is behind is told so, another is not`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let machine = try JoiningMachine(site)
        for (hours, isTold) in [(-48.0, false), (0.5, false), (48, true)] {
            try site.write(Self.bundle(at: site.now + .seconds(hours * 3600)), to: "x.join")
            let joined = try machine.join([site.file("x.join")])
            #expect(joined.status == 0, "\(joined.errors)")
            #expect(joined.output.contains("clock") == isTold, "\(hours) h: \(joined.output)")
        }
    }

    /// A topic of each site is called so: `NodeSettings` refuses it, whatever is written before.
    @Test func `a file of a site that cannot be leaves a node as it is`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let machine = try JoiningMachine(site)
        try site.write(Self.bundle(at: site.now), to: "x.join")
        #expect(try machine.join([site.file("x.join")]).status == 0)
        let before = try machine.files()
        try site.write(Self.bundle("site", #""core""#, at: site.now), to: "x.join")
        let refused = try machine.join([site.file("x.join"), "--delete"])
        #expect(refused.status == 78)
        #expect(refused.errors.contains("site"), "\(refused.errors)")
        #expect(try machine.files() == before)
        #expect(JoiningMachine.mode(of: site.file("x.join")) != nil)
    }
}
