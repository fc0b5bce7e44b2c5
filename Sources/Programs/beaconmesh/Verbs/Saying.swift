import ArgumentParser
import Basics
import CoordinatorService
import Foundation
import JSON
import Operations
import Records
import Platform
import Reporting
import Scheduling
import SiteClient
import SiteModel
import SiteStore
import SiteService
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
        On the coordinator's machine it is asked at the socket beside its database, as its owner, so that \
        the name alone will do. With --broker and --site, or where no socket answers, it goes over MQTT, \
        as a client that is enrolled there, if anybody is.

        beaconmesh attendance \(verb) "Paul R." --reason "forgot the tag"
        beaconmesh attendance \(verb) u-7k2m --broker 10.0.0.2 --site iron-works
        """
    }

    /// Refuses what makes no sense.
    func validate() throws {
        let lengths = 1...Verb.longestReason
        if let reason, !lengths.contains(reason.unicodeScalars.count) {
            throw ValidationError(
                "--reason: \(lengths.lowerBound) to \(lengths.upperBound) characters")
        }
    }

    func say(_ verb: Verb) throws {
        StopSignal.install()
        let isAsked = coordinator.needsSettings || place.coordinator.config != nil
        let settings = isAsked ? try place.coordinator.settings() : nil
        let slug = try slug(settings)
        if !coordinator.saysWhere, let database = place.database ?? settings?.sites[0].database,
            SiteAccess.isAnswered(database)
        {
            return try sayAsOwner(verb, slug, in: database)
        }
        let exact = moment.flatMap(StatedMoment.exact)
        let session = try coordinator.session(settings)
        let response = try session.ask(
            verb, id: coordinator.id, needsZone: moment != nil && exact == nil
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
        case .workout, .set, .station, .result: throw Self.strange
        case .error(let code, let message): throw Self.refusal(code, message)
        }
    }

    private static func refusal(_ code: String, _ message: String) -> Exit {
        Exit(code: ProblemCode.exitCode(of: code), text: "\(code): \(message)")
    }

    private static var strange: Exit {
        Exit(code: 76, text: "the coordinator answered something else")
    }

    /// Asks the coordinator of this machine as its owner, whoever is enrolled at the broker.
    private func sayAsOwner(
        _ verb: Verb, _ slug: String, in database: String
    ) throws {
        struct Problem: Decodable {
            var code, detail: String
        }
        var named = place
        named.database = database
        let now = AnchoredClock().now
        let (at, clock) = try named.read { store in
            (
                try moment.map { try Self.moment($0, in: store, at: now) },
                try times.clock(of: store, at: now)
            )
        }
        let body = RequestPayload.Arguments(
            user: slug, atMs: at?.milliseconds, reason: reason)
        let answer = try SiteAccess.ask(
            database, verb.method.rawValue, verb.path,
            coordinator.id.map { [("Idempotency-Key", $0)] } ?? [], Data(body.json))
        guard answer.status == 200 else {
            guard let problem = try? JSONDecoder().decode(Problem.self, from: answer.body) else {
                throw Self.strange
            }
            throw Self.refusal(problem.code, problem.detail)
        }
        show(try Self.session(in: Array(answer.body)), by: clock)
    }

    private static func session(in json: [UInt8]) throws -> SessionPayload {
        do throws(PayloadError) {
            let object = try JSONObject(document: json.span, limit: ResponsePayload.limit)
            return try SessionPayload(object, in: json.span)
        } catch {
            throw strange
        }
    }

    /// What the clocks of the site show.
    private static func moment(
        _ text: String, in store: Store, at now: Timestamp
    ) throws -> Timestamp {
        if let exact = StatedMoment.exact(text) { return exact }
        do {
            return try AttendanceVerb.clocks(of: store, at: now).moment(text)
        } catch let refusal as BooksRefusal {
            throw Exit(refusal)
        }
    }

    /// Who is meant. Names are in the database only: without it an id is taken as it is given.
    private func slug(_ settings: CoordinatorConfiguration?) throws -> String {
        guard let database = place.database ?? settings?.sites[0].database,
            place.database != nil || !user.isSlug
                || FileManager.default.isReadableFile(atPath: database)
        else {
            guard user.isSlug else {
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
