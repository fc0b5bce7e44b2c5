import Basics
import Foundation
import Testing

@testable import Reporting
@testable import SiteModel

/// Whoever adds up the lines of a sheet finds its sum, however they are rounded.
struct RoundedSumTests {
    private let office: Office

    init() throws { office = try Office() }

    /// The sheet of some days of somebody, written in one form.
    private func text(
        _ rows: [DayRow], _ rounding: Rounding, _ format: SheetWriter.Format
    ) throws -> String {
        let days = try #require(LocalDate("2026-11-01"))...(try #require(LocalDate("2026-11-30")))
        let sheet = Sheet(
            report: "attendance-month", site: "gym", isDemo: false,
            asked: office.calendar.bounds(of: days), calendar: office.calendar,
            columns: DayReport.month.columns, rounding: rounding)
        var writer = SheetWriter(sheet, as: format)
        writer.begin()
        DayReport.month.write(rows, to: &writer)
        writer.end()
        return writer.take()
    }

    /// The lengths of each line, the sum last, in milliseconds; read from CSV.
    private func lengths(_ csv: String) -> [[Int64]] {
        let lines = csv.split(separator: "\r\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        let places = (lines.first ?? []).indices.filter { lines[0][$0].hasSuffix("_s") }
        return lines.dropFirst().map { line in
            places.map { Int64(((Double(line[$0]) ?? 0) * 1000).rounded()) }
        }
    }

    private static func added(_ lines: [[Int64]]) -> [Int64] {
        lines.reduce([Int64](repeating: 0, count: lines.first?.count ?? 0)) { sum, line in
            zip(sum, line).map { $0 + $1 }
        }
    }

    /// Five days of 7:07, in quarters of an hour.
    @Test(arguments: [(Rounding.Mode.nearest, 2100.0), (.floor, 2100), (.ceil, 2175)])
    func `five days in quarters of an hour`(mode: Rounding.Mode, sum: Double) throws {
        let sessions = try (2...6).map { day in
            try office.session("2026-11-0\(day) 08:00", "2026-11-0\(day) 15:07", id: Int64(day))
        }
        let rows = try office.rows(office.person(sessions), "2026-11-01", "2026-11-30")
        let rounding = Rounding(mode: mode, minutes: 15)
        let lines = lengths(try text(rows, rounding, .csv(mark: false, raw: false)))
        let whole = try #require(lines.last)
        #expect(whole == Self.added(Array(lines.dropLast())))
        #expect(whole[1] == minutes(sum).milliseconds)
        let json = try text(rows, rounding, .json)
        #expect(json.contains(#""line":"sum","user":"u-ann""#))
        #expect(json.contains("\"present_s\":\(Int(sum * 60)),"))
    }

    @Test(arguments: UInt64(1)...200)
    func `any days, rounded in any way`(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        let begin = try office.at("2026-11-01 00:00")
        var clock = begin
        var sessions: [Session] = []
        while clock < begin + minutes(29 * 1440) {
            let from = clock + .milliseconds(.random(in: 0...60_000_000, using: &dice))
            let to = from + .milliseconds(.random(in: 0...40_000_000, using: &dice))
            sessions.append(
                Session(id: Int64(sessions.count), user: UserID(1), from: from, to: to))
            clock = to
        }
        let shifts = (1...3).filter { _ in Bool.random(using: &dice) }.map { Int64($0) }
        let rows = try office.rows(
            office.person(sessions, shifts: shifts), "2026-11-01", "2026-11-30")
        for mode in Rounding.Mode.allCases {
            let rounding = Rounding(mode: mode, minutes: .random(in: 1...90, using: &dice))
            let csv = try text(rows, rounding, .csv(mark: false, raw: false))
            let lines = lengths(csv)
            #expect(
                lines.last == Self.added(Array(lines.dropLast())), "seed \(seed), \(rounding)")
            let step = Int64(rounding.minutes) * 60_000
            guard mode != .none else { continue }
            #expect(lines.joined().allSatisfy { $0 % step == 0 }, "seed \(seed), \(rounding)")
        }
    }
}
