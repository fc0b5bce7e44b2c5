import Basics
import SiteEngine
import SiteModel

/// One node of another network: turns reports that come when they come into a frame a second.
///
/// A report tells no time, so the second it arrives in is its time. Silence is harder: such a node
/// tells of a still beacon now and then, and of an empty room nothing at all. It counts as
/// listening for twice the gap its messages usually leave, from 6 s to 60 s, but no longer than half
/// of what ends a visit, so that a node's death alone ends none. How often it reports each beacon
/// goes with its entries (`Frame.Entry.cadence`). A node so slow that three of its reports take
/// longer than what ends a visit cannot tell absence by silence: only the seconds around its
/// messages count.
struct ForeignListener: Sendable {
    private static let shortest = 6.0
    private static let longest = 60.0
    /// How many reports in a row may be lost before silence means something.
    private static let patience = 3.0
    /// A gap as long as that is an absence, no interval.
    private static let absence = Timestamp.Span.seconds(300)

    private struct Track {
        let beacon: BeaconID
        /// The usual interval in seconds.
        var cadence: Double
        var heardAt: Timestamp
        /// What was heard in the second under way.
        var levels: [Double] = []
    }

    let node: NodeID
    /// Instead of a process's number: when this stretch of listening began, in ms since 1970.
    private(set) var boot: UInt64 = 0
    private var sequence: Int64 = 0
    private var lastMessage: Timestamp?
    /// How long its messages usually leave it silent, in seconds.
    private var gap: Double
    /// The usual interval over all beacons, in seconds.
    private var cadence: Double
    /// By beacon.
    private var tracks: [Track] = []
    /// The last second that was told.
    private var told: Int64 = 0

    init(node: NodeID, kind: ForeignNetwork.Kind) {
        self.node = node
        cadence = kind.cadence.seconds
        gap = cadence
    }

    /// Whether a message came since it was lost or we were cut off.
    var isConnected: Bool { lastMessage != nil }

    /// Any message of the node arrived.
    mutating func spoke(at now: Timestamp) {
        guard let last = lastMessage else {
            boot = UInt64(bitPattern: now.milliseconds)
            sequence = 0
            lastMessage = now
            told = now.second - 1
            return
        }
        let silence = (now - last).seconds
        // Quick to become patient, slow to lose it: short gaps are the rule where much is heard.
        if silence >= 1 {
            gap += (silence > gap ? 0.5 : 0.1) * (min(silence, Self.longest) - gap)
        }
        lastMessage = max(last, now)
    }

    /// The node heard a beacon.
    mutating func heard(_ beacon: BeaconID, level: RSSI, at now: Timestamp) {
        spoke(at: now)
        let index = tracks.partitioningIndex { $0.beacon >= beacon }
        guard index < tracks.count, tracks[index].beacon == beacon else {
            tracks.insert(
                Track(beacon: beacon, cadence: cadence, heardAt: now, levels: [level.dBm]),
                at: index)
            return
        }
        let interval = now - tracks[index].heardAt
        if interval >= .seconds(1), interval < Self.absence {
            // One lost report must not count for much.
            let old = tracks[index].cadence
            let new = old + 0.2 * (min(interval.seconds, 3 * old) - old)
            tracks[index].cadence = max(1, min(new, Self.longest))
            cadence += 0.3 * (tracks[index].cadence - cadence)
        }
        tracks[index].heardAt = max(tracks[index].heardAt, now)
        tracks[index].levels.append(level.dBm)
    }

    /// It went away, or we were cut off from it. What it taught is kept.
    mutating func lost() {
        lastMessage = nil
        for index in tracks.indices { tracks[index].levels = [] }
    }

    /// How long after a message it counts as listening, where so much silence ends a visit.
    func attention(leave: Timestamp.Span) -> Timestamp.Span {
        guard Self.patience * cadence <= leave.seconds else { return .seconds(Self.shortest) }
        let most = max(Self.shortest, min(Self.longest, leave.seconds / 2))
        return .seconds(max(Self.shortest, min(2 * gap, most)))
    }

    /// The frames of the seconds that have ended since the last call, in which it listened.
    mutating func frames(at now: Timestamp, leave: Timestamp.Span) -> [Frame] {
        guard let lastMessage, now.second - 1 > told else { return [] }
        let attention = attention(leave: leave)
        // After a pause of the coordinator: what is older is too late for anything.
        var second = max(told, now.second - 1 - Coverage.latest.milliseconds / 1000)
        told = now.second - 1
        var frames: [Frame] = []
        while second < told {
            second += 1
            let end = Timestamp(second: second + 1)
            guard Timestamp(second: second) - lastMessage <= attention else { continue }
            sequence += 1
            frames.append(
                Frame(boot: boot, sequence: sequence, at: end, entries: entries(of: second)))
        }
        return frames
    }

    /// What was heard in a second, which is then over.
    private mutating func entries(of second: Int64) -> [Frame.Entry] {
        var entries: [Frame.Entry] = []
        for index in tracks.indices
        where !tracks[index].levels.isEmpty && tracks[index].heardAt.second <= second {
            let levels = tracks[index].levels.sorted()
            tracks[index].levels = []
            guard tracks[index].heardAt.second == second else { continue }
            entries.append(
                Frame.Entry(
                    beacon: tracks[index].beacon, median: RSSI(dBm: levels[(levels.count - 1) / 2]),
                    count: levels.count, strongest: RSSI(dBm: levels[levels.count - 1]),
                    cadence: .seconds(tracks[index].cadence)))
        }
        return entries
    }
}
