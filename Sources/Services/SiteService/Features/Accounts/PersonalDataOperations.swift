import Operations
import Records
import SiteModel
import SiteStore

// What people may ask of whoever holds data about them: to have it, and to be forgotten.

extension Operation {
    private static let exported: [Parameter] = [
        .always("user", .slug), .always("site", .slug), .always("at_ms", .time),
        .always("audit_head", .text(1...128), "The end of the audit's chain then."),
        .always("tables", .map(.list(.value)), "By name a list of rows, as they are stored."),
    ]

    static let personalData = [
        Operation(
            "person-export", "/api/v1/users/{id}/export", .privacy, about: .member("id"),
            "Everything that is held about somebody, table by table, as one file. The audit notes it.",
            .of(OfPerson.self), answer: .file("application/json", exported), refusals: [.notFound],
            noting: { asked, caller, store in
                guard try PersonExports(store).note(user: asked.user, by: caller.asker) else {
                    throw BooksRefusal.nobody
                }
            }
        ) { asked, caller, store in
            guard let export = try PersonExports(store).export(user: asked.user, at: caller.moment)
            else { throw BooksRefusal.nobody }
            return NamedFile(name: "\(export.user).json", bytes: export.json)
        },
        Operation(
            "person-erase", .post, "/api/v1/users/{id}/erase", .privacy,
            "Forgets a person for good: where they were and what they trained is deleted, their name is blanked "
                + "wherever it stands, their attendance stays under a pseudonym. They are unreadable when it is "
                + "answered; the rest is deleted in the minutes after.",
            .of(NewErasure.self), answer: .nothing, refusals: [.notFound, .badState], erases: true
        ) { asked, caller, store in
            _ = try Erasures(store).begin(
                user: asked.user, reason: asked.reason,
                options: ErasureOptions(
                    deletesAttendance: asked.deletesAttendance, keepsBeacons: asked.keepsBeacons),
                by: caller.name, via: caller.via, at: caller.moment
            ).get()
        },
    ]
}

private struct NewErasure: OperationInput {
    var user = ""
    var reason = ""
    var deletesAttendance = false
    var keepsBeacons = false

    static let members: [Member<NewErasure>] = [
        .needed("id", .reference("users"), \.user), .needed("reason", .freeText(1...500), \.reason),
        .preset(
            "attendance", .flag, \.deletesAttendance,
            "Also their attendance, where no law asks to keep it."),
        .preset(
            "keep_beacons", .flag, \.keepsBeacons,
            "Their tags stay registered, under new names, for somebody else."),
    ]
}
