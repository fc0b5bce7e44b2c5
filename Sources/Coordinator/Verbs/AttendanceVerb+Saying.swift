import ArgumentParser
import Daemon
import Foundation
import MeshCore
import MeshWire
import Reports

extension AttendanceVerb {
    /// `beaconmesh attendance check-in`.
    struct CheckIn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says that somebody is in; a running coordinator stores it.")

        @OptionGroup var saying: Saying

        func run() async throws { try saying.say(.checkIn) }
    }

    /// `beaconmesh attendance check-out`.
    struct CheckOut: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says that somebody left; a running coordinator stores it.")

        @OptionGroup var saying: Saying

        func run() async throws { try saying.say(.checkOut) }
    }

    /// What both take. They never toggle: who is in already is told so.
    struct Saying: ParsableArguments {
        @Argument(help: "The user's slug.")
        var user: String

        @OptionGroup var coordinator: CoordinatorOptions

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

        /// Refuses what makes no sense.
        func validate() throws {
            guard Names.isSlug(user) else {
                throw ValidationError("USER: 1 to 64 of a-z, 0-9 and “-”")
            }
            if let reason, reason.unicodeScalars.count > RequestPayload.longestReason {
                throw ValidationError(
                    "--reason: at most \(RequestPayload.longestReason) characters")
            }
        }

        func say(_ operation: MeshWire.Operation) throws {
            StopSignal.install()
            let exact = moment.flatMap { try? Date($0, strategy: .iso8601) }
            let response = try coordinator.session().ask(
                operation, id: coordinator.id, needsZone: moment != nil && exact == nil
            ) { zone in
                var arguments = RequestPayload.Arguments(user: user, reason: reason)
                if let exact {
                    arguments.atMs = Int64((exact.timeIntervalSince1970 * 1000).rounded())
                } else if let moment {
                    arguments.atMs = try Self.moment(moment, zone: zone).milliseconds
                }
                return arguments
            }
            switch response.outcome {
            case .session(let session): show(session)
            case .workout: throw Exit(code: 76, text: "the coordinator answered something else")
            case .error(let code, let message):
                throw Exit(code: Self.exit(for: code), text: "\(code): \(message)")
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

        private func show(_ session: SessionPayload) {
            if json { return print(session.text) }
            let clock = LocalTime()
            let from = clock.text(Timestamp(milliseconds: session.checkInMs))
            let to = session.checkOutMs.map { clock.text(Timestamp(milliseconds: $0)) }
            print("session \(session.id) of \(session.user): \(from) – \(to ?? "open")")
            if !session.review.isEmpty {
                print("to be looked at: \(session.review.map(\.rawValue).joined(separator: ", "))")
            }
        }

        /// 3 not found, 4 in conflict with what is there, 5 refused, 64 a wrong question, 69 nobody
        /// can answer.
        private static func exit(for code: String) -> Int32 {
            switch code {
            case "not_found": 3
            case "already_in", "not_in", "overlap", "rev_conflict", "bad_state": 4
            case "bad_request": 64
            case "unavailable": 69
            default: 5
            }
        }
    }
}

extension SessionPayload {
    /// The session as one line of JSON.
    var text: String {
        var writer = JSONWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
