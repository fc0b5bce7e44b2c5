import Basics
import Foundation
import Platform
import Records
import Scheduling
import SiteModel
import SiteStore

/// Finds the one thing that somebody means by its id or its name.
///
/// An exact id goes before an exact name, and that before a name whatever its case. A text that fits
/// several is refused and they are named; for one that fits none, those that come near are, else some.
package struct NameResolver {
    /// Something with an id and a name; both are what people may type.
    package struct Thing: Equatable {
        package var id: String
        /// Hostile text.
        package var name: String

        package init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// At most so many are named in place of a text that fits none or several.
    private static let mostNamed = 5

    /// What they are, for messages: `user`.
    package let kind: String
    package let things: [Thing]

    package init(kind: String, things: [Thing]) {
        self.kind = kind
        self.things = things
    }

    /// What `text` means. Throws an `Exit`: 3 if there is no such thing, 64 if there are several.
    package func find(_ text: String) throws(Exit) -> Thing {
        if let thing = things.first(where: { $0.id == text }) { return thing }
        let folded = Self.folded(text)
        guard !folded.isEmpty else { throw unknown(text) }
        for same in [
            things.filter { $0.name == text }, things.filter { Self.folded($0.name) == folded },
        ] {
            guard let first = same.first else { continue }
            guard same.count == 1 else { throw ambiguous(text, same) }
            return first
        }
        throw unknown(text)
    }

    /// What comes near a text: names of which it begins a word, else what differs by slips of the
    /// finger.
    package func near(_ text: String) -> [Thing] {
        let folded = Self.bare(text)
        guard !folded.isEmpty else { return [] }
        let words = things.filter { thing in
            Self.bare(thing.name).split(separator: " ").contains { $0.hasPrefix(folded) }
        }
        guard words.isEmpty else { return Array(words.prefix(Self.mostNamed)) }
        let known = things.flatMap { [$0.id, Self.bare($0.name)] }
        guard let nearest = Suggestion.nearest(to: folded, among: known) else { return [] }
        let found = things.filter { $0.id == nearest || Self.bare($0.name) == nearest }
        return Array(found.prefix(Self.mostNamed))
    }

    private func unknown(_ text: String) -> Exit {
        var message = "not_found: there is no \(kind) “\(TerminalText.harmless(text))”"
        let offered = near(text)
        if !offered.isEmpty {
            message += "; did you mean \(offered.map(Self.shown).joined(separator: " or "))?"
        } else if !things.isEmpty {
            message += "; there is \(Self.list(things, ", ", " and "))"
        }
        return Exit(code: 3, text: message)
    }

    private func ambiguous(_ text: String, _ same: [Thing]) -> Exit {
        Exit(
            code: 64,
            text: """
                bad_request: “\(TerminalText.harmless(text))” is the name of several: give the id \
                of \(Self.list(same, " or ", " or "))
                """)
    }

    /// The first few, and how many more.
    private static func list(_ things: [Thing], _ between: String, _ last: String) -> String {
        let more = things.count - mostNamed
        return things.prefix(mostNamed).map(shown).joined(separator: between)
            + (more > 0 ? "\(last)\(more) more" : "")
    }

    private static func shown(_ thing: Thing) -> String {
        thing.name.isEmpty || thing.name == thing.id
            ? thing.id : "\(TerminalText.harmless(thing.name)) (\(thing.id))"
    }

    /// The same for names that differ in case or in blanks around them.
    private static func folded(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
    }

    /// Without accents, too: good enough for a guess, not for an answer.
    private static func bare(_ text: String) -> String {
        folded(text).folding(options: .diacriticInsensitive, locale: nil)
    }
}

extension NameResolver {
    /// The person of an id or a name. `isActive`: only of those who did not leave. Throws an `Exit`.
    package static func person(
        _ text: String, in store: Store, isActive: Bool = false
    ) throws -> ReportPerson {
        let people = try ReportRows(store).people().filter { !isActive || !$0.isRetired }
        let names = NameResolver(
            kind: "user", things: people.map { .init(id: $0.slug, name: $0.name) })
        let found = try names.find(text)
        guard let person = people.first(where: { $0.slug == found.id }) else {
            preconditionFailure("a person without a row")
        }
        return person
    }

    /// The node of an id or a name. Throws an `Exit`.
    package static func node(_ text: String, in store: Store) throws -> String {
        let nodes = try Excuses(store).told().map { NameResolver.Thing(id: $0.node, name: $0.name) }
        return try NameResolver(kind: "node", things: nodes).find(text).id
    }

    /// The shift of an id or a name, of those that are worked. Throws an `Exit`.
    package static func shift(_ text: String, in store: Store) throws -> String {
        let shifts = try Roster(store).shifts(removed: false).map {
            NameResolver.Thing(id: $0.slug, name: $0.name)
        }
        return try NameResolver(kind: "shift", things: shifts).find(text).id
    }
}

/// Two tags that come and go together: perhaps one person carries both. A reason to ask, no proof:
/// the levels they are heard at are not compared, and two people may share a car.
package struct Twins: Equatable, Sendable {
    /// The one with the lower row.
    package var first: UserID
    package var second: UserID
    /// The business days on which they came and went together.
    package var days: [LocalDate]

    /// How far apart they may come, and go.
    package static let reach = Timestamp.Span.seconds(3)
    /// On how many days they must, to be reported.
    package static let leastDays = 3

    /// Looks for twins.
    ///
    /// - Parameter sessions: Those of everybody that are over and not void, by their start.
    package static func rows(of sessions: [Session], _ calendar: SiteCalendar) -> [Twins] {
        struct Pair: Hashable {
            var first: UserID
            var second: UserID
        }
        var near: [Session] = []
        var days: [Pair: Set<LocalDate>] = [:]
        for session in sessions {
            guard let to = session.to else { continue }
            near.removeAll { $0.from + reach < session.from }
            for other in near where other.user != session.user {
                guard let end = other.to, abs((end - to).milliseconds) <= reach.milliseconds else {
                    continue
                }
                let pair = Pair(
                    first: min(session.user, other.user), second: max(session.user, other.user))
                days[pair, default: []].insert(calendar.businessDay(of: other.from))
            }
            near.append(session)
        }
        return days.filter { $0.value.count >= leastDays }.map { pair, days in
            Twins(first: pair.first, second: pair.second, days: days.sorted())
        }.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
    }
}
