import SiteModel

/// What is asked of the broker to read. What it refuses, or leaves without an answer, is asked for again: a broker that
/// is just losing one of its servers refuses what it grants a moment later.
struct Subscriptions {
    /// A request, and what of it is not granted.
    private struct Wish {
        var filters: [String]
        var quality: Int
        /// Of them those that are not wanted any more.
        var givenUp: Set<String> = []
        /// The broker's number for it while it has not answered.
        var message: Int32?
        /// When it is asked for again.
        var due: Timestamp
        /// How often it was asked for.
        var attempts = 1

        var wanted: [String] { filters.filter { !givenUp.contains($0) } }
    }

    /// So long an answer is waited for.
    static let patience = Timestamp.Span.seconds(10)
    /// Between a refusal and the next attempt: doubling from the first to the second.
    static let waits = (first: Timestamp.Span.seconds(1), longest: Timestamp.Span.seconds(60))

    private var wishes: [Wish] = []

    /// What the broker has refused, or not answered in time.
    var refused: [String] {
        wishes.filter { $0.message == nil || $0.attempts > 1 }.flatMap(\.wanted)
    }

    /// Whether everything that was asked for is granted.
    var isWhole: Bool { wishes.isEmpty }

    /// When something is to be asked for again.
    var deadline: Timestamp? { wishes.map(\.due).min() }

    /// Something was asked for; the answer will name `message`.
    mutating func ask(_ filters: [String], quality: Int, message: Int32, at now: Timestamp) {
        wishes.append(
            Wish(
                filters: filters, quality: quality, message: message, due: now + Self.patience))
    }

    /// The broker has answered: for each filter the quality granted, or 128 and above where it refuses. Filters without an
    /// answer of their own are refused.
    mutating func answered(_ message: Int32, _ granted: [Int32], at now: Timestamp) {
        guard let place = wishes.firstIndex(where: { $0.message == message }) else { return }
        let wish = wishes[place]
        let refused = wish.filters.enumerated().filter { index, filter in
            (index >= granted.count || granted[index] >= 128) && !wish.givenUp.contains(filter)
        }
        guard !refused.isEmpty else {
            wishes.remove(at: place)
            return
        }
        wishes[place].filters = refused.map(\.element)
        wishes[place].givenUp = []
        wishes[place].message = nil
        let doubled = Self.waits.first.milliseconds << Int64(min(wish.attempts - 1, 20))
        wishes[place].due = now + .milliseconds(min(doubled, Self.waits.longest.milliseconds))
    }

    /// Asks again for what is due. `ask` does it, and returns the number of the message.
    mutating func retry(
        at now: Timestamp, _ ask: ([String], Int) throws(MQTTError) -> Int32
    ) throws(MQTTError) {
        for place in wishes.indices where wishes[place].due <= now {
            wishes[place].attempts += 1
            wishes[place].due = now + Self.patience
            wishes[place].filters = wishes[place].wanted
            wishes[place].givenUp = []
            wishes[place].message = try ask(wishes[place].filters, wishes[place].quality)
        }
    }

    /// Filters are given up.
    mutating func giveUp(_ filters: [String]) {
        // An answer that is under way counts all that was asked for.
        for place in wishes.indices { wishes[place].givenUp.formUnion(filters) }
        wishes.removeAll { $0.wanted.isEmpty }
    }

    /// There is no connection: everything is asked for anew at the next.
    mutating func forget() { wishes = [] }
}
