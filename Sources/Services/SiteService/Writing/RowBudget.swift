import SiteModel
import Synchronization
import WebServer

/// How many rows people add to the database or change there, so that nobody fills the disk: whatever they send, and
/// whichever way. It is counted after it is stored, as most of what phones send is there already, and kept in memory:
/// nobody but who runs the coordinator can start it anew.
package final class RowBudget: Sendable {
    /// Each has a budget of its own: a phone that goes wrong keeps nobody from checking in.
    package enum Kind: Hashable, Sendable {
        /// What phones and watches measure.
        case samples
        /// What is asked of the machines over HTTP: check-ins, workouts, sets. Over MQTT each client has as many
        /// (`RequestBudget`).
        case requests
        /// Of these what ends something, so that whoever has asked for too much can still leave.
        case endings
        /// What somebody trained elsewhere, as files.
        case histories
        /// All else: notes, corrections, settings.
        case others
    }

    private struct Key: Hashable {
        var person: String
        var kind: Kind
    }

    /// So many at once, and so many more within each day: ten times what a day of training and of samples by the
    /// minute takes, and as much as the longest history. One write may go beyond it.
    package static let aDay = 50_000
    /// Of a request to the machines, whose rows are stored later: a workout or set, its events and its answer.
    package static let ofRequest = 5
    /// So many are remembered, then those only of which some is used.
    private static let mostKeys = 50_000
    private static let day = Duration.seconds(86_400)

    /// When all of it will be there again.
    private let full = Mutex<[Key: ContinuousClock.Instant]>([:])

    package init() {}

    /// Throws `rate_limited` if somebody has used it up; `nil` is nobody who pays.
    package func check(
        _ kind: Kind, of person: String?, at now: ContinuousClock.Instant = .now
    ) throws(RouteProblem) {
        guard let person, let wait = wait(kind, of: person, at: now) else { return }
        throw RouteProblem(
            .rateLimited,
            "More than \(Self.aDay) rows of \(person) were stored within a day. Nothing of this request is: send "
                + "it again in \((wait + 59) / 60) min.", retryAfter: wait)
    }

    /// After how many seconds somebody may store something; `nil`: now.
    package func wait(
        _ kind: Kind, of person: String, at now: ContinuousClock.Instant = .now
    ) -> Int? {
        guard let full = full.withLock({ $0[Key(person: person, kind: kind)] }),
            full - now >= Self.day
        else { return nil }
        return Int((full - now - Self.day) / .seconds(1)) + 1
    }

    /// Notes that rows of somebody were stored.
    package func use(
        _ rows: Int, _ kind: Kind, of person: String?, at now: ContinuousClock.Instant = .now
    ) {
        guard let person, rows > 0 else { return }
        let key = Key(person: person, kind: kind)
        full.withLock { full in
            if full.count >= Self.mostKeys, full[key] == nil {
                full = full.filter { $0.value > now }
            }
            full[key] = max(full[key] ?? now, now) + Self.day * rows / Self.aDay
        }
    }
}

extension SiteWrite {
    /// Whose budget it uses, and which; `asker` is whose if it says nobody. What ends something or takes it away
    /// uses none: it is open to everybody at any time.
    func budget(of asker: String?) -> (kind: RowBudget.Kind, person: String?)? {
        switch self {
        case .activity(.samples(let user, _)), .activity(.intervals(let user, _)),
            .activity(.rates(let user, _)), .activity(.positions(let user, _)):
            (.samples, user)
        case .importHistory: (.histories, asker)
        case .accounts(.addToken): (.others, asker)
        case .accounts: nil
        default: (.others, asker)
        }
    }
}
