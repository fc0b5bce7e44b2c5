import ArgumentParser
import Basics
import CoordinatorService
import Foundation
import Records
import SiteModel
import Platform
import Reporting
import SiteInterface
import WebServer
import Wire

/// What both take. They never toggle: who is in already is told so.
struct Saying: ParsableArguments {
    @Argument(help: "Who: their id (u-…), or, where the database is, their name.")
    var user: String

    @OptionGroup var coordinator: CoordinatorOptions

    @OptionGroup var place: DatabaseOptions

    @Option(
        name: .customLong("at"),
        help: """
            When, as 2026-03-29T14:30:00+02:00, or as the site's clocks show it, \
            “2026-03-29 14:30”; now if not given.
            """)
    var moment: String?

    @Option(help: "Why, at most 256 characters.")
    var reason: String?

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var times: TimeOptions

    static func examples(_ verb: String) -> String {
        """
        Broker, site and database are those of the coordinator's configuration, so that on its \
        machine the name alone will do.

        beaconmesh attendance \(verb) "Paul R." --reason "forgot the tag"
        beaconmesh attendance \(verb) u-7k2m --broker 10.0.0.2 --site iron-works
        """
    }

    /// Refuses what makes no sense.
    func validate() throws {
        if let reason, reason.unicodeScalars.count > RequestPayload.longestReason {
            throw ValidationError(
                "--reason: at most \(RequestPayload.longestReason) characters")
        }
    }

    func say(_ operation: Wire.Operation) throws {
        StopSignal.install()
        let isAsked = coordinator.needsSettings || place.coordinator.config != nil
        let settings = isAsked ? try place.coordinator.settings() : nil
        let slug = try slug(settings)
        let exact = moment.flatMap(StatedMoment.exact)
        let session = try coordinator.session(settings)
        let response = try session.ask(
            operation, id: coordinator.id, needsZone: moment != nil && exact == nil
        ) { zone in
            var arguments = RequestPayload.Arguments(user: slug, reason: reason)
            if let exact {
                arguments.atMs = exact.milliseconds
            } else if let moment {
                arguments.atMs = try Self.moment(moment, zone: zone).milliseconds
            }
            return arguments
        }
        switch response.outcome {
        case .session(let stored): show(stored, by: try clock(of: session.zone))
        case .workout, .result:
            throw Exit(code: 76, text: "the coordinator answered something else")
        case .error(let code, let message):
            throw Exit(code: ProblemCode.exitCode(of: code), text: "\(code): \(message)")
        }
    }

    /// Who is meant. Names are in the database only: without it an id is taken as it is given, and
    /// the coordinator says whether it knows it.
    private func slug(_ settings: CoordinatorConfiguration?) throws -> String {
        guard let database = place.database ?? settings?.sites[0].database,
            place.database != nil || !Names.isSlug(user)
                || FileManager.default.isReadableFile(atPath: database)
        else {
            guard Names.isSlug(user) else {
                throw Exit(
                    code: 64,
                    text: """
                        \(TerminalText.harmless(user)) is no id, and names are in the site's \
                        database: add --database or --config, or give the id (u-…)
                        """)
            }
            return user
        }
        var named = place
        named.database = database
        return try named.read { try NameResolver.person(user, in: $0, isActive: true).slug }
    }

    /// The site's clocks; UTC before it has told its zone.
    private func clock(of zone: String?) throws -> ZonedClock {
        guard !times.utc, let zone else { return .utc }
        do {
            return ZonedClock(try TimeZoneTable(iana: zone))
        } catch {
            return .utc
        }
    }

    /// What the clocks of the site's zone show.
    private static func moment(_ text: String, zone: String?) throws -> Timestamp {
        guard let zone, let table = try? TimeZoneTable(iana: zone) else {
            throw Exit(code: 69, text: "the site's time zone is not known here: give an offset")
        }
        do {
            let calendar = SiteCalendar(table, dayStart: .midnight)
            return try StatedMoment(calendar: calendar).moment(text)
        } catch {
            throw Exit(error)
        }
    }

    private func show(_ session: SessionPayload, by clock: ZonedClock) {
        if json { return print(session.text) }
        let from = clock.text(Timestamp(milliseconds: session.checkInMs))
        let to = session.checkOutMs.map { clock.text(Timestamp(milliseconds: $0)) }
        print("session \(session.id) of \(session.user): \(from) – \(to ?? "open")")
        if !session.review.isEmpty {
            print("to be looked at: \(session.review.map(\.rawValue).joined(separator: ", "))")
        }
        print(clock.line)
    }
}
