import Glibc

/// Tells on standard error how far a long run is, where somebody watches.
package struct ProgressMeter {
    /// Short runs tell nothing.
    private static let patience = 2.0

    private let isWatched: Bool
    private let watch = Stopwatch()
    private var told = -1

    /// A meter that tells to a terminal only, unless it is forced to.
    package init(isForced: Bool) { isWatched = isForced || isatty(STDERR_FILENO) == 1 }

    /// A share of the work is done.
    package mutating func tell(_ share: Double) {
        let percent = Int(share * 100)
        guard isWatched, percent > told, watch.seconds > Self.patience else { return }
        told = percent
        StandardError.write("\r\(percent) %")
    }

    /// The work is done.
    package func end() {
        if told >= 0 { StandardError.write("\r     \r") }
    }
}
