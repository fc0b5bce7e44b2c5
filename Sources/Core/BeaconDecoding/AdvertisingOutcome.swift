extension AdvertisingEvent {
    /// What became of the packets walked: what was given, and what was wrong, counted.
    package struct Outcome: Equatable, Sendable {
        /// Reports given to the caller.
        package var reports = 0
        /// Extended reports held back because more of the same advertisement follows.
        package var fragments = 0
        /// Advertisements in parts that were given up: too long, or too many at once.
        package var overflows = 0
        /// Well-formed packets that are no advertising reports.
        package var others = 0
        /// Packets shorter than their header says, and reports that announce more than is there.
        package var truncated = 0
        /// Packets with bytes after their end, and events with bytes after their last report.
        package var trailing = 0
        /// Events that announce no report.
        package var empty = 0
        /// Reports of an event type the specification does not define; not given.
        package var badEventType = 0
        /// Reports of an address type the specification does not define; not given.
        package var badAddressType = 0
        /// Reports of the legacy event with more than 31 bytes of data; given all the same.
        package var oversize = 0

        package init() {}

        /// Everything that was wrong, whatever it was.
        package var faults: Int {
            truncated + trailing + empty + badEventType + badAddressType + oversize
                + overflows
        }

        /// Adds the counts of another packet.
        package static func += (total: inout Outcome, more: Outcome) {
            total.reports += more.reports
            total.fragments += more.fragments
            total.overflows += more.overflows
            total.others += more.others
            total.truncated += more.truncated
            total.trailing += more.trailing
            total.empty += more.empty
            total.badEventType += more.badEventType
            total.badAddressType += more.badAddressType
            total.oversize += more.oversize
        }
    }
}
