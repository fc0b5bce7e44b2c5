/// A session as it follows from a ledger, before it has a row.
package struct Attended: Equatable, Sendable, Codable {
    /// The first heard second, or what was stated.
    package var from: Timestamp
    /// The end of the last heard second, or what was stated; `nil` while it is open.
    package var to: Timestamp?
    /// What its beginning rests on.
    package var inCause: Session.InCause
    /// What its end rests on; `nil` while it is open.
    package var outCause: Session.OutCause?
    /// The end of the last second they were heard in it or right after it; `nil` if never.
    package var lastHeard: Timestamp?
    /// Absences that count as breaks, oldest first.
    package var breaks: [Interval] = []
    /// Why a person should look at it.
    package var review: Set<Review> = []

    package init(
        from: Timestamp, to: Timestamp? = nil, inCause: Session.InCause,
        outCause: Session.OutCause? = nil, lastHeard: Timestamp? = nil, breaks: [Interval] = [],
        review: Set<Review> = []
    ) {
        self.from = from
        self.to = to
        self.inCause = inCause
        self.outCause = outCause
        self.lastHeard = lastHeard
        self.breaks = breaks
        self.review = review
    }
}

extension Attended {
    /// What an approved correction states.
    package init(stated: Interval) {
        self.init(
            from: stated.from, to: stated.to, inCause: .corrected, outCause: .corrected,
            lastHeard: nil)
    }

    /// Writes it with sorted codes: the order of a set differs from run to run.
    package func encode(to encoder: any Encoder) throws {
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
