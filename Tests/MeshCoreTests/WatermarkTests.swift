import Scheduling
import Testing

@testable import SiteEngine
@testable import SiteModel

/// What is final waits for every node, but for those that a person excused.
struct WatermarkTests {
    private let now = moment(300_000)
    private let nodes = MeshSite.plan().nodes
    private let policy = Policy()

    /// A minute of evidence of a node, from a second on, with nothing heard.
    private func evidence(of node: Int64, from second: Int, seq: Int64 = 1) -> Input {
        .evidence(
            Evidence(
                record: Record(log: 5, sequence: seq, after: seq - 1), boot: 1,
                from: moment(Double(second)), to: moment(Double(second + 60)),
                listened: .seconds(60), floor: RSSI(dBm: -95), isSynced: true, gaps: [], runs: []),
            from: NodeID(node))
    }

    private func watermark(_ marks: [Watermark], excused: [NodeExcuse] = []) -> Timestamp {
        marks.site(nodes: nodes, excuses: excused, at: now)
    }

    @Test func `a node that never told anything holds back what is final`() {
        let horizon = now - Saved.horizon
        let marks = nodes.dropLast().map { Watermark(node: $0.id, through: now - .seconds(60)) }
        #expect(watermark(marks) == horizon)
        #expect(watermark([]) == horizon)
        let all = marks + [Watermark(node: nodes[4].id, through: now - .seconds(90))]
        #expect(watermark(all) == now - .seconds(90))
        #expect(all.site(nodes: Array(nodes.prefix(4)), excuses: [], at: now) == now - .seconds(60))
        #expect([Watermark]().site(nodes: [], excuses: [], at: now) == now)
    }

    @Test func `an excuse holds until the node tells again`() {
        let marks = nodes.map { node in
            let isGone = node.id == nodes[2].id
            return Watermark(
                node: node.id, through: now - .seconds(isGone ? 5000 : 60),
                told: now - .seconds(isGone ? 4000 : 1))
        }
        func excused(since seconds: Double) -> Timestamp {
            watermark(
                marks, excused: [NodeExcuse(node: nodes[2].id, since: now - .seconds(seconds))])
        }
        #expect(watermark(marks) == now - .seconds(5000))
        #expect(excused(since: 3000) == now - .seconds(60))
        #expect(excused(since: 4001) == now - .seconds(5000))
    }

    @Test func `the machines wait for every node and obey an excuse`() {
        var run = SiteRun()
        run.tell(.tick, 1000)
        run.tell(evidence(of: 2, from: 900), 1001)
        run.tell(.tick, 1002)
        #expect(run.mesh.saved.site.watermark == run.mesh.saved.site.clock - Saved.horizon)
        let excuses = [1, 3, 4, 5].map { NodeExcuse(node: NodeID($0), since: moment(1003)) }
        run.tell(.overrides(Overrides(revision: 1, excuses: excuses)), 1003)
        run.tell(evidence(of: 2, from: 960, seq: 2), 1021)
        run.tell(.tick, 1022)
        #expect(run.mesh.saved.site.watermark == moment(1020))
        // It is back, and tells what it kept: that is waited for again.
        run.tell(evidence(of: 4, from: 300), 1030)
        run.tell(.tick, 1031)
        #expect(run.mesh.saved.site.watermark == moment(360))
    }
}
