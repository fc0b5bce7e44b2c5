import Foundation
import Testing

@testable import Records
@testable import SiteEngine
@testable import SiteModel
@testable import SiteSchema
@testable import SiteStore

/// Everything about one person, and nothing about another.
struct PersonExportTests {
    private let site: BooksSite
    private let minute = at(3600)

    init() throws {
        site = try BooksSite()
        let run = { (beacon: Int64, first: Int) in
            Evidence.Run(
                beacon: BeaconID(beacon), first: first, last: first + 9, count: 40,
                strongest: RSSI(dBm: -50.5), mean: RSSI(dBm: -61))
        }
        try site.store.commit([
            .evidence(
                EvidenceRow(
                    node: NodeID(1),
                    evidence: Evidence(
                        record: Record(log: 1, sequence: 1, after: 0), boot: 1, from: minute,
                        to: minute + .seconds(60), listened: .seconds(60),
                        floor: RSSI(dBm: -95), isSynced: true, gaps: [],
                        runs: [run(1, 5), run(2, 20)]), at: minute, from: minute,
                    verdict: .taken)),
            .stay(Stay(id: 8, user: ann, place: .station(rack), from: minute, to: at(4000))),
            .stay(Stay(id: 9, user: bob, place: .station(bench), from: minute, to: at(4000))),
        ])
        try site.correct(.times(1, revision: nil, from: at(3500), to: at(7200)))
    }

    private func export() throws -> PersonExport {
        let exports = PersonExports(site.store)
        let mia = Asker(name: "mia", via: .cli, at: BooksSite.now)
        #expect(try exports.note(user: "u-ann", by: mia))
        return try #require(try exports.export(user: "u-ann", at: BooksSite.now))
    }

    @Test func `it holds what every table says of them, by slug`() throws {
        let export = try export()
        let tables = Dictionary(uniqueKeysWithValues: export.tables.map { ($0.name, $0) })
        #expect(tables["attendance_session"]?.rows.count == 2)
        #expect(tables["correction"]?.rows.count == 1)
        #expect(tables["audit_log"]?.rows.count == 3, "two of the correction, and this export")
        #expect(tables["beacon"]?.rows.first?.first == .text("b-1"))
        #expect(tables["beacon_binding"]?.rows.first?.contains(.text("b-1")) == true)
        #expect(tables["stay"]?.rows.count == 1)
        #expect(tables["stay"]?.rows.first?.contains(.text("rack")) == true)
        #expect(
            tables["evidence"]?.rows == [
                [
                    .text("n-hall"), .text("b-1"), .integer(at(3605).milliseconds),
                    .integer(at(3615).milliseconds), .integer(40), .number(-50.5), .number(-61),
                ]
            ])
        for table in export.tables {
            #expect(!table.columns.contains("user"), "\(table.name)")
            #expect(table.rows.allSatisfy { $0.count == table.columns.count }, "\(table.name)")
        }
        #expect(export.head == (try AuditTrail(site.store).verify().head))
        let exports = PersonExports(site.store)
        #expect(try exports.export(user: "u-x", at: start) == nil)
        #expect(try !exports.note(user: "u-x", by: Asker(name: "m", via: .cli, at: start)))
    }

    @Test func `every table about people is in it`() throws {
        let names = Set(try export().tables.map(\.name))
        let known = SiteTables.all.filter { $0.isOfPerson != nil && $0.isExported }.map(\.name)
        #expect(known.count > 12)
        #expect(Set(known + ["audit_log", "ledger"]).isSubset(of: names))
    }

    @Test func `it is one JSON document`() throws {
        let parsed = try JSONSerialization.jsonObject(with: Data(try export().json))
        let object = try #require(parsed as? [String: Any])
        #expect(object["user"] as? String == "u-ann")
        let tables = object["tables"] as? [String: [[String: Any]]]
        #expect(tables?["attendance_session"]?.count == 2)
        #expect(tables?["user"]?.first?["name"] as? String == "Ann")
        let text = String(decoding: try export().json, as: UTF8.self)
        #expect(!text.contains("u-bob") && !text.contains("Bob"))
    }
}
