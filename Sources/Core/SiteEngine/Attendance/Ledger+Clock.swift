import AnomalyDetection
import SiteModel

extension Ledger {
    /// Notes that our clock was wrong in a stretch, if somebody was heard in it. Returns whether that is news.
    mutating func doubtClock(in stretch: Interval, of user: UserID) -> Bool {
        let last = heard.compactMap { $0.seconds.end(before: stretch.to) }.max()
        guard let last, last > stretch.from else { return false }
        return add(Doubt(user: user, at: last - .milliseconds(1), kind: .wrongClock, nodes: []))
    }
}
