import Testing

@testable import Accounts
@testable import Permissions
@testable import SiteModel
@testable import SiteStore

/// Whose account an invitation is, told as long as it can be used.
struct InvitationTests {
    private let scratch: Scratch
    private let accounts: Accounts
    private let digest = [UInt8](repeating: 7, count: 32)

    init() throws {
        scratch = try Scratch()
        accounts = Accounts(try scratch.store())
        try perform(
            .invite(
                name: "grace", role: .trainer, user: nil, invitation: digest, expires: at(60)))
    }

    private func perform(_ call: AccountCall) throws {
        try accounts.perform(call, by: "ada", via: .rest, at: at(0))
    }

    private func refusal(_ invitation: [UInt8], _ seconds: Double = 1) -> ProblemCode? {
        do {
            _ = try accounts.invitee(of: invitation, at: at(seconds))
            return nil
        } catch { return (error as? AccountRefusal)?.code }
    }

    @Test func `it says name and role, and looking uses nothing up`() throws {
        for _ in 0..<2 {
            let invitee = try accounts.invitee(of: digest, at: at(59))
            #expect(invitee.name == "grace" && invitee.role == .trainer)
        }
        try perform(.accept(invitation: digest, password: "$scrypt$"))
        #expect(refusal(digest) == .notFound, "it was used")
    }

    @Test func `what cannot be accepted says nothing`() throws {
        #expect(refusal([UInt8](repeating: 8, count: 32)) == .notFound)
        #expect(refusal(digest, 60) == .expired)
        try perform(
            .renew(
                name: "grace", invitation: [UInt8](repeating: 9, count: 32), expires: at(60)))
        #expect(refusal(digest) == .notFound, "another one was made")
        try perform(.disable(name: "grace"))
        #expect(refusal([UInt8](repeating: 9, count: 32)) == .notFound, "the account is disabled")
    }
}
