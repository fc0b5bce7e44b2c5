import SiteEngine
import SiteModel
import Wire

// From slugs to rows: what a payload says in the words of the core.
extension Names {
    /// The registered beacons of a frame, sorted by row; what is not registered is left out.
    package func frame(_ payload: FramePayload) -> Frame {
        var entries: [Frame.Entry] = []
        entries.reserveCapacity(payload.r.count)
        for row in payload.r {
            guard let beacon = beacons.id(row.beacon) else { continue }
            entries.append(
                Frame.Entry(
                    beacon: beacon, median: RSSI(dBm: row.median), count: row.count,
                    strongest: RSSI(dBm: row.strongest)))
        }
        entries.sort { $0.beacon < $1.beacon }
        return Frame(
            boot: payload.boot, sequence: payload.seq, at: Timestamp(milliseconds: payload.tMs),
            entries: entries)
    }

    /// What a node heard in a minute, its runs sorted by row and time; what is not registered is left
    /// out.
    package func evidence(_ payload: EvidencePayload) -> Evidence {
        var runs: [Evidence.Run] = []
        runs.reserveCapacity(payload.runs.count)
        for run in payload.runs {
            guard let beacon = beacons.id(run.beacon) else { continue }
            runs.append(
                Evidence.Run(
                    beacon: beacon, first: run.first, last: run.last, count: run.count,
                    strongest: RSSI(dBm: run.strongest), mean: RSSI(dBm: run.mean)))
        }
        runs.sort { ($0.beacon, $0.first) < ($1.beacon, $1.first) }
        return Evidence(
            record: Record(log: payload.log, sequence: payload.seq, after: payload.after),
            boot: payload.boot, from: Timestamp(milliseconds: payload.fromMs),
            to: Timestamp(milliseconds: payload.toMs),
            listened: .milliseconds(payload.listenedMs), floor: RSSI(dBm: payload.floorDbm),
            isSynced: payload.synced, gaps: payload.gaps, runs: runs)
    }

    /// What happened at a node.
    package func event(_ payload: NodeEventPayload) -> NodeEvent {
        NodeEvent(
            record: Record(log: payload.log, sequence: payload.seq, after: payload.after),
            boot: payload.boot, at: Timestamp(milliseconds: payload.tMs),
            kind: payload.kind.rawValue, detail: payload.detail,
            beacon: payload.beacon.flatMap { beacons.id($0) }, value: payload.value)
    }
}

extension [Fact] {
    /// Drops rows that a later fact of the same kind replaces: while the disk is full, the rows
    /// of the machines must not pile up.
    mutating func keepNewestRows() {
        var seen: Set<Fact.Place> = []
        var kept: [Fact] = []
        for fact in reversed() where fact.place.map({ seen.insert($0).inserted }) ?? true {
            kept.append(fact)
        }
        self = kept.reversed()
    }
}

extension Names {
    /// A line for the log if the row tells that something has just changed all at once.
    package func warning(of row: OffsetRow) -> String? {
        guard let drift = row.drift, row.since == row.at else { return nil }
        let much = "\(abs(drift)) dB \(drift > 0 ? "louder" : "fainter") than before"
        switch row.device {
        case .node(let node):
            return
                "node \(nodes.slug(node)) hears everything \(much): was it moved, or its antenna? "
                + "What was learned of it is learned anew"
        case .beacon(let beacon):
            return "beacon \(beacons.slug(beacon)) is heard \(much): was it moved, or its battery?"
        }
    }
}
