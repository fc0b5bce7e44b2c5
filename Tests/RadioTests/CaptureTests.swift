import Foundation
import Testing

@testable import BeaconDecoding
@testable import SiteModel

/// Recordings of real phones, read as tshark reads them.
struct CaptureTests {
    /// One report of a recording.
    struct Row: Equatable {
        var address: UInt64
        var rssi: RSSI?
    }

    static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "../../../shared/captures")
    static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".btsnoop") }.map { String($0.dropLast(8)) }.sorted()
    }()

    @Test(.enabled(if: !names.isEmpty, "../shared/captures is not there"), arguments: names)
    func `a recording gives the reports, addresses and levels that tshark finds`(
        name: String
    ) throws {
        let data = try Data(contentsOf: Self.folder.appending(path: name + ".btsnoop"))
        let (records, error) = Recording.read(Array(data), pieces: 4_096)
        #expect(error == nil)
        var rows: [Row] = []
        for record in records {
            let outcome = AdvertisingEvent.forEachReport(in: record.packet.span) { report, _ in
                rows.append(Row(address: report.address, rssi: report.rssi))
            }
            #expect(outcome.faults == 0 && outcome.reports > 0)
        }
        let expected = try expectedRows(name)
        #expect(rows.count == expected.count)
        let different = zip(rows, expected).filter { row, expected in
            expected != nil && row != expected
        }
        #expect(different.isEmpty)
        #expect(expected.count { $0 == nil } <= 2)
    }

    /// The rows of the list that goes with a recording; `nil` for what tshark calls malformed.
    private func expectedRows(_ name: String) throws -> [Row?] {
        let file = Self.folder.appending(path: name + ".csv")
        let lines = try String(contentsOf: file, encoding: .utf8)
            .split(whereSeparator: \.isNewline)
        let titles = try #require(lines.first).split(separator: ",").map(String.init)
        let column = { (title: String) in try #require(titles.firstIndex(of: title)) }
        let (address, rssi) = try (column("address"), column("rssi"))
        // Names may hold commas, so the columns behind them are counted from the end.
        let malformed = try titles.count - column("tshark_malformed")
        return try lines.dropFirst().map { line in
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields[fields.count - malformed] == "0" else { return nil }
            let level = try #require(Double(fields[rssi]))
            return Row(
                address: try #require(
                    UInt64(fields[address].replacing(":", with: ""), radix: 16)),
                rssi: level == 127 ? nil : RSSI(dBm: level))
        }
    }
}
