/// A session as it follows from a ledger, before it has a row.
public struct Attended: Equatable, Sendable, Codable {
    /// The first heard second, or what was stated.
    public var from: Timestamp
    /// The end of the last heard second, or what was stated; `nil` while it is open.
    public var to: Timestamp?
    /// What its beginning rests on.
    public var inCause: Session.InCause
    /// What its end rests on; `nil` while it is open.
    public var outCause: Session.OutCause?
    /// The end of the last second they were heard in it or right after it; `nil` if never.
    public var lastHeard: Timestamp?
    /// Absences that count as breaks, oldest first.
    public var breaks: [Interval] = []
    /// Why a person should look at it.
    public var review: Set<Review> = []
}

extension Attended {
    /// What an approved correction states.
    init(stated: Interval) {
        self.init(
            from: stated.from, to: stated.to, inCause: .corrected, outCause: .corrected,
            lastHeard: nil)
    }

    /// Writes it with sorted codes: the order of a set differs from run to run.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(from, forKey: .from)
        try values.encodeIfPresent(to, forKey: .to)
        try values.encode(inCause, forKey: .inCause)
        try values.encodeIfPresent(outCause, forKey: .outCause)
        try values.encodeIfPresent(lastHeard, forKey: .lastHeard)
        try values.encode(breaks, forKey: .breaks)
        try values.encode(review.sorted(), forKey: .review)
    }
}
