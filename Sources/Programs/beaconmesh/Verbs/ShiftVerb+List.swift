import ArgumentParser
import Basics
import Records
import Reporting
import SiteModel

extension ShiftVerb {
    /// `shift list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows shifts, and who works them.")

        @OptionGroup var books: BooksOptions

        private struct ShiftLine: Codable {
            var id: String
            var name: String
            var start: String
            var end: String
            var early_in_min: Int64
            var late_out_min: Int64
            var late_grace_min: Int64
            var exit_grace_min: Int64
            var break_min: Int64
            var half_day_min: Int64
            var absent_min: Int64
            var assignments: [AssignmentLine]
        }

        private struct AssignmentLine: Codable {
            var id: Int64
            var user: String
            var name: String
            var from: String
            var to: String?
            var weekdays: [Int]
        }

        func run() async throws {
            let lines = try books.read { store in
                let people = try ReportRows(store).people()
                let assignments = try Roster(store).assignments()
                return try Roster(store).shifts(removed: false).map { shift in
                    let own = assignments.filter { $0.shift == shift.id }.map { assignment in
                        let person = people.first { $0.user == assignment.user }
                        return AssignmentLine(
                            id: assignment.id, user: person?.slug ?? "", name: person?.name ?? "",
                            from: "\(assignment.from)", to: assignment.to.map { "\($0)" },
                            weekdays: assignment.weekdays)
                    }
                    return Self.line(shift, own)
                }
            }
            if books.json { return try books.print(json: lines) }
            var shifts = TextTable(["shift", "name", "hours", "break"])
            var people = TextTable([
                "assignment", "shift", "user", "name", "from", "to", "weekdays",
            ])
            for line in lines {
                shifts.add([
                    line.id, line.name, "\(line.start)–\(line.end)", "\(line.break_min) min",
                ])
                for own in line.assignments {
                    people.add([
                        "\(own.id)", line.id, own.user, own.name, own.from, own.to ?? "–",
                        own.weekdays.map(String.init).joined(),
                    ])
                }
            }
            print(shifts.text)
            print()
            print(people.text)
        }

        private static func line(_ shift: Shift, _ assignments: [AssignmentLine]) -> ShiftLine {
            func minutes(_ span: Timestamp.Span) -> Int64 { span.milliseconds / 60_000 }
            return ShiftLine(
                id: shift.slug, name: shift.name, start: "\(shift.start)", end: "\(shift.end)",
                early_in_min: minutes(shift.earlyIn), late_out_min: minutes(shift.lateOut),
                late_grace_min: minutes(shift.lateGrace), exit_grace_min: minutes(shift.exitGrace),
                break_min: minutes(shift.pause), half_day_min: minutes(shift.halfDay),
                absent_min: minutes(shift.absent), assignments: assignments)
        }
    }
}
