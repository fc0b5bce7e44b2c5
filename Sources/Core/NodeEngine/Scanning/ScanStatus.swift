import SiteModel

/// What one scanner does, and what it has gone through: what health, alerts and people are told.
package struct ScanStatus: Equatable, Sendable {
    /// What the scanner does.
    package enum State: String, Equatable, Sendable, CaseIterable {
        /// There is no such adapter.
        case absent
        /// The adapter is switched off by rfkill, which only a person or a program may lift.
        case blocked
        /// The adapter was switched off, by somebody or something.
        case down
        /// It is being switched on and told to scan, for the first time or after an absence.
        case starting
        case scanning
        /// Somebody else uses the adapter; our scan is off or not as it should be.
        case foreign
        /// It scans, as far as the controller says, and hears nothing for unusually long. Either
        /// nobody transmits, or the controller lies; what could be tried has been tried.
        case quiet
        /// A remedy is under way.
        case recovering
        /// The remedies did not help; they are tried again ever less often.
        case failed
        /// It was told to stop, or its recording is over.
        case stopped
    }

    /// Counts of remedies since the start of the process.
    package struct Recoveries: Equatable, Sendable {
        /// Scans started again because of an error, a disturbance, or silence.
        package var rescans = 0
        /// Adapters switched off and on again.
        package var powerCycles = 0

        package init() {}

        package var total: Int { rescans + powerCycles }
    }

    package var state: State
    /// The adapter, such as `hci0`; what was asked for while there is none.
    package var adapter: String
    /// The adapter's address, most significant byte first in the low 48 bits, once it is known.
    /// Nothing to identify a node by: some adapters all have the same.
    package var address: UInt64?
    package var since: Timestamp
    /// The remedies so far.
    package var recoveryCounts = Recoveries()
    /// How often somebody else's commands ended our scan.
    package var takeovers = 0
    /// The most that packets waited to be read in the last ten to twenty seconds, or `nil` if the
    /// source does not say when they came.
    package var lateness: Timestamp.Span?

    /// A scanner that has done nothing but this.
    package init(
        state: State, adapter: String, address: UInt64? = nil, since: Timestamp,
        lateness: Timestamp.Span? = nil
    ) {
        self.state = state
        self.adapter = adapter
        self.address = address
        self.since = since
        self.lateness = lateness
    }

    /// The remedies so far, of whatever kind.
    package var recoveries: Int { recoveryCounts.total }

    /// Whether what is not heard counts as silence. It does when the scan is on and its controller
    /// answers, however little is heard.
    package var isListening: Bool { state == .scanning || state == .quiet }
}
