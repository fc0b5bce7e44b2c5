import Permissions
import Reporting
import Testing

@testable import Accounts
@testable import BrokerAccess
@testable import Records
@testable import Registry
@testable import SiteModel
@testable import SitePipeline
@testable import SiteStore
@testable import Wire

/// Who is retired is let in nowhere any more, and nor is anybody else by what was theirs.
struct DepartureTests {
    private let scratch: Scratch
    private let store: Store
    private let accounts: Accounts
    private let directory = AccountDirectory()
    private let secret = "bm_secret"

    /// Ann has an account, a session, a token, a phone and a calendar.
    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
        accounts = Accounts(store)
        try enter("ann", .manager, "u-ann", 7)
        try perform(.openSession(name: "ann", hash: Self.digest(8), instead: nil))
        try perform(
            .addToken(
                name: "watch", hash: OneTimeSecret.hash(of: secret), role: .member, scopes: [],
                user: "u-ann", expires: nil))
        try perform(.share(user: "u-ann", .training, true))
        let asker = Asker(name: "boss", via: .cli, at: at(20))
        _ = try BrokerIdentities(store).enrol(
            NewBrokerIdentity(
                BrokerIdentity(name: "ann-phone", kind: .member, person: "u-ann"),
                hash: BrokerPassword.hash(of: "secret")), by: asker)
        try Feeds(store).add(hash: Self.digest(9), user: "u-ann", kind: .shifts, by: asker)
        try directory.reload(store)
    }

    private static func digest(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    private func perform(_ call: AccountCall) throws {
        try accounts.perform(call, by: "boss", via: .cli, at: at(20))
    }

    private func enter(_ name: String, _ role: Role, _ user: String?, _ byte: UInt8) throws {
        try perform(
            .invite(
                name: name, role: role, user: user, invitation: Self.digest(byte), expires: at(90)))
        try perform(.accept(invitation: Self.digest(byte), password: "$scrypt$x"))
    }

    private func retire() throws {
        var gym = SiteDocument.gym
        gym.users.removeAll { $0.slug == "u-ann" }
        gym.beacons[0].user = nil
        try SiteImport(store).importDocument(gym, at: at(30), by: "account:ada", via: .rest)
        try directory.reload(store)
    }

    /// What still lets somebody in.
    private func ways() throws -> [String] {
        let all = try accounts.all()
        var ways: [String] = []
        if directory.token(secret, at: at(31)) != nil { ways.append("token") }
        if all.accounts.contains(where: { $0.disabled == nil }) { ways.append("account") }
        if try accounts.password(of: "ann") != nil { ways.append("password") }
        if try BrokerIdentities(store).policy().principal(of: "ann-phone") != nil {
            ways.append("phone")
        }
        if try Feeds(store).feed(hash: Self.digest(9)) != nil { ways.append("calendar") }
        return ways
    }

    @Test func `all that speaks for somebody ends with them, each with its line in the audit`()
        throws
    {
        let proof = try #require(directory.token(secret, at: at(21)))
        #expect(try ways() == ["token", "account", "password", "phone", "calendar"])
        try retire()
        #expect(try ways() == [])
        #expect(!directory.holds(proof, at: at(31)), "what was open by it ends")
        let left = try accounts.all()
        #expect(left.sessions.isEmpty && left.sharing.isEmpty)
        #expect(
            try store.texts(
                """
                SELECT action, entity, value FROM audit_log
                    JOIN audit_value ON audit = id AND side = 'actor'
                WHERE at_ms = \(at(30).milliseconds) ORDER BY id
                """) == [
                    "disable account account:ada", "revoke token account:ada",
                    "revoke broker_identity account:ada", "revoke feed account:ada",
                    "import revision account:ada",
                ])
        #expect(try AuditTrail(store).verify().fault == nil)
        let refused = #expect(throws: AccountRefusal.self) { try perform(.enable(name: "ann")) }
        #expect(refused?.code == .badState)
    }

    @Test func `who comes back, or somebody else under the id, begins without`() throws {
        try retire()
        try SiteImport(store).importDocument(.gym, at: at(40))
        try directory.reload(store)
        #expect(try ways() == [])
        try perform(.enable(name: "ann"))
        #expect(try accounts.password(of: "ann") == nil, "the old password opens nothing")
        try perform(.renew(name: "ann", invitation: Self.digest(6), expires: at(90)))
        try perform(.accept(invitation: Self.digest(6), password: "$scrypt$y"))
        #expect(try accounts.password(of: "ann") == "$scrypt$y")
    }

    @Test func `who was retired by an older release is let in no more, nor who follows`() throws {
        try scratch.execute("UPDATE user SET retired_ms = 1 WHERE slug = 'u-ann'")
        try directory.reload(store)
        #expect(try ways() == ["calendar"], "one of who left may be made on purpose")
        #expect(throws: AccountRefusal.self) { try perform(.enable(name: "ann")) }
        try SiteImport(store).importDocument(.gym, at: at(40))
        try directory.reload(store)
        #expect(try ways() == [])
    }

    @Test func `who is being erased is out before the rest of them is gone`() throws {
        let proof = try #require(directory.token(secret, at: at(21)))
        _ = try Erasures(store).begin(
            user: "u-ann", reason: "r", options: ErasureOptions(), by: "boss", via: .cli, at: at(30)
        ).get()
        try directory.reload(store)
        #expect(!directory.holds(proof, at: at(31)))
        #expect(Set(try ways()).isSubset(of: ["calendar"]))
    }

    @Test func `of the owners one stays who can sign in`() throws {
        try perform(.changeRole(name: "ann", .owner))
        #expect(throws: StoreError.self) { try retire() }
        try perform(
            .invite(
                name: "ada", role: .owner, user: nil, invitation: Self.digest(1), expires: at(90)))
        let refused = #expect(throws: StoreError.self) { try retire() }
        guard case .document(let faults)? = refused else {
            Issue.record("not refused by the document")
            return
        }
        #expect(faults.contains { $0.contains("owns the site as ann") }, "\(faults)")
        #expect(try accounts.password(of: "ann") != nil, "nothing was written")
        try perform(.accept(invitation: Self.digest(1), password: "$scrypt$z"))
        try retire()
        #expect(try accounts.password(of: "ann") == nil)
    }

    @Test func `of all owners at once none is retired, though each alone might be`() throws {
        let asker = Asker(name: "boss", via: .rest, at: at(25))
        let editor = RowEditor(store)
        let people = ["u-one", "u-two"].map {
            SiteTree.section([("id", .text($0)), ("name", .text($0))])
        }
        try editor.perform(.addAll(.users, people), by: asker)
        try enter("one", .owner, "u-one", 1)
        try enter("two", .owner, "u-two", 2)
        let refusal = #expect(throws: BooksRefusal.self) {
            try editor.perform(.retireAll(.users, ["u-one", "u-two"]), by: asker)
        }
        #expect(
            refusal?.text.contains("owns the site as") == true, "\(String(describing: refusal))")
        #expect(try accounts.password(of: "one") != nil, "nothing was written")
        try editor.perform(.retireAll(.users, ["u-one"]), by: asker)
        #expect(try accounts.password(of: "one") == nil)
        #expect(try accounts.password(of: "two") != nil)
    }

    @Test func `the only owner is not erased before there is another one`() throws {
        try perform(.changeRole(name: "ann", .owner))
        func erase() throws -> Result<ErasureRun, BooksRefusal> {
            try Erasures(store).begin(
                user: "u-ann", reason: "r", options: ErasureOptions(), by: "boss", via: .cli,
                at: at(30))
        }
        guard case .failure(let refusal) = try erase() else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.description.hasPrefix("bad_state: "), "\(refusal)")
        #expect(refusal.text.hasSuffix("no other owner stays: make one first"), "\(refusal)")
        #expect(try ways().count == 5, "nothing was written")
        try enter("ada", .owner, nil, 1)
        _ = try erase().get()
        #expect(try accounts.password(of: "ann") == nil)
    }

    @Test func `an owner whose person an older release retired owns nothing any more`() throws {
        try perform(.changeRole(name: "ann", .owner))
        try scratch.execute("UPDATE user SET retired_ms = 1 WHERE slug = 'u-ann'")
        try directory.reload(store)
        #expect(directory.isUnclaimed)
        try perform(.claim(name: "ada", password: "$scrypt$a"))
        try directory.reload(store)
        #expect(!directory.isUnclaimed)
        let calls: [AccountCall] = [
            .claim(name: "eve", password: "$scrypt$e"), .disable(name: "ada"),
            .changeRole(name: "ada", .manager),
        ]
        for call in calls {
            let refused = #expect(throws: AccountRefusal.self) { try perform(call) }
            #expect(refused?.code == .badState, "ada is the only one who can sign in")
        }
    }

    @Test func `another role ends the sessions, another invitation the password too`() throws {
        try perform(.changeRole(name: "ann", .trainer))
        #expect(try accounts.all().sessions.isEmpty)
        #expect(try accounts.password(of: "ann") != nil)
        try perform(.openSession(name: "ann", hash: Self.digest(8), instead: nil))
        try perform(.renew(name: "ann", invitation: Self.digest(6), expires: at(90)))
        #expect(try accounts.all().sessions.isEmpty)
        #expect(try accounts.password(of: "ann") == nil)
    }

    @Test func `the only owner's password opens until another invitation is accepted`() throws {
        try perform(.changeRole(name: "ann", .owner))
        try perform(.openSession(name: "ann", hash: Self.digest(8), instead: nil))
        try perform(.renew(name: "ann", invitation: Self.digest(6), expires: at(90)))
        #expect(try accounts.all().sessions.isEmpty)
        #expect(try accounts.password(of: "ann") == "$scrypt$x", "or who loses it is out")
        try perform(.accept(invitation: Self.digest(6), password: "$scrypt$y"))
        #expect(try accounts.password(of: "ann") == "$scrypt$y")
        try enter("ada", .owner, nil, 1)
        try perform(.renew(name: "ann", invitation: Self.digest(6), expires: at(90)))
        #expect(try accounts.password(of: "ann") == nil, "ada can invite them again")
    }
}
