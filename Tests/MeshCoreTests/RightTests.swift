import Permissions
import Testing

/// Who may do what: the table, told once more by hand, so that no slip of a hand changes it.
struct RightTests {
    private static func member(_ role: Role, user: String? = "u-a") -> Principal {
        Principal(name: "x", role: role, user: user)
    }

    /// What a role may do of the whole site.
    private static let whole: [(Role, Set<Right>)] = [
        (.owner, Set(Right.allCases)),
        (
            .manager,
            Set(Right.allCases).subtracting([
                .accounts, .activityRead, .activityWrite, .activityShared, .privacy,
            ])
        ),
        (
            .auditor,
            [
                .documentation, .session, .live, .placesRead, .peopleRead, .attendanceRead,
                .reports, .workoutsRead, .rosterRead, .calibrationRead, .audit, .metrics,
            ]
        ),
        (
            .trainer,
            [
                .documentation, .session, .live, .placesRead, .peopleRead, .workoutsRead,
                .workoutsWrite, .activityShared,
            ]
        ),
        (.member, [.documentation, .session, .placesRead]),
        (.screen, [.documentation, .session, .placesRead]),
        (.kiosk, [.documentation, .session, .placesRead, .check]),
        (.node, []),
    ]

    @Test(arguments: whole)
    func `a role reaches the whole site by this and nothing else`(role: Role, rights: Set<Right>) {
        let reached = Right.allCases.filter { Self.member(role).reach($0) == .site }
        #expect(Set(reached) == rights)
    }

    @Test func `a member reaches their own, and without a person nothing of anybody`() {
        let own = Right.allCases.filter { Self.member(.member).reach($0) == .own }
        #expect(
            Set(own) == [
                .live, .peopleRead, .sharing, .attendanceRead, .check, .correct, .reports,
                .workoutsRead, .workoutsWrite, .rosterRead, .activityRead, .activityWrite,
                .pin, .privacy,
            ])
        let nobody = Self.member(.member, user: nil)
        for right in own { #expect(nobody.reach(right) < .own, "\(right)") }
        #expect(nobody.reach(.live) == .nameless)
    }

    @Test(arguments: [Role.trainer, .screen, .kiosk, .member, .node, .integration])
    func `wages are read by those only who answer for them`(role: Role) {
        #expect(Self.member(role).reach(.reports) < .site)
        #expect(Self.member(role).reach(.attendanceRead) < .site)
        #expect(Self.member(role).reach(.decide) == .nothing)
        #expect(Self.member(role).reach(.lock) == .nothing)
    }

    @Test(arguments: [Role.manager, .trainer, .member])
    func `what somebody walks is theirs alone`(role: Role) {
        #expect(Self.member(role).reach(.activityRead) == .own)
        #expect(Self.member(role, user: nil).reach(.activityRead) == .nothing)
        #expect(Self.member(.auditor).reach(.activityRead) == .nothing)
    }

    @Test(arguments: Role.allCases)
    func `nobody but the owner manages accounts`(role: Role) {
        #expect((Self.member(role).reach(.accounts) == .site) == (role == .owner))
    }

    @Test(arguments: Scope.allCases)
    func `a scope opens its rights and no other`(scope: Scope) {
        let program = Principal(name: "x", role: .integration, scopes: [scope])
        for right in Right.allCases where right != .documentation && right != .session {
            let isOpen = right.scope == scope && !scope.isPersonal
            #expect(program.reach(right) == (isOpen ? .site : .nothing), "\(right)")
        }
    }

    @Test func `a phone sends what its person does, and no more`() {
        let phone = Principal(name: "x", role: .member, user: "u-ann", scopes: [.activity])
        for right in Right.allCases where right != .documentation && right != .session {
            let isOpen = right == .activityRead || right == .activityWrite
            #expect(phone.reach(right) == (isOpen ? .own : .nothing), "\(right)")
        }
    }

    @Test func `no scope opens accounts, decisions, locks or the audit`() {
        let program = Principal(name: "x", role: .integration, scopes: Set(Scope.allCases))
        for right in [Right.accounts, .decide, .lock, .audit, .rosterWrite, .webhooks] {
            #expect(program.reach(right) == .nothing, "\(right)")
        }
    }
}
