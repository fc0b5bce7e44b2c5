import ArgumentParser
import Basics
import Foundation
import JSON
import Operations
import Platform
import SiteClient
import Workouts

// What was trained as a file, both ways.
extension WorkoutVerb {
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Takes in what somebody trained elsewhere, from a CSV file.",
            discussion: """
                The file is an export of this program, of Strong or of Hevy. What is there already is not taken \
                again. Names that are no exercise of the site are listed, and nothing is stored while there are \
                any: say what each means with --exercise, add the exercise, or leave them out with \
                --skip-unknown.

                beaconmesh workout import strong.csv --user "Ann B." --weight-unit kg \\
                    --exercise "Bench Press (Barbell)=bench-press"
                """)

        @Argument(help: "The file.", completion: .file(extensions: ["csv"]))
        var file: String

        @Option(
            help:
                "What a name of the file means: “Bench Press (Barbell)=bench-press”. May come often."
        )
        var exercise: [String] = []

        @Option(help: "kg or lb, of a file that does not name its own.")
        var weightUnit: String?

        @Option(help: "m, km or mi, of a file that does not name its own.")
        var distanceUnit: String?

        @Flag(help: "Leave out sets of exercises that nobody knows.")
        var skipUnknown = false

        @Flag(help: "Only tell what would come of it.")
        var dryRun = false

        @OptionGroup var options: Options

        func run() async throws {
            let csv = try text()
            let said = try exercise.map { text in
                guard let sign = text.lastIndex(of: "=") else {
                    let shown = TerminalText.harmless(text)
                    throw Exit(code: 64, text: "--exercise \(shown): “name=exercise” is expected")
                }
                return (text[..<sign], text[text.index(after: sign)...])
            }
            let answer = try options.send(
                "/import", [("user", try options.person())]
            ) { writer in
                writer.field("csv", csv)
                writer.key("exercises")
                writer.beginArray()
                for (name, slug) in said {
                    writer.beginObject()
                    writer.field("name", String(name))
                    writer.field("exercise", String(slug))
                    writer.endObject()
                }
                writer.endArray()
                if let weightUnit { writer.field("weight_unit", weightUnit) }
                if let distanceUnit { writer.field("distance_unit", distanceUnit) }
                writer.field("skip_unknown", skipUnknown)
                writer.field("dry_run", dryRun)
            }
            guard let answer else { return }
            try show(answer)
        }

        /// The file. Its size is looked at before it is read.
        private func text() throws -> String {
            let shown = TerminalText.harmless(file)
            let size = try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
            guard let size,
                let data = size <= HistoryFile.mostBytes
                    ? FileManager.default.contents(atPath: file) : Data()
            else { throw Exit(code: 66, text: "\(shown) cannot be read") }
            guard size <= HistoryFile.mostBytes else {
                throw Exit(
                    code: 65,
                    text:
                        "\(shown) has \(size) bytes, \(HistoryFile.mostBytes) are the most: split it by years"
                )
            }
            guard let text = String(data: data, encoding: .utf8) else {
                throw Exit(code: 65, text: "\(shown) is no UTF-8: export it as UTF-8")
            }
            return text
        }

        /// Ends with 65 if names are unknown and nothing was stored.
        private func show(_ answer: JSONTree) throws {
            let isStored = answer["stored"].flag
            let unknown = answer["unknown"].list
            if !unknown.isEmpty {
                var table = TextTable(["not known here", "sets", "written most like it"])
                for one in unknown {
                    table.add([one["name"].text, one["sets"].text, one["suggestion"].text])
                }
                print(table.text)
            }
            let kinds = Dictionary(grouping: answer["remarks"].list, by: { $0["kind"].text })
            for (kind, remarks) in kinds.sorted(by: { $0.key < $1.key }) {
                let lines = remarks.prefix(5).map { $0["line"].text }.joined(separator: ", ")
                print("\(kind): line \(lines)\(remarks.count > 5 ? " …" : "")")
            }
            let leftOut = answer["left_out"].list
            if !leftOut.isEmpty {
                let lines = leftOut.prefix(5).map(\.text).joined(separator: ", ")
                print(
                    "\(leftOut.count) workouts are left out, another is stored at their time: line "
                        + lines + (leftOut.count > 5 ? " …" : ""))
            }
            print(
                "\(answer["sets"].text) sets in \(answer["workouts"].text) workouts "
                    + (isStored ? "are stored" : "would be stored")
                    + ", \(answer["known_sets"].text) sets are there already.")
            guard isStored || dryRun else {
                throw Exit(
                    code: 65,
                    text:
                        "nothing is stored: say what the names mean with --exercise, or --skip-unknown"
                )
            }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes what somebody trained as CSV, which import takes.")

        @Argument(help: "The file; - is the terminal.", completion: .file(extensions: ["csv"]))
        var file = "-"

        @OptionGroup var options: Options

        func run() async throws {
            let answer = try options.answer(to: "/export", [])
            guard answer.status < 400, file != "-" else { return try AskingOptions.show(answer) }
            do {
                try answer.body.write(to: URL(fileURLWithPath: file), options: .withoutOverwriting)
            } catch {
                let shown = TerminalText.harmless(file)
                throw Exit(code: 73, text: "\(shown) cannot be written, or is there already")
            }
            let rows = answer.body.count { $0 == 0x0A } - 1
            print("\(TerminalText.harmless(file)): \(rows) lines.")
        }
    }
}
