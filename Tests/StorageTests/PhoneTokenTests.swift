import Permissions
import Testing

@testable import Accounts
@testable import Records
@testable import SiteModel
@testable import SiteStore

/// What ends the token of a phone.
struct PhoneTokenTests {
    private let scratch: Scratch
    private let store: Store
    private let directory = AccountDirectory()

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
        let digest = [UInt8](repeating: 7, count: 32)
        for call in [
            AccountCall.claim(name: "ada", password: "$scrypt$x"),
            .invite(
                name: "ann", role: .member, user: "u-ann", invitation: digest, expires: at(90)),
            .accept(invitation: digest, password: "$scrypt$x"),
            .addToken(
                name: "phone-u-ann-1", hash: OneTimeSecret.hash(of: "a"), role: .member,
                scopes: [.activity], user: "u-ann", expires: nil),
            .addToken(
                name: "watch", hash: OneTimeSecret.hash(of: "b"), role: .member, scopes: [],
                user: "u-ann", expires: nil),
        ] { try perform(call) }
    }

    private func perform(_ call: AccountCall) throws {
        try Accounts(store).perform(call, by: "ada", via: .rest, at: at(20))
    }

    private var lets: [Bool] {
        get throws {
            try directory.reload(store)
            return ["a", "b"].map { directory.token($0, at: at(30)) != nil }
        }
    }

    @Test(
        arguments: [
            AccountCall.endSessions(name: "ann"),
            .renew(name: "ann", invitation: [UInt8](repeating: 9, count: 32), expires: at(90)),
        ])
    func `it ends with everything that is signed in, and the audit says so`(
        call: AccountCall
    ) throws {
        #expect(try lets == [true, true])
        try perform(call)
        #expect(try lets == [false, true], "what an owner made for a program stays")
        #expect(
            try store.texts("SELECT count(*) FROM audit_log WHERE action = 'revoke'") == ["1"])
        #expect(try AuditTrail(store).verify().fault == nil)
    }

    @Test func `a new password leaves it, another role without activity refuses it`() throws {
        try perform(.setPassword(name: "ann", password: "$scrypt$y", keeping: nil))
        #expect(try lets == [true, true])
        try perform(.changeRole(name: "ann", .auditor))
        #expect(try lets == [false, true])
        try perform(.changeRole(name: "ann", .trainer))
        #expect(try lets == [true, true])
        try perform(.disable(name: "ann"))
        #expect(try lets == [false, true])
    }
}
