import Synchronization

/// How long something took each time, as a histogram for `/metrics`. Any thread may note.
package final class Durations: Sendable {
    /// In seconds: what a person does not notice, notices, and takes for a fault.
    package static let bounds = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10]

    /// How many were at most as long as each bound and longer than the one before, the longest last; and their sum in
    /// seconds.
    private let state = Mutex(
        (counts: [Int](repeating: 0, count: bounds.count + 1), sum: 0.0))

    package init() {}

    /// It took so long once more.
    package func note(_ duration: Duration) {
        let seconds = duration / .seconds(1)
        let place = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
        state.withLock { state in
            state.counts[place] += 1
            state.sum += seconds
        }
    }

    /// In the Prometheus text format, without the type. `label` is one, such as `kind="read"`, or empty.
    package func lines(_ name: String, label: String = "") -> [String] {
        let (counts, sum) = state.withLock { ($0.counts, $0.sum) }
        var total = 0
        let buckets = zip(Self.bounds.map { "\($0)" } + ["+Inf"], counts).map { bound, count in
            total += count
            let labels = label.isEmpty ? "" : label + ","
            return "\(name)_bucket{\(labels)le=\"\(bound)\"} \(total)"
        }
        let labels = label.isEmpty ? "" : "{\(label)}"
        return buckets + ["\(name)_sum\(labels) \(sum)", "\(name)_count\(labels) \(total)"]
    }
}
