import Positioning
import SiteModel
import Wire

/// What was heard of one carried thing, second by second, from frames as they arrive.
///
/// A second in which a node sent no frame is unknown; in a frame without the beacon it was silent.
package struct HeardSeconds {
    /// What is carried.
    package enum Subject: Equatable {
        /// A beacon, which fixed nodes hear.
        case beacon(String)
        /// A mobile node, which hears the beacons that are fixed at places.
        case node(String)

        package var slug: String {
            switch self {
            case .beacon(let slug), .node(let slug): slug
            }
        }
    }

    /// One second: by ear, whether it listened, and the level if it heard.
    private struct Row {
        var listened: [Bool]
        var levels: [Double?]
    }

    /// A node whose frames are missing in more than this share of the seconds did not listen
    /// throughout.
    static let mostMissing = 0.1
    /// A node's frames come when its seconds end, plus the way here. One that comes so much earlier,
    /// or later, than those before means that its clock was set.
    private static let earliest: Int64 = -200
    private static let latest: Int64 = 5_000

    package let subject: Subject
    /// All ears there may be, sorted.
    package let ears: [Ear]
    /// What the ears are called, in their order.
    package let names: [String]
    private var rows: [Int64: Row] = [:]
    /// By how much our clock is ahead of each node's, in ms, for one of its processes.
    private var offsets: [String: (boot: UInt64, milliseconds: Int64)] = [:]

    /// Nothing heard yet of a subject at a site.
    package init(subject: Subject, plan: Plan, names all: Names) {
        self.subject = subject
        let found: [(Ear, String)] =
            switch subject {
            case .beacon:
                plan.nodes.filter { !$0.isMobile }.map { (.node($0.id), all.nodes.slug($0.id)) }
            case .node:
                plan.beacons.filter { $0.anchor != nil }
                    .map { (.beacon($0.id), all.beacons.slug($0.id)) }
            }
        let sorted = found.sorted { $0.0 < $1.0 }
        ears = sorted.map(\.0)
        names = sorted.map(\.1)
    }

    /// A node told what it heard in a second that ended just now.
    package mutating func heard(_ frame: FramePayload, of node: String, at now: Timestamp) {
        guard let second = second(of: frame, node, at: now) else { return }
        switch subject {
        case .beacon(let slug):
            guard let ear = names.firstIndex(of: node) else { return }
            let level = frame.r.first { $0.beacon == slug }?.median
            note([(ear, level)], in: second)
        case .node(let slug):
            guard slug == node else { return }
            note(
                names.enumerated().map { index, name in
                    (index, frame.r.first { $0.beacon == name }?.median)
                }, in: second)
        }
    }

    private mutating func note(_ heard: [(ear: Int, level: Double?)], in second: Int64) {
        var row =
            rows[second]
            ?? Row(
                listened: Array(repeating: false, count: ears.count),
                levels: Array(repeating: nil, count: ears.count))
        for (ear, level) in heard {
            row.listened[ear] = true
            if let level { row.levels[ear] = max(level, row.levels[ear] ?? level) }
        }
        rows[second] = row
    }

    /// In which second by our clock a frame's second ended. Frames of one process are a second
    /// apart, however unevenly they arrive.
    private mutating func second(
        of frame: FramePayload, _ node: String, at now: Timestamp
    ) -> Int64? {
        let (ahead, isOverflow) = now.milliseconds.subtractingReportingOverflow(frame.tMs)
        guard !isOverflow else { return nil }
        if let known = offsets[node], known.boot == frame.boot {
            let late = ahead.subtractingReportingOverflow(known.milliseconds)
            if !late.overflow, (Self.earliest...Self.latest).contains(late.partialValue) {
                return Timestamp(milliseconds: frame.tMs + known.milliseconds).second
            }
        }
        offsets[node] = (frame.boot, ahead)
        return now.second
    }

    /// The first second in which anybody listened, or `nil` if nobody has.
    package var first: Int64? { rows.keys.min() }

    /// How many of the seconds somebody listened in.
    package func listened(in seconds: ClosedRange<Int64>) -> Int {
        seconds.count { rows[$0] != nil }
    }

    /// Whether anybody heard it in one of the seconds.
    package func isHeard(in seconds: ClosedRange<Int64>) -> Bool {
        seconds.contains { rows[$0]?.levels.contains { $0 != nil } ?? false }
    }

    /// What each ear heard in the seconds it listened, in order; by ear.
    package func levels(in seconds: ClosedRange<Int64>) -> [[Double?]] {
        ears.indices.map { ear in
            seconds.compactMap { second -> Double?? in
                guard let row = rows[second], row.listened[ear] else { return nil }
                return .some(row.levels[ear])
            }
        }
    }

    /// The ears that listened throughout, as indices.
    func constant(in seconds: ClosedRange<Int64>) -> [Int] {
        let count = listened(in: seconds)
        return ears.indices.filter { ear in
            let missing = count - seconds.count { rows[$0]?.listened[ear] ?? false }
            return Double(missing) <= Self.mostMissing * Double(count) && missing < count
        }
    }

    /// The seconds at a place, without those in which one of `constant` is missing.
    package func seconds(
        at place: Place, in seconds: ClosedRange<Int64>, constant: [Int]
    ) -> [Survey.Second] {
        seconds.compactMap { second in
            guard let row = rows[second], constant.allSatisfy({ row.listened[$0] }) else {
                return nil
            }
            return Survey.Second(
                place: place, at: Timestamp(second: second),
                heard: constant.compactMap { ear in
                    row.levels[ear].map { Survey.Heard(ear: ears[ear], level: RSSI(dBm: $0)) }
                })
        }
    }
}
