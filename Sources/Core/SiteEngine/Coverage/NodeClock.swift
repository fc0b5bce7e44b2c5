import SiteModel

/// What the clock of one process of a node is worth, learned from when its messages arrive.
package struct NodeClock: Equatable, Sendable, Codable {
    /// From a whole second of the node on, how many whole seconds ours is ahead.
    package struct Shift: Equatable, Sendable, Codable {
        /// The second by the node's clock, counted from the Unix epoch.
        package var since: Int64
        /// What to add, in seconds.
        package var seconds: Int64

        package init(since: Int64, seconds: Int64) {
            self.since = since
            self.seconds = seconds
        }
    }

    /// A message that puts the node's clock farther ahead than all others do, by more than
    /// `NodeClock.leap`: a damaged or forged one, or the first quick one after slow ones.
    package struct Witness: Equatable, Sendable, Codable {
        /// The time it tells, by the node's clock.
        let told: Timestamp
        /// Its arrival less that time.
        let difference: Timestamp.Span
        /// When it arrived.
        let at: Timestamp

        /// The whole second of the node's that it is about.
        var second: Int64 { (told - .milliseconds(1)).second }
    }

    /// The offset falls at once by no more than this: farther, two messages must say so.
    package static let leap = Timestamp.Span.milliseconds(500)
    /// The second of them comes within this time of the first.
    package static let memory = Timestamp.Span.seconds(30)
    /// The messages of a process after which seconds that were placed stay where they are.
    package static let settling = 8
    /// The shift stays while the offset is no farther from it than this, in milliseconds. More than
    /// half a second, so that an offset near a half does not sway between two.
    package static let patience: Int64 = 600
    /// A crystal off by 100 ppm shifts every three hours: so many cover 36 h.
    static let mostShifts = 16

    package var node: NodeID
    /// Its process.
    package var boot: UInt64
    /// What to add to its times: the smallest difference of arrival and time stamp seen lately.
    package private(set) var offset: Timestamp.Span
    /// The same in whole seconds, oldest first and never empty; the first one counts for all that
    /// was before it, too. A second that was placed once is placed there for ever, whether it comes
    /// in a frame at once or in evidence a day later.
    package private(set) var shifts: [Shift]
    /// When the node was last heard, by our own clock.
    package private(set) var heard: Timestamp
    /// The message that nobody confirmed yet: of the first message the offset itself.
    package private(set) var lone: Witness?
    /// How many messages the offset was learned from, at most `settling`.
    package private(set) var messages: Int

    private enum CodingKeys: String, CodingKey {
        case node
        case boot
        case offset
        case shifts
        case heard
        case lone
        case messages
    }

    /// A clock that is known, last heard at `heard`. Small offsets count as none.
    package init(node: NodeID, boot: UInt64, offset: Timestamp.Span, heard: Timestamp) {
        messages = Self.settling
        self.node = node
        self.boot = boot
        self.offset = offset
        self.heard = heard
        shifts = [Shift(since: 0, seconds: Self.seconds(nearest: offset, before: 0))]
    }

    /// A clock of which one message was heard.
    package init(node: NodeID, boot: UInt64, first: Witness) {
        self.init(node: node, boot: boot, offset: first.difference, heard: first.at)
        lone = first
        messages = 1
    }

    /// Learns from a message that came in time: the quickest delivery tells the offset best, and
    /// creeping up 1 ms a message follows a drift of more than 1,000 ppm; crystals stay below 100.
    ///
    /// One message alone does not pull the offset down by more than `leap`, and the first one counts
    /// no more than others: the second least of all differences is believed, or the least where two
    /// agree. Returns whether this message is among those believed: of another one nothing is known
    /// of when it was. A jump counts from the second `start` on, where given, else from the message's own.
    package mutating func learn(_ message: Witness, resuming start: Int64? = nil) -> Bool {
        if let lone, message.at - lone.at > Self.memory, lone.difference < offset {
            self.lone = nil
        }
        let count = messages
        messages = min(count + 1, Self.settling)
        if count == 1, let lone, message.difference > lone.difference + Self.leap {
            learn(message.difference, from: message.second, at: message.at)
            return true
        }
        guard message.difference + Self.leap < offset else {
            var usual = min(message.difference, offset + .milliseconds(1))
            // Near enough by now to be believed without another one.
            if let lone, lone.difference + Self.leap >= usual {
                usual = min(usual, lone.difference)
                self.lone = nil
            }
            learn(usual, from: message.second, at: message.at)
            return true
        }
        // Delivered twice, it is no witness of its own.
        guard count > 1, let other = lone, other.told != message.told else {
            lone = message
            heard = max(heard, message.at)
            return false
        }
        if abs(message.difference.milliseconds - other.difference.milliseconds)
            <= Self.leap.milliseconds
        {
            lone = nil
            let least = min(message.difference, other.difference)
            learn(least, from: message.second, since: start, at: message.at)
            return true
        }
        let isQuicker = message.difference < other.difference
        lone = isQuicker ? message : other
        let believed = isQuicker ? other : message
        learn(believed.difference, from: believed.second, at: message.at)
        return !isQuicker
    }

    /// Takes in a new offset, learned at `now` from a message about the node's whole second
    /// `second`; if that changes the shift, from `since` on where given.
    package mutating func learn(
        _ new: Timestamp.Span, from second: Int64, since: Int64? = nil, at now: Timestamp
    ) {
        // What the first messages of a process said of its clock is made up for.
        let isUnsettled =
            messages < Self.settling
            && abs(new.milliseconds - offset.milliseconds) > Self.leap.milliseconds
        offset = new
        heard = max(heard, now)
        guard let last = shifts.last else { return }
        let seconds = Self.seconds(nearest: new, before: last.seconds)
        guard seconds != last.seconds else { return }
        // The message's own second has perhaps been placed; a jump is another matter.
        let isStep = abs(seconds - last.seconds) > 1
        let start = isUnsettled ? 0 : since ?? (isStep ? second : second + 1)
        let first = shifts[0]
        shifts.removeAll { $0.since >= start }
        if shifts.isEmpty { shifts = [Shift(since: min(first.since, start), seconds: seconds)] }
        if shifts.last?.seconds != seconds { shifts.append(Shift(since: start, seconds: seconds)) }
        shifts.removeFirst(max(0, shifts.count - Self.mostShifts))
    }

    /// The start, in our time, of a whole second of the node's.
    package func place(second: Int64) -> Timestamp {
        let shift = shifts.last { $0.since <= second } ?? shifts.first
        return Timestamp(second: second + (shift?.seconds ?? 0))
    }

    /// The intervals, in our time, of whole seconds of the node's, earliest of the node's first: one, unless
    /// the shift changed among them. Between two of them nobody knows anything, so they are never joined here.
    package func place(_ seconds: ClosedRange<Int64>) -> [Interval] {
        var pieces: [Interval] = []
        var first = seconds.lowerBound
        for (index, shift) in shifts.enumerated() {
            let isLast = index + 1 == shifts.count
            let last = isLast ? seconds.upperBound : shifts[index + 1].since - 1
            guard last >= first else { continue }
            let end = min(last, seconds.upperBound)
            pieces.append(
                Interval(
                    from: Timestamp(second: first + shift.seconds),
                    to: Timestamp(second: end + shift.seconds + 1)))
            guard end < seconds.upperBound else { break }
            first = end + 1
        }
        return pieces
    }

    private static func seconds(nearest offset: Timestamp.Span, before: Int64) -> Int64 {
        if abs(offset.milliseconds - before * 1000) <= patience { return before }
        let half: Int64 = offset.milliseconds < 0 ? -500 : 500
        return (offset.milliseconds + half) / 1000
    }
}

extension NodeClock {
    /// Reads a clock; one stored before there were shifts has that of its offset.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            node: try values.decode(NodeID.self, forKey: .node),
            boot: try values.decode(UInt64.self, forKey: .boot),
            offset: try values.decode(Timestamp.Span.self, forKey: .offset),
            heard: try values.decodeIfPresent(Timestamp.self, forKey: .heard)
                ?? Timestamp(milliseconds: 0))
        lone = try values.decodeIfPresent(Witness.self, forKey: .lone)
        messages = try values.decodeIfPresent(Int.self, forKey: .messages) ?? Self.settling
        if let stored = try values.decodeIfPresent([Shift].self, forKey: .shifts), !stored.isEmpty {
            shifts = stored
        }
    }
}
