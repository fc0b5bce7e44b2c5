import Foundation
import GRDB
import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import SiteSchema
@testable import SiteStore

/// What nodes sent from their outboxes, as it is kept.
struct OutboxTests {
    private let scratch: Scratch
    private let store: Store
    private let node = NodeID(1)

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
    }

    private func row(
        _ seq: Int64, arrived: Double = 60, runs: [Evidence.Run] = [],
        gaps: [ClosedRange<Int>] = [], verdict: RecordVerdict = .taken
    ) -> EvidenceRow {
        EvidenceRow(
            node: node,
            evidence: Evidence(
                record: Record(log: 0xAB, sequence: seq, after: seq - 1), boot: .max, from: at(0),
                to: at(60), listened: .seconds(59.5), floor: RSSI(dBm: -95), isSynced: true,
                gaps: gaps, runs: runs), at: at(arrived),
            from: verdict == .uncertain ? nil : at(1), verdict: verdict)
    }

    private func site(_ seconds: Double, epoch: Int64 = 1) -> Fact {
        .site(SiteRow(clock: at(seconds), next: 1, coverage: [], clocks: [], epoch: epoch))
    }

    @Test func `evidence is readable from outside`() throws {
        let run = Evidence.Run(
            beacon: BeaconID(2), first: 0, last: 59, count: 9, strongest: RSSI(dBm: -50),
            mean: RSSI(dBm: -60))
        try store.commit([
            .evidence(row(1, runs: [run, run])), .evidence(row(2, verdict: .uncertain)),
        ])
        #expect(
            try store.texts(
                """
                SELECT node, log, seq, boot, to_ms - from_ms, listened_s, floor_dbm, synced, demo,
                    at_ms - \(start.milliseconds), site_from_ms - \(start.milliseconds), state, runs
                FROM v_evidence ORDER BY seq
                """) == [
                    "n-hall 00000000000000ab 1 ffffffffffffffff 60000 59.5 -95.0 1 0 60000 1000 taken 2",
                    "n-hall 00000000000000ab 2 ffffffffffffffff 60000 59.5 -95.0 1 0 60000 - "
                        + "uncertain 0",
                ])
    }

    @Test func `events of nodes are readable from outside`() throws {
        let event = NodeEvent(
            record: Record(log: 1, sequence: 7, after: 0), boot: 2, at: at(5), kind: "battery-low",
            detail: "a\0b", beacon: BeaconID(2), value: 2.5)
        let row = NodeEventRow(node: node, event: event, at: at(9), happened: at(6))
        try store.commit([.nodeEvent(row), .nodeEvent(row)])
        #expect(
            try store.texts(
                """
                SELECT node, log, seq, t_ms - \(start.milliseconds), at_ms - \(start.milliseconds),
                    site_ms - \(start.milliseconds), kind, detail, beacon, value FROM v_node_event
                """) == ["n-hall 0000000000000001 7 5000 9000 6000 battery-low a\\0b b-2 2.5"])
    }

    @Test func `of a record stored twice the first time counts`() throws {
        try store.commit([.evidence(row(1))])
        try store.commit([.evidence(row(1, arrived: 99_999, verdict: .late)), .evidence(row(2))])
        #expect(try store.texts("SELECT seq, state FROM evidence") == ["1 taken", "2 taken"])
    }

    @Test(arguments: UInt64(1)...100) func `runs and gaps are what was packed`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let number = { (range: ClosedRange<Int>) in Int.random(in: range, using: &random) }
        let runs = (0..<number(0...40)).map { _ in
            Evidence.Run(
                beacon: BeaconID(Int64(number(1...4_000_000_000))), first: number(0...59),
                last: number(0...59), count: number(1...65_535),
                strongest: RSSI(dBm: Double(number(-1270...200)) / 10),
                mean: RSSI(dBm: Double(number(-1270...200)) / 10))
        }
        let gaps = (0..<number(0...10)).map { _ in
            let first = number(0...59)
            return first...number(first...59)
        }
        #expect(Packed.runs(from: Packed.bytes(of: runs)) == runs)
        #expect(Packed.gaps(from: Packed.bytes(of: gaps)) == gaps)
    }

    @Test func `bytes that are no runs are noticed, and nothing traps`() {
        #expect(Packed.runs(from: Data(count: 13)) == nil)
        #expect(Packed.gaps(from: Data([5, 4])) == nil)
        #expect(Packed.gaps(from: Data([5])) == nil)
        let odd = Evidence.Run(
            beacon: BeaconID(.max), first: -1, last: 1000, count: .max,
            strongest: RSSI(dBm: .infinity), mean: RSSI(dBm: -1e300))
        let back = Packed.runs(from: Packed.bytes(of: [odd]))?.first
        #expect(back?.count == 65_535 && back?.strongest.dBm == 128 && back?.last == 255)
    }

    @Test func `evidence is kept for fourteen days from its arrival`() throws {
        let day = 86_400.0
        let event = NodeEvent(
            record: Record(log: 1, sequence: 1, after: 0), boot: 2, at: at(5), kind: "started",
            detail: nil, beacon: nil, value: nil)
        try store.commit([
            .evidence(row(1, arrived: 0)), .evidence(row(2, arrived: day)),
            .nodeEvent(NodeEventRow(node: node, event: event, at: at(0), happened: nil)),
            site(14 * day),
        ])
        #expect(try store.texts("SELECT seq FROM evidence") == ["1", "2"])
        try store.commit([site(14 * day + 1)])
        #expect(try store.texts("SELECT seq FROM evidence") == ["2"])
        #expect(try store.texts("SELECT seq FROM node_event") == [])
        #expect(
            try store.texts("EXPLAIN QUERY PLAN DELETE FROM evidence WHERE at_ms < 5").contains {
                $0.contains("USING") && $0.contains("evidence_by_arrival")
            })
    }

    @Test func `cursors and epoch are part of what is loaded`() throws {
        var saved = Saved()
        let facts: [Fact] =
            (1...6).map {
                .cursor(
                    CursorRow(
                        node: node, log: UInt64.max - UInt64($0), sequence: Int64($0), since: at(5))
                )
            } + [
                .cursor(CursorRow(node: NodeID(2), log: 3, sequence: 0, since: at(1))),
                .cursor(CursorRow(node: node, log: 9, sequence: 8, since: at(9))),
                .cursor(CursorRow(node: node, log: 9, sequence: 10, since: at(9))),
                site(60, epoch: 4),
            ]
        try store.commit(facts)
        for fact in facts { saved.apply(fact) }
        #expect(try store.load()?.saved == saved)
        #expect(saved.cursors.count == 5 && saved.cursors.current(of: node)?.sequence == 10)
    }
}
