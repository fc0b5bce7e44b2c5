import Ciphers
import SiteModel
import Testing

@testable import SiteService

/// A code makes one machine a node, within an hour, unless somebody tries wrong ones.
struct NodeInvitationsTests {
    private let invitations = NodeInvitations()
    private let code: JoinCode
    private let keys: JoinKeys
    private let other: JoinCode

    init() throws {
        code = try #require(JoinCode("ab3k-9mpq-w2xy-hj7r"))
        other = try #require(JoinCode("cd4m-9mpq-w2xy-hj7r"))
        keys = code.keys
    }

    private func at(_ seconds: Double) -> Timestamp {
        Timestamp(milliseconds: 1_760_000_000_000) + .seconds(seconds)
    }

    /// Makes a code at a moment, by Ada.
    @discardableResult
    private func add(_ code: JoinCode, for node: String = "n-row", at seconds: Double = 0)
        -> Timestamp
    {
        invitations.add(code, keys, for: node, by: "ada", at: at(seconds))
    }

    /// Why a code is not good at a moment, or `nil` if it is.
    private func refusal(_ code: JoinCode, at seconds: Double) -> NodeInvitations.Refusal? {
        do throws(NodeInvitations.Refusal) {
            _ = try invitations.keys(of: code.name, at: at(seconds))
            return nil
        } catch {
            return error
        }
    }

    /// Why a code is not had by a request, or `nil` if it is.
    private func refusal(
        _ code: JoinCode, for request: String, of machine: String
    ) -> NodeInvitations.Refusal? {
        do throws(NodeInvitations.Refusal) {
            _ = try invitations.take(code.name, for: request, of: machine)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a code is good once, and another machine is told whose it is`() throws {
        #expect(add(code) == at(3600))
        #expect(try invitations.keys(of: code.name, at: at(1)) == keys)
        #expect(
            try invitations.take(code.name, for: "one", of: "pi-1")
                == .new(node: "n-row", asker: "ada"))
        #expect(refusal(code, for: "two", of: "pi-2") == .used(by: "pi-1"))
        #expect(refusal(code, for: "three", of: "pi-1") == .used(by: "pi-1"), "another request")
    }

    @Test func `the same request again gets the same answer, and is not let in anew`() throws {
        add(code)
        func take(_ machine: String) throws -> NodeInvitations.Admission {
            try invitations.take(code.name, for: "one", of: machine)
        }
        #expect(try take("pi-1") == .new(node: "n-row", asker: "ada"))
        #expect(try take("pi-1") == .underWay)
        invitations.keep([1], of: "two", code.name)
        #expect(try take("pi-1") == .underWay, "that was another's answer")
        invitations.keep([2], of: "one", code.name)
        for machine in ["pi-1", "renamed"] { #expect(try take(machine) == .again([2])) }
        #expect(try invitations.keys(of: code.name, at: at(3599)) == keys, "it may come again")
        #expect(refusal(code, for: "two", of: "pi-2") == .used(by: "pi-1"))
    }

    @Test func `of many machines that come at once one has the code`() async {
        add(code)
        let (invitations, name) = (invitations, code.name)
        let taken = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let request = "request-\(number)"
                    return (try? invitations.take(name, for: request, of: "pi")) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(taken == 1)
    }

    @Test func `what came to nothing leaves the code as good as before`() {
        add(code)
        #expect(refusal(code, for: "one", of: "pi-1") == nil)
        invitations.giveBack(code.name, of: "two")
        invitations.giveBack(other.name, of: "one")
        #expect(refusal(code, for: "two", of: "pi-2") == .used(by: "pi-1"), "given back by others")
        invitations.giveBack(code.name, of: "one")
        #expect(refusal(code, for: "two", of: "pi-2") == nil)
        #expect(refusal(code, for: "one", of: "pi-1") == .used(by: "pi-2"))
    }

    @Test func `after an hour it is expired`() {
        add(code)
        #expect(refusal(code, at: 3599.999) == nil)
        #expect(refusal(code, at: 3600) == .expired)
        #expect(refusal(code, at: 80_000) == .expired)
    }

    @Test func `a day after its end it is forgotten when another code is made`() {
        add(code)
        add(other, for: "n-press", at: 3600 + 86_399)
        #expect(refusal(code, at: 3600 + 86_399) == .expired)
        add(other, for: "n-press", at: 3600 + 86_400)
        #expect(refusal(code, at: 3600 + 86_400) == .unknown)
        #expect(!invitations.isKnown(code.name))
        #expect(refusal(code, for: "one", of: "pi-1") == .unknown)
    }

    @Test func `five wrong tries end a code, and no other`() {
        add(code)
        add(other, for: "n-press")
        for _ in 0..<4 { invitations.note(wrong: code.name) }
        #expect(refusal(code, at: 1) == nil)
        invitations.note(wrong: code.name)
        #expect(refusal(code, at: 1) == .blocked)
        #expect(refusal(other, at: 1) == nil)
        add(code, at: 2)
        #expect(refusal(code, at: 3) == nil, "made anew")
    }

    @Test func `what nobody made is unknown, however often it is tried`() {
        #expect(refusal(code, at: 0) == .unknown)
        for _ in 0..<10 { invitations.note(wrong: code.name) }
        #expect(refusal(code, at: 0) == .unknown)
        #expect(!invitations.isKnown(code.name))
        #expect(refusal(code, for: "one", of: "pi-1") == .unknown)
    }

    @Test func `another code for the same node ends the first`() {
        add(code)
        #expect(refusal(code, for: "one", of: "pi-1") == nil)
        add(other, at: 1)
        #expect(refusal(code, at: 2) == .unknown)
        #expect(refusal(code, for: "one", of: "pi-1") == .unknown)
        #expect(refusal(other, for: "two", of: "pi-2") == nil)
        add(code, for: "n-press", at: 3)
        #expect(refusal(other, at: 4) == nil, "that is another node's")
    }

    @Test func `of more codes than a site has nodes the oldest is forgotten`() throws {
        let letters = TypedLetters.all
        // 1024 are remembered.
        let codes = try (0...1024).map { number in
            let name = [number / 1024, number / 32 % 32, number % 32, 0].map { letters[$0] }
            return try #require(JoinCode(String(name) + "9mpqw2xyhj7r"))
        }
        for (number, code) in codes.enumerated() {
            add(code, for: "n-\(number)", at: Double(number))
        }
        #expect(!invitations.isKnown(codes[0].name))
        #expect(codes.dropFirst().allSatisfy { invitations.isKnown($0.name) })
    }
}
