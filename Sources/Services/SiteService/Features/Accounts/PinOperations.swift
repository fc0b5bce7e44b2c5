import Accounts
import Operations
import Records
import SiteModel
import SiteStore

// The numbers by which people check in at a kiosk, and whom it finds by name.

extension Operation {
    static let pins = [
        Operation(
            "pin", "/api/v1/users/{id}/pin", .pin, about: .member("id"),
            "Whether somebody has a PIN for the kiosk.", .of(OfPerson.self), answer: .row
        ) { asked, _, store in PinTold(made: try Pins(store).made(of: asked.user)) },
        Operation(
            "pin-make", .post, "/api/v1/users/{id}/pin", .pin, about: .member("id"),
            "Gives somebody a PIN for the kiosk, in the place of the one before; it is shown once.",
            .of(OfPerson.self), answer: .added, refusals: [.notFound, .badState], isShownOnce: true
        ) { asked, caller, store in
            NewPin(pin: try Pins(store).make(for: asked.user, by: caller.asker))
        },
        Operation(
            "pin-remove", .delete, "/api/v1/users/{id}/pin", .pin, about: .member("id"),
            "Takes somebody's PIN away.", .of(OfPerson.self), answer: .nothing,
            refusals: [.notFound]
        ) { asked, caller, store in
            try Pins(store).remove(of: asked.user, by: caller.asker)
        },
        Operation(
            "kiosk-people", "/api/v1/kiosk/people", .check,
            "People of whose name a word begins so, at most \(Pins.mostFound): for a kiosk, with nothing but their names.",
            .of(KioskSearch.self), answer: .rows("people")
        ) { asked, _, store in try Pins(store).people(named: asked.name) },
    ]
}

private struct PinTold: OperationOutput {
    var made: Timestamp?

    static let members: [Member<PinTold>] = [
        .optional("made_ms", .time, \.made, "Since when; not there without one.")
    ]
}

private struct NewPin: OperationOutput {
    var pin: String

    static let members: [Member<NewPin>] = [.needed("pin", .anyText, \.pin)]
}

private struct KioskSearch: OperationInput {
    var name = ""

    static let members: [Member<KioskSearch>] = [
        .needed("name", .text(Pins.shortestPart...64), \.name, "The beginning of a word of it.")
    ]
}

extension Pins.Owner: OperationOutput {
    package static let members: [Member<Pins.Owner>] = [
        .needed("user", .slug, \.user), .needed("name", .anyText, \.name),
    ]
}
