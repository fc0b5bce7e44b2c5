@testable import SiteService
import Foundation
import Testing

@testable import CoordinatorService
@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore
@testable import Registry

/// `beaconmesh why`, as people call it.
@Suite(.ownThread) final class ProcessWhyTests {
    private let folder: String
    private var database: String { folder + "/gym.sqlite" }

    init() throws {
        folder = NSTemporaryDirectory() + "why-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let document = try SiteFile(
            text: """
                site: {id: gym}
                rooms: [{id: hall, name: The Hall}]
                stations: [{id: bench, name: Bench 1, room: hall}]
                nodes: [{id: n-1, station: bench}]
                users: [{id: u-mary, name: Mary}, {id: u-a, name: Sam}, {id: u-b, name: sam}]
                beacons: [{id: tag, identity: {address: "C4:A7:F1:0B:22:E8"}, user: u-mary}]
                """, named: "site.yaml"
        ).document
        let store = try Store(path: database)
        defer { store.close() }
        try SiteImport(store).importDocument(document, at: Timestamp(milliseconds: 0))
        try store.commit(
            [Int64(3600), 7200].map { Fact.reasons(Self.reasons(Timestamp(second: $0))) })
    }

    deinit { _ = Result { try FileManager.default.removeItem(atPath: folder) } }

    private static func reasons(_ at: Timestamp) -> Reasons {
        let bench = Place(room: RoomID(1), station: StationID(1))
        return Reasons(
            user: UserID(1), at: at, rule: .margin, from: Place(room: RoomID(1), station: nil),
            to: bench, runnerUp: nil, prior: 0.2, runnerUpPrior: 0, probability: 0.9,
            runnerUpProbability: 0, spotWeight: 0, model: nil,
            readings: [
                Reasons.Reading(
                    ear: .node(NodeID(1)), device: 1, level: RSSI(dBm: -50), age: .seconds(0),
                    expected: nil, support: 0, against: -1)
            ])
    }

    private func why(_ arguments: String...) throws -> (
        status: Int32, output: String, errors: String
    ) {
        let program = try RunningProgram(
            "beaconmesh", ["why", "--database", database] + arguments, in: folder,
            environment: ["TZ": "UTC"])
        let deadline = Date().addingTimeInterval(60)
        while program.isRunning, Date() < deadline { usleep(10_000) }
        return (program.status ?? -1, program.output, program.errors)
    }

    @Test func `the latest change is explained, or the one in force at a time`() throws {
        let latest = try why("u-mary")
        #expect(latest.status == 0, "\(latest.errors)")
        #expect(
            latest.output.hasPrefix(
                "Mary moved from The Hall to Bench 1 at 02:00:00 on 1970-01-01, because Bench 1 had"
            ))
        let earlier = try why("mary", "--at", "1970-01-01T01:30:00Z")
        #expect(earlier.output.contains("at 01:00:00 on 1970-01-01"), "\(earlier)")
        let none = try why("Mary", "--at", "1970-01-01T00:30:00Z")
        #expect(none.status == 0)
        #expect(none.output.hasPrefix("no change of place of Mary is known"), "\(none)")
    }

    @Test func `programs get what is told on MQTT`() throws {
        let answer = try why("u-mary", "--json", "--last", "5")
        struct Answer: Decodable {
            struct Change: Decodable {
                var t_ms: Int64
                var rule: String
            }
            var user: String
            var changes: [Change]
        }
        let read = try JSONDecoder().decode(Answer.self, from: Data(answer.output.utf8))
        #expect(read.user == "u-mary")
        #expect(read.changes.map(\.t_ms) == [7_200_000, 3_600_000])
        #expect(read.changes.map(\.rule) == ["margin", "margin"])
    }

    @Test func `a wrong question says what is wrong with it`() throws {
        let unknown = try why("u-nobody")
        #expect(unknown.status == 3)
        #expect(unknown.errors.contains("there is no user “u-nobody”"), "\(unknown)")
        let ambiguous = try why("SAM")
        #expect(ambiguous.status == 64)
        #expect(ambiguous.errors.contains("Sam (u-a) or sam (u-b)"), "\(ambiguous)")
        let late = try why("Mary", "--at", "teatime")
        #expect(late.status == 64 && late.errors.contains("--at teatime"), "\(late)")
        #expect(try why("Mary", "--last", "0").status == 64)
    }
}
