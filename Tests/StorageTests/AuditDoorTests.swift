import Permissions
import Testing

@testable import Accounts
@testable import Records
@testable import SiteModel
@testable import SiteStore

/// Accounts and tokens are what the chain last said of them, or the row that is not is named.
struct AuditDoorTests {
    private let scratch: Scratch
    private let store: Store

    /// Ada claimed the site; Ann was invited, accepted, became a manager, was disabled and enabled; two tokens
    /// were made, one of them revoked.
    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
        let invitation = [UInt8](repeating: 7, count: 32)
        for call in [
            AccountCall.claim(name: "ada", password: "$scrypt$x"),
            .invite(
                name: "ann", role: .trainer, user: "u-ann", invitation: invitation,
                expires: at(90)),
            .accept(invitation: invitation, password: "$scrypt$x"),
            .changeRole(name: "ann", .manager), .disable(name: "ann"), .enable(name: "ann"),
            .addToken(
                name: "wall", hash: [UInt8](repeating: 1, count: 32), role: .screen, scopes: [],
                user: nil, expires: nil),
            .addToken(
                name: "crm", hash: [UInt8](repeating: 2, count: 32), role: .integration,
                scopes: [.peopleRead, .attendanceRead], user: nil, expires: nil),
            .revokeToken(name: "wall"),
        ] {
            try Accounts(store).perform(call, by: "boss", via: .cli, at: at(20))
        }
    }

    @Test func `untouched they are what the chain says`() throws {
        let verdict = try AuditTrail(store).verify()
        #expect(verdict.fault == nil && verdict.compared == 4 && verdict.unknown == 0)
    }

    @Test(
        arguments: [
            ("UPDATE token SET role = 'owner' WHERE id = 2", "token", 2),
            ("UPDATE token SET scopes = '[\"people:write\"]' WHERE id = 2", "token", 2),
            ("UPDATE token SET user = 1 WHERE id = 2", "token", 2),
            ("UPDATE token SET revoked_ms = NULL WHERE id = 1", "token", 1),
            (
                """
                INSERT INTO token (name, hash, role, scopes, made_ms)
                VALUES ('mine', zeroblob(32), 'owner', '[]', 0)
                """, "token", 3
            ),
            ("UPDATE account SET role = 'owner' WHERE name = 'ann'", "account", 2),
            ("UPDATE account SET user = 2 WHERE name = 'ann'", "account", 2),
            ("UPDATE account SET disabled_ms = 1 WHERE name = 'ada'", "account", 1),
        ] as [(String, String, Int64)]
    )
    func `what an insider wrote is named`(sql: String, table: String, id: Int64) throws {
        try store.pool.writeWithoutTransaction { try $0.execute(sql: sql) }
        guard case .row(let found, let row, _)? = try AuditTrail(store).verify().fault else {
            Issue.record("nothing is found")
            return
        }
        #expect(found == table && row == id)
    }
}
