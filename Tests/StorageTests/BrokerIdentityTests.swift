import Permissions
import Testing

@testable import Accounts
@testable import BrokerAccess
import Ciphers
@testable import Records
@testable import Registry
@testable import SitePipeline
@testable import SiteModel
@testable import SiteStore
@testable import Wire

/// Who is enrolled at the broker, as it is stored.
struct BrokerIdentityTests {
    private let scratch: Scratch
    private let store: Store
    private let asker = Asker(name: "boss", via: .cli, at: at(10))
    private let hash = BrokerPassword.hash(of: "secret")

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
    }

    private func enrol(_ identity: BrokerIdentity) throws -> Int64 {
        try BrokerIdentities(store).enrol(NewBrokerIdentity(identity, hash: hash), by: asker)
    }

    private func refusal(_ body: () throws -> Void) throws -> ProblemCode? {
        do {
            try body()
            return nil
        } catch let refusal as BooksRefusal {
            return refusal.code
        }
    }

    @Test func `who is enrolled comes back as it was stored, and revoked ones without a hash`()
        throws
    {
        let all = [
            BrokerIdentity(name: "n-hall", kind: .node),
            BrokerIdentity(name: "ann-phone", kind: .member, person: "u-ann"),
            BrokerIdentity(name: "desk", kind: .integration, scopes: [.requests, .attendance]),
        ]
        for identity in all { _ = try enrol(identity) }
        #expect(try BrokerIdentities(store).all().identities.map(\.identity) == all)
        let later = Asker(name: "boss", via: .cli, at: at(20))
        try BrokerIdentities(store).revoke("ann-phone", by: later)
        let rows = try BrokerIdentities(store).all().identities
        #expect(rows.map(\.revoked) == [nil, at(20), nil])
        #expect(rows.map(\.hash) == [hash, "", hash])
        let policy = try BrokerIdentities(store).policy()
        #expect(policy.verdict(on: .checkIn, user: "u-ann", from: "ann-phone") == .forbidden)
        #expect(policy.verdict(on: .checkIn, user: "u-ann", from: "desk") == .allowed)
    }

    @Test func `a name is enrolled once, and again after it was revoked`() throws {
        let kiosk = BrokerIdentity(name: "door", kind: .kiosk)
        #expect(try enrol(kiosk) == 1)
        #expect(try refusal { _ = try enrol(kiosk) } == .overlap)
        try BrokerIdentities(store).revoke("door", by: asker)
        #expect(try refusal { try BrokerIdentities(store).revoke("door", by: asker) } == .notFound)
        #expect(try enrol(kiosk) == 2)
    }

    @Test func `what cannot be is refused, and nothing is written`() throws {
        let node = BrokerIdentity(name: "n-none", kind: .node)
        let member = BrokerIdentity(name: "x", kind: .member, person: "u-none")
        for stranger in [node, member] {
            #expect(try refusal { _ = try enrol(stranger) } == .notFound)
        }
        for name in ["a+b", "#", "a/b", "door\nuser root", String(repeating: "a", count: 65)] {
            let kiosk = BrokerIdentity(name: name, kind: .kiosk)
            #expect(try refusal { _ = try enrol(kiosk) } == .badRequest, "\(name)")
        }
        // A second line would be another user of the broker.
        for hash in ["", "secret", "$7$101$c2FsdA==$a2V5\nroot:$7$101$c2FsdA==$a2V5"] {
            let new = NewBrokerIdentity(BrokerIdentity(name: "x", kind: .kiosk), hash: hash)
            #expect(
                try refusal { _ = try BrokerIdentities(store).enrol(new, by: asker) } == .badRequest
            )
        }
        let (rows, isUnused) = try BrokerIdentities(store).all()
        #expect(rows.isEmpty && isUnused)
        #expect(try AuditTrail(store).entries(entity: "broker_identity", most: 9).isEmpty)
    }

    @Test func `each enrolment and revocation is a line of the audit`() throws {
        _ = try enrol(BrokerIdentity(name: "ann-phone", kind: .member, person: "u-ann"))
        try BrokerIdentities(store).revoke("ann-phone", by: asker)
        let lines = try AuditTrail(store).entries(entity: "broker_identity", most: 9)
        #expect(lines.map(\.action) == ["enrol", "revoke"])
        #expect(lines.allSatisfy { $0.user == ann && $0.actor == "boss" && $0.entityID == "1" })
        #expect(lines.allSatisfy { $0.after?.contains("ann-phone") == true })
        #expect(!lines.contains { $0.after?.contains("$7$") == true })
        #expect(try AuditTrail(store).verify().fault == nil)
    }

    /// Else an erasure would open the site to requests of anybody.
    @Test func `who is erased is no identity any more, and the site stays closed`() throws {
        _ = try enrol(BrokerIdentity(name: "ann-phone", kind: .member, person: "u-ann"))
        #expect(try !BrokerIdentities(store).policy().isOpen)
        var run = try Erasures(store).begin(
            user: "u-ann", reason: "r", options: ErasureOptions(), by: "boss", via: .cli, at: at(30)
        ).get()
        while try run.step(on: store) == nil {}
        #expect(try BrokerIdentities(store).all().identities.isEmpty)
        #expect(try !BrokerIdentities(store).policy().isOpen)
    }

    /// What the phone of somebody may as its account goes through its life.
    @Test func `only an account that was accepted gives a phone its rights, until it is disabled`()
        throws
    {
        _ = try enrol(BrokerIdentity(name: "ann-phone", kind: .member, person: "u-ann"))
        func role() throws -> Role? {
            try BrokerIdentities(store).policy().principal(of: "ann-phone")?.role
        }
        func perform(_ call: AccountCall) throws {
            try Accounts(store).perform(call, by: "boss", via: .cli, at: at(20))
        }
        #expect(try role() == .member)
        let invitation = [UInt8](repeating: 7, count: 32)
        try perform(
            .invite(
                name: "ann", role: .manager, user: "u-ann", invitation: invitation,
                expires: at(90)))
        #expect(try role() == .member)
        try perform(.disable(name: "ann"))
        #expect(try role() == nil)
        try perform(.enable(name: "ann"))
        #expect(try role() == .member)
        try perform(.accept(invitation: invitation, password: "$scrypt$x"))
        #expect(try role() == .manager)
        // Until another invitation is taken there is no password, as before the first.
        let another = [UInt8](repeating: 8, count: 32)
        try perform(.renew(name: "ann", invitation: another, expires: at(90)))
        #expect(try role() == .member)
        try perform(.accept(invitation: another, password: "$scrypt$y"))
        #expect(try role() == .manager)
        try perform(.disable(name: "ann"))
        let policy = try BrokerIdentities(store).policy()
        #expect(policy.verdict(on: .checkIn, user: nil, from: "ann-phone") == .forbidden)
        #expect(policy.principal(of: "ann-phone") == nil)
    }

    @Test func `passwords are 24 letters and digits that no two share`() {
        let made = (0..<100).map { _ in BrokerPassword.random() }
        #expect(Set(made).count == 100)
        #expect(made.allSatisfy { $0.wholeMatch(of: /[a-km-np-z2-9]{24}/) != nil })
        #expect(TypedLetters.all.count == 32 && Set(TypedLetters.all).count == 32)
        #expect(BrokerPassword.hash(of: "a") != BrokerPassword.hash(of: "a"))
        // As mosquitto_passwd 2.0.11 would with this salt (Python's hashlib agrees).
        let hash = BrokerPassword.hash(of: "secret", salt: Array(0..<12))
        #expect(hash.hasPrefix("$7$101$AAECAwQFBgcICQoL$Xr99N9ym9ys8TWxis5ajETJq6EVYzmc6nb8t3pUY"))
    }
}
