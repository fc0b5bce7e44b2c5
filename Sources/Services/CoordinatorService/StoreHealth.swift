import SiteModel
import Wire

/// How the database takes what is decided.
///
/// A refusal for good is a bug: the site is restored from what is stored, which mends what can be
/// mended. Where that happens again and again, nothing is recorded however busy the process looks,
/// and it had better end.
struct StoreHealth {
    /// What keeps anything from being recorded.
    enum Trouble: String, CaseIterable {
        case databaseDamaged = "database-damaged"
        case databaseMoved = "database-moved"
        case factsRefused = "facts-refused"
        case factsWaiting = "facts-waiting"
    }

    /// How many refusals end the process: with nothing stored in between, or within `window`.
    static let most = 5
    static let window = Timestamp.Span.seconds(60)
    /// How long facts may wait, because the disk is full or the database locked, before there is an
    /// alert.
    static let patience = Timestamp.Span.seconds(60)

    /// Batches of facts refused for good so far.
    private(set) var refusals = 0
    private var inARow = 0
    /// The refusals of the last window, oldest first.
    private var recent: [Timestamp] = []
    private var refusing: Timestamp?
    private var waiting: Timestamp?
    private var damaged: Timestamp?
    private var moved: Timestamp?

    /// A batch was stored.
    mutating func stored() {
        inARow = 0
        waiting = nil
    }

    /// A batch was not stored, and will be tried again.
    mutating func postponed(at now: Timestamp) { waiting = waiting ?? now }

    /// A batch was refused for good. Returns whether there is no use in going on.
    mutating func refused(at now: Timestamp) -> Bool {
        if !isRefusing(at: now) { refusing = now }
        refusals += 1
        inARow += 1
        waiting = nil
        recent = recent.filter { now - $0 < Self.window } + [now]
        return inARow >= Self.most || recent.count >= Self.most
    }

    /// The database proved damaged.
    mutating func proved(damagedAt now: Timestamp) { damaged = damaged ?? now }

    /// The files of the database are not where they were, or are again.
    mutating func files(areMoved: Bool, at now: Timestamp) { moved = areMoved ? moved ?? now : nil }

    /// What a person should look at. While there is any, the coordinator does not do its work.
    func alerts(at now: Timestamp) -> [CoreHealthPayload.Alert] {
        Trouble.allCases.compactMap { trouble in
            since(trouble, at: now).map {
                CoreHealthPayload.Alert(id: trouble.rawValue, sinceMs: $0.milliseconds)
            }
        }
    }

    private func since(_ trouble: Trouble, at now: Timestamp) -> Timestamp? {
        switch trouble {
        case .databaseDamaged: damaged
        case .databaseMoved: moved
        case .factsRefused: isRefusing(at: now) ? refusing : nil
        case .factsWaiting: waiting.flatMap { now - $0 >= Self.patience ? $0 : nil }
        }
    }

    /// A refusal is over when something was stored since, and none followed it for a while.
    private func isRefusing(at now: Timestamp) -> Bool {
        inARow > 0 || recent.last.map { now - $0 < Self.window } ?? false
    }
}
