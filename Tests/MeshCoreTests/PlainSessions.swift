@testable import SiteModel

/// Sessions as the documents say, second by second and without a trick: slow, plain, and written
/// apart from what it checks.
struct PlainSessions {
    /// A session in seconds after the start.
    struct Session: Equatable {
        var from: Int
        var to: Int?
        var isStated: Bool
        var isStatedEnd = false
        var breaks: [Range<Int>] = []
        var review: Set<Review> = []
        /// The end of the last second that counts for it.
        var last: Int
        /// Nothing was heard since somebody said that they are in.
        var isHeld = false
    }

    let timing: Policy.Timing
    let policy: AttendancePolicy
    /// By room: the seconds in which they were heard and somebody listened.
    private var heard: [[Bool]] = []
    private var listened: [[Bool]] = []
    /// By room: how many of the seconds before one were listened to.
    private var sums: [[Int]] = []
    private var anywhere: [Bool] = []
    /// The first second in which anybody listened.
    private let since: Int
    private let now: Int

    /// Runs of whole seconds, by room, as the evidence has them.
    init(
        heard: [[Range<Int>]], listened: [[Range<Int>]], policy: Policy, now: Int
    ) {
        timing = policy.site
        self.policy = policy.attendance ?? AttendancePolicy()
        self.now = now
        since = listened.flatMap { $0.map(\.lowerBound) }.min() ?? now
        self.heard = heard.map { Self.filled(Self.flags($0, now), 10) }
        self.listened = listened.map { Self.filled(Self.flags($0, now), 6) }
        anywhere = [Bool](repeating: false, count: now)
        for room in self.heard {
            for second in room.indices where room[second] { anywhere[second] = true }
        }
        anywhere = Self.filled(anywhere, 10)
        sums = self.listened.map { flags in
            var sums = [0]
            sums.reserveCapacity(flags.count + 1)
            for flag in flags { sums.append((sums.last ?? 0) + (flag ? 1 : 0)) }
            return sums
        }
    }

    /// When anybody listened in a stretch.
    private func anybody(in stretch: Range<Int>) -> [Range<Int>] {
        let union = stretch.map { second in listened.contains { $0[second] } }
        var runs: [Range<Int>] = []
        for (second, isListened) in zip(stretch, Self.filled(union, 6)) where isListened {
            if let last = runs.last, last.upperBound == second {
                runs[runs.count - 1] = last.lowerBound..<second + 1
            } else {
                runs.append(second..<second + 1)
            }
        }
        return runs
    }

    private static func flags(_ runs: [Range<Int>], _ count: Int) -> [Bool] {
        var flags = [Bool](repeating: false, count: count)
        for run in runs {
            for second in run.clamped(to: 0..<count) { flags[second] = true }
        }
        return flags
    }

    /// Gaps of up to `most` seconds filled.
    private static func filled(_ flags: [Bool], _ most: Int) -> [Bool] {
        var flags = flags
        var last = -1
        for second in flags.indices where flags[second] {
            if last >= 0, second - last - 1 <= most {
                for gap in (last + 1)..<second { flags[gap] = true }
            }
            last = second
        }
        return flags
    }

    /// The rooms whose silence says something about a gap that begins at `second`: those that heard
    /// them in the last two seconds in which anybody did, at most ten before.
    private func lastRooms(_ second: Int) -> [Int] {
        for last in stride(from: second - 1, through: max(0, second - 10), by: -1)
        where heard.contains(where: { $0[last] }) {
            return heard.indices.filter { heard[$0][last] || last > 0 && heard[$0][last - 1] }
        }
        return []
    }

    private func silence(_ room: Int, _ from: Int, _ to: Int) -> Int {
        from < to ? sums[room][to] - sums[room][from] : 0
    }

    /// The first moment at which one of the last rooms has listened to `leave` seconds of silence.
    private func decided(_ from: Int, _ to: Int) -> Int? {
        let leave = Int(timing.leave.seconds)
        return lastRooms(from).compactMap { room -> Int? in
            guard silence(room, from, to) >= leave else { return nil }
            var (low, high) = (from, to)
            while low < high {
                let middle = (low + high) / 2
                if silence(room, from, middle) >= leave { high = middle } else { low = middle + 1 }
            }
            return low
        }.min()
    }

    private func isAbsence(_ from: Int, _ to: Int) -> Bool {
        to - from >= 36 * 3600 || decided(from, to) != nil
    }

    private func isUncovered(_ from: Int, _ to: Int) -> Bool {
        (decided(from, to) ?? to) - from > Int(timing.leave.seconds) + 60
    }

    private func hadJustBegun(_ second: Int) -> Bool {
        let leave = Int(timing.leave.seconds)
        // Of the first evening it is said once, of the site.
        guard second - leave > since else { return false }
        return !heard.indices.contains { room in
            (second..<min(now, second + 10)).contains { heard[room][$0] }
                && silence(room, max(0, second - leave), second) + 60 >= leave
        }
    }

    /// The sessions, given what was said at which second, in order.
    func sessions(_ said: [(at: Int, isIn: Bool)]) -> [Session] {
        var done: [Session] = []
        var open: Session?
        var after: (last: Int, session: Int?, heard: Int)?
        let merge = Int(policy.mergeGap.seconds)
        let longest = Int(policy.longestOpen.seconds)
        let patience = max(merge, Int(policy.longestBreak.seconds))

        func finish(_ session: Session) {
            let length = (session.to ?? session.last) - session.from
            guard session.isStated || length >= Int(timing.enter.seconds) else { return }
            var session = session
            if (session.to ?? now) - session.from > longest { session.review.insert(.tooLong) }
            done.append(session)
        }
        func close(_ session: Session, _ gapEnd: Int) {
            var session = session
            session.to = session.last
            if isUncovered(session.last, gapEnd) { session.review.insert(.coverageGap) }
            finish(session)
            open = nil
        }
        func isOver(_ session: Session, _ second: Int) -> Bool {
            !session.isHeld && second - session.last > patience && isAbsence(session.last, second)
        }

        var next = 0
        for second in 0...now {
            while next < said.count, said[next].at == second {
                if said[next].isIn {
                    after = nil
                    if let session = open, isOver(session, second) { close(session, second) }
                    if let session = open {
                        if isAbsence(session.last, second) {
                            open?.last = second
                            open?.isHeld = true
                        }
                    } else {
                        open = Session(
                            from: second, to: nil, isStated: true, last: second, isHeld: true)
                    }
                } else if var session = open {
                    if !session.isHeld, second - session.last > 300,
                        isAbsence(session.last, second)
                    {
                        session.review.insert(.silentBeforeOut)
                    }
                    session.to = max(second, session.from)
                    session.isStatedEnd = true
                    let count = done.count
                    finish(session)
                    open = nil
                    after = (session.last, done.count > count ? count : nil, 0)
                }
                next += 1
            }
            guard second < now, anywhere[second] else { continue }
            if var over = after {
                let isOn = heard.contains { room in
                    (max(0, over.last - 10)..<over.last).contains { room[$0] }
                }
                if isOn, !isAbsence(over.last, second) {
                    over.last = second + 1
                    over.heard += 1
                    after = over
                    if over.heard > 300, let index = over.session {
                        done[index].review.insert(.heardOutside)
                    }
                    continue
                }
                after = nil
            }
            if let session = open, isOver(session, second) { close(session, second) }
            guard var session = open else {
                open = Session(from: second, to: nil, isStated: false, last: second + 1)
                if hadJustBegun(second) { open?.review.insert(.coverageGap) }
                continue
            }
            let gap = second - session.last
            if session.isHeld {
                if gap > longest {
                    let listened = anybody(in: session.last..<second)
                    if gap - listened.map(\.count).reduce(0, +) > max(merge, 60) {
                        session.breaks += listened
                        session.review.insert(.coverageGap)
                    } else {
                        session.breaks.append(session.last..<second)
                    }
                }
            } else if gap > merge {
                if isAbsence(session.last, second) {
                    session.breaks.append(session.last..<second)
                } else {
                    let best =
                        lastRooms(session.last).map { silence($0, session.last, second) }.max()
                        ?? 0
                    if gap - best > max(merge, 60) { session.review.insert(.coverageGap) }
                }
            }
            session.last = second + 1
            session.isHeld = false
            open = session
        }
        if let session = open {
            if !session.isHeld, isAbsence(session.last, now) {
                close(session, now)
            } else {
                finish(session)
            }
        }
        return done
    }
}
