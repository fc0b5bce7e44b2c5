import MeshCore

// From slugs to rows: what a payload says in the words of the core.
extension Names {
    /// The registered beacons of a frame, sorted by row; what is not registered is left out.
    func frame(_ payload: FramePayload) -> Frame {
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

    /// What is asked, or `nil` if it names a user or station that does not exist.
    func verb(_ operation: Operation, _ payload: RequestPayload) -> Request.Verb? {
        guard let slug = payload.args.user, let user = users.id(slug) else { return nil }
        switch operation {
        case .startWorkout:
            guard let slug = payload.args.station else { return .startWorkout(user, nil) }
            return stations.id(slug).map { .startWorkout(user, $0) }
        case .pauseWorkout: return .pauseWorkout(user)
        case .resumeWorkout: return .resumeWorkout(user)
        case .completeWorkout: return .completeWorkout(user)
        }
    }
}

extension [Fact] {
    /// Drops rows that a later fact of the same kind replaces: while the disk is full, the rows
    /// of the machines must not pile up.
    mutating func keepNewestRows() {
        var seenSite = false
        var ledgers: Set<UserID> = []
        var presences: Set<UserID> = []
        var kept: [Fact] = []
        for fact in reversed() {
            switch fact {
            case .site:
                if seenSite { continue }
                seenSite = true
            case .ledger(let row): if !ledgers.insert(row.user).inserted { continue }
            case .presence(let row): if !presences.insert(row.user).inserted { continue }
            default: break
            }
            kept.append(fact)
        }
        self = kept.reversed()
    }
}
