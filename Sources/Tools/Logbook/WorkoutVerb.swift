import ArgumentParser
import Basics
import Foundation
import JSON
import Operations
import Platform
import Registry
import Scheduling
import SiteClient
import SiteModel

/// `beaconmesh workout`: a workout by hand from a terminal, and what was trained.
package struct WorkoutVerb: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "workout", abstract: "Logs workouts and sets, and shows what was trained.",
        discussion: """
            Of whom says --user; with --server and the token of a person it may be left out. Whatever else \
            can be asked is asked by “beaconmesh do”: workout-pause, workout-move, set-change …

            beaconmesh workout start --user "Ann B." --station press
            beaconmesh workout set bench-press 8x80 --user "Ann B."
            beaconmesh workout done --user "Ann B."
            """,
        subcommands: [
            Start.self, Add.self, Done.self, List.self, Show.self, Stats.self, Import.self,
            Export.self,
        ])

    package init() {}

    struct Options: ParsableArguments {
        @Option(help: "Of whom: their id or, at the socket, their name.")
        var user: String?

        @Flag(help: "Print the answer as JSON.")
        var json = false

        @OptionGroup var asking: AskingOptions

        /// The id of whom it is about.
        func person() throws -> String? { try user.map { try id(of: $0, in: "users") } }

        /// The id of a row that is given by its id or, at the socket, its name.
        func id(of given: String, in collection: String) throws -> String {
            guard asking.server == nil, let rows = SiteCollection.named(collection) else {
                return given
            }
            return try asking.place.read { try SiteRows(reading: $0).find(rows, given) }
        }

        /// The site's clocks, and what people and stations are called, as far as whoever asks may see that.
        func site() -> (clock: ZonedClock, names: JSONTree) {
            let zone = tree(of: "/api/v1/site")["time_zone"].text
            let clock = (try? TimeZoneTable(iana: zone)).map { ZonedClock($0) }
            return (clock ?? .machine, tree(of: "/api/v1/snapshot?topics=info")["names"])
        }

        private func tree(of path: String) -> JSONTree {
            JSONTree((try? asking.ask("GET", path, [], Data()).body) ?? Data())
        }

        /// What is answered to a request with a body. Prints it and ends the verb if it is a refusal, or JSON is
        /// asked for.
        func ask(_ path: String, _ body: (inout JSONWriter) -> Void) throws -> JSONTree? {
            let person = try person()
            return try send(path, []) { writer in
                if let person { writer.field("user", person) }
                body(&writer)
            }
        }

        /// The same, where the person is said in the query.
        func send(
            _ path: String, _ query: [(String, String?)], _ body: (inout JSONWriter) -> Void
        ) throws -> JSONTree? {
            var writer = JSONWriter()
            writer.beginObject()
            body(&writer)
            writer.endObject()
            return try shown(
                asking.ask(
                    "POST", Self.path(path, query), [("Content-Type", "application/json")],
                    Data(writer.bytes)))
        }

        /// The same of what is read.
        func read(_ path: String, _ query: [(String, String?)]) throws -> JSONTree? {
            try shown(answer(to: path, query))
        }

        /// What is answered of what is read, as it is.
        func answer(
            to path: String, _ query: [(String, String?)]
        ) throws -> (status: Int, head: String, body: Data) {
            try asking.ask("GET", Self.path(path, [("user", person())] + query), [], Data())
        }

        private static func path(_ path: String, _ query: [(String, String?)]) -> String {
            let asked = query.compactMap { name, value in
                value?.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
                    .map { "\(name)=\($0)" }
            }
            return "/api/v1/workouts" + path
                + (asked.isEmpty ? "" : "?" + asked.joined(separator: "&"))
        }

        private func shown(_ answer: (status: Int, head: String, body: Data)) throws -> JSONTree? {
            guard !json else {
                try AskingOptions.show(answer)
                return nil
            }
            let tree = JSONTree(answer.body)
            guard answer.status < 400 else {
                let code = ProblemCode(rawValue: tree["code"].text) ?? .internal
                throw Exit(
                    code: code.exitCode,
                    text: "\(code.rawValue): \(TerminalText.harmless(tree["detail"].text))")
            }
            return tree
        }
    }
}

extension WorkoutVerb {
    struct Start: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Starts a workout.")

        @Option(help: "The station: its id or, at the socket, its name.")
        var station: String?

        @OptionGroup var options: Options

        func run() async throws {
            let station = try station.map { try options.id(of: $0, in: "stations") }
            let answer = try options.ask("") { writer in
                if let station { writer.field("station", station) }
            }
            guard let workout = answer?["workout"] else { return }
            print("Workout \(workout["id"].text) is \(workout["state"].text).")
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Logs a set: bench-press 8x80.",
            discussion: "A set is \(SetText.expectation).")

        @Argument(help: "The exercise: its id or, at the socket, its name.")
        var exercise: String

        @Argument(help: "What was done, such as 8x80, 12, 90s or 500m.")
        var done: String

        @Option(help: "warm-up, working, drop or failure.")
        var kind: String?

        @Option(help: "What is to be remembered of it.")
        var note: String?

        @Option(help: "Its UUID, if it is sent again.")
        var id: String?

        @OptionGroup var options: Options

        func run() async throws {
            guard let set = SetText(done) else {
                let shown = TerminalText.harmless(done)
                throw Exit(code: 64, text: "“\(shown)” is no set: \(SetText.expectation)")
            }
            let exercise = try options.id(of: exercise, in: "exercises")
            let answer = try options.ask("/current/sets") { writer in
                writer.field("id", id ?? UUID().uuidString.lowercased())
                writer.field("exercise", exercise)
                if let kind { writer.field("kind", kind) }
                if let note { writer.field("note", note) }
                set.writeMembers(to: &writer)
            }
            guard let answer else { return }
            let records = answer["records"].list.map(\.text)
            var line = Self.line(answer["set"])
            if !records.isEmpty { line += "  best so far: \(records.joined(separator: ", "))" }
            if let rest = answer["rest_until_ms"].number {
                let moment = Timestamp(milliseconds: Int64(rest))
                line += "  rest until \(options.site().clock.time(moment))"
            }
            print(TerminalText.harmless(line))
        }

        /// A set as people write it.
        static func line(_ set: JSONTree) -> String {
            var text = set["exercise"].text + " "
            if set["reps"].number != nil {
                text += set["reps"].text
                if set["weight_kg"].number != nil { text += "x" + set["weight_kg"].text + "kg" }
            } else if set["duration_s"].number != nil {
                text += set["duration_s"].text + "s"
            } else {
                text += set["distance_m"].text + "m"
            }
            if set["rir"].number != nil { text += "@" + set["rir"].text }
            return set["kind"].text == "working" ? text : text + " (\(set["kind"].text))"
        }
    }

    struct Done: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Ends the workout.")

        @OptionGroup var options: Options

        func run() async throws {
            guard let workout = try options.ask("/current/complete", { _ in })?["workout"] else {
                return
            }
            print(
                "Workout \(workout["id"].text) is \(workout["state"].text): "
                    + "\(workout["sets"].text) sets, \(workout["volume_kg"].text) kg.")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists workouts, newest first.")

        @Option(help: "open, completed, cancelled or abandoned.")
        var state: String?

        @Option(help: "So many at most, to 100.")
        var limit = 20

        @OptionGroup var options: Options

        func run() async throws {
            let answer = try options.read("", [("state", state), ("limit", "\(limit)")])
            guard let workouts = answer?["workouts"].list else { return }
            let (clock, names) = options.site()
            var table = TextTable(["id", "who", "started", "minutes", "state", "sets", "kg", "at"])
            for one in workouts {
                table.add([
                    one["id"].text, names.name("users", one["user"]),
                    clock.text(one["started_ms"]),
                    one["duration_ms"].number.map { "\(Int($0 / 60_000))" } ?? "–",
                    one["state"].text, "\(one["sets"].list.count)", one["volume_kg"].text,
                    one["stations"].list.map { names.name("stations", $0["station"]) }
                        .joined(separator: ", "),
                ])
            }
            print(table.text)
            print("\(workouts.count) workouts. \(clock.line)")
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows a workout with its sets.")

        @Argument(help: "Its number, as list has it.")
        var id: Int64

        @OptionGroup var options: Options

        func run() async throws {
            // Of which workout it is says whose it is.
            var own = options
            own.user = nil
            guard let workout = try own.read("/\(id)", [])?["workout"] else { return }
            let (clock, names) = options.site()
            print(
                "Workout \(id) of \(names.name("users", workout["user"])), \(workout["state"].text), "
                    + "\(clock.text(workout["started_ms"])) to "
                    + "\(clock.text(workout["ended_ms"])), \(workout["volume_kg"].text) kg")
            var table = TextTable(["done", "set", "at", "e1RM", "note"])
            for set in workout["sets"].list {
                table.add([
                    clock.text(set["at_ms"]), Add.line(set),
                    names.name("stations", set["station"]),
                    set["e1rm_kg"].text, set["note"].text,
                ])
            }
            print(table.text)
            print(clock.line)
        }
    }

    struct Stats: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows what was trained by exercise and week.")

        @Option(help: "The first day, as 2026-03-29.")
        var from: String?

        @Option(help: "The last day.")
        var to: String?

        @OptionGroup var options: Options

        func run() async throws {
            guard let answer = try options.read("/stats", [("from", from), ("to", to)]) else {
                return
            }
            var table = TextTable(["exercise", "week", "sets", "reps", "kg", "e1RM", "records"])
            for week in answer["exercises"].list {
                table.add(
                    ["exercise", "week", "sets", "reps", "volume_kg", "e1rm_kg", "records"].map {
                        week[$0].text
                    })
            }
            print(table.text)
        }
    }

}

extension ZonedClock {
    /// A moment of an answer as they show it.
    fileprivate func text(_ moment: JSONTree) -> String {
        moment.number.map { text(Timestamp(milliseconds: Int64($0))) } ?? "now"
    }
}

extension JSONTree {
    /// What something is called, of the names of a snapshot; its id where nobody says.
    fileprivate func name(_ kind: String, _ id: JSONTree) -> String {
        let name = self[kind][id.text].text
        return TerminalText.harmless(name.isEmpty ? id.text : name)
    }
}

/// What was answered, to be shown.
struct JSONTree {
    private let value: Any?

    init(_ data: Data) { value = try? JSONSerialization.jsonObject(with: data) }

    private init(value: Any?) { self.value = value }

    subscript(name: String) -> JSONTree { JSONTree(value: (value as? [String: Any])?[name]) }

    var list: [JSONTree] { (value as? [Any] ?? []).map { JSONTree(value: $0) } }

    var number: Double? { (value as? NSNumber)?.doubleValue }

    var flag: Bool { value as? Bool == true }

    /// A text, or a number as it is written; nothing for anything else.
    var text: String {
        switch value {
        case let text as String: text
        case let number as NSNumber: "\(number)"
        default: ""
        }
    }
}
