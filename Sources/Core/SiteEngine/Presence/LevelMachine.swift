import SiteModel

/// Follows one user at one level of place: not present → entering → present → leaving.
///
/// Told once a second what the locator is sure of. `entered` carries the first heard moment and
/// `left` the last, never the moment a timer ran out. Seconds in which nobody could have heard
/// do not count as silence.
package struct LevelMachine<Place: Hashable & Comparable & Sendable & Codable>: Equatable, Sendable
{
    package enum Move: Equatable, Sendable {
        /// Came to a place, first heard there at `at`.
        case entered(Place, at: Timestamp)
        /// Left a place, last heard there at `at`.
        case left(Place, at: Timestamp)
    }

    /// Where it stands.
    package private(set) var state: LevelState<Place>
    /// When a place was last left: what was heard elsewhere before is no stay any more.
    private var leftAt: Timestamp?

    /// A machine in a stored state.
    package init(_ state: LevelState<Place> = .unknown) { self.state = state }

    /// The place the user is decided to be at, if any.
    package var place: Place? {
        switch state {
        case .unknown, .notPresent, .entering: nil
        case .present(let place, _, _, _, _), .leaving(let place, _, _, _): place
        }
    }

    /// When the user came to the decided place.
    package var since: Timestamp? {
        switch state {
        case .unknown, .notPresent, .entering: nil
        case .present(_, let since, _, _, _), .leaving(_, let since, _, _): since
        }
    }

    /// One second passed.
    ///
    /// - Parameters:
    ///   - evidence: the confirmed place and when it was last heard, or `nil`.
    ///   - since: since when that place has been thought of, if longer than it is confirmed.
    ///   - isCovered: whether the place the machine holds could be heard.
    ///   - patience: a silence that says nothing yet, because their tag sends seldom.
    package mutating func step(
        evidence: (place: Place, heard: Timestamp)?, since began: Timestamp? = nil,
        isCovered: Bool, timing: Policy.Timing, patience: Timestamp.Span = .seconds(0)
    ) -> [Move] {
        let timing = timing.waiting(patience)
        switch state {
        case .unknown, .notPresent:
            if let evidence {
                state = entering(evidence, began)
                return believe(timing)
            }
            if isCovered { state = .notPresent }
            return []

        case .entering(let place, let since, let heard, let quiet):
            if let evidence {
                state =
                    evidence.place == place
                    ? .entering(place, since: since, heard: max(evidence.heard, since), quiet: 0)
                    : entering(evidence, began)
                return believe(timing)
            }
            let silent = quiet + (isCovered ? 1 : 0)
            state =
                Timestamp.Span.seconds(Double(silent)) >= max(timing.enter, patience)
                ? .notPresent : .entering(place, since: since, heard: heard, quiet: silent)
            return []

        case .present(let place, let since, let heard, let quiet, let rival):
            guard evidence == nil, patience > .seconds(0) else {
                return stay(place, since, heard, quiet, rival, evidence, began, isCovered, timing)
            }
            return silent(place, since, heard, quiet, rival, isCovered, timing)

        case .leaving(let place, let since, let heard, let quiet):
            return stay(place, since, heard, quiet, nil, evidence, began, isCovered, timing)
        }
    }

    private func entering(
        _ evidence: (place: Place, heard: Timestamp), _ began: Timestamp?
    ) -> LevelState<Place> {
        let began = min(began ?? evidence.heard, evidence.heard)
        let since = max(began, leftAt ?? began)
        return .entering(evidence.place, since: since, heard: max(evidence.heard, since), quiet: 0)
    }

    /// Turns `entering` into `present` when the evidence has lasted long enough.
    private mutating func believe(_ timing: Policy.Timing) -> [Move] {
        guard case .entering(let place, let since, let heard, _) = state,
            heard - since >= timing.enter
        else { return [] }
        state = .present(place, since: since, heard: heard, quiet: 0, rival: nil)
        return [.entered(place, at: since)]
    }

    private mutating func stay(
        _ place: Place, _ since: Timestamp, _ heard: Timestamp, _ quiet: Int,
        _ rival: Rival<Place>?, _ evidence: (place: Place, heard: Timestamp)?,
        _ thought: Timestamp?, _ isCovered: Bool, _ timing: Policy.Timing
    ) -> [Move] {
        guard let evidence else {
            return silent(place, since, heard, quiet, nil, isCovered, timing)
        }
        guard evidence.place != place else {
            state = .present(
                place, since: since, heard: max(heard, evidence.heard), quiet: 0, rival: nil)
            return []
        }
        // Another place wins. It is believed when it has won for as long as an entry takes.
        let began = rival?.place == evidence.place ? rival?.since : nil
        let first = max(began ?? min(thought ?? evidence.heard, evidence.heard), heard)
        guard evidence.heard - first >= timing.enter else {
            // Meanwhile this place is silent: a user who settles nowhere has left it all the same.
            let silence = quiet + (isCovered ? 1 : 0)
            if Timestamp.Span.seconds(Double(silence)) >= timing.leave {
                leftAt = heard
                state = .entering(
                    evidence.place, since: first, heard: max(evidence.heard, first), quiet: 0)
                return [.left(place, at: heard)]
            }
            state = .present(
                place, since: since, heard: heard, quiet: silence,
                rival: Rival(place: evidence.place, since: first))
            return []
        }
        state = .present(evidence.place, since: first, heard: evidence.heard, quiet: 0, rival: nil)
        return [.left(place, at: heard), .entered(evidence.place, at: first)]
    }

    /// `rival`: a place that has begun to win, where that outlasts a silence.
    private mutating func silent(
        _ place: Place, _ since: Timestamp, _ heard: Timestamp, _ quiet: Int,
        _ rival: Rival<Place>?, _ isCovered: Bool, _ timing: Policy.Timing
    ) -> [Move] {
        let silence = quiet + (isCovered ? 1 : 0)
        let span = Timestamp.Span.seconds(Double(silence))
        if span >= timing.leave {
            leftAt = heard
            state = .notPresent
            return [.left(place, at: heard)]
        }
        state =
            span >= timing.lost
            ? .leaving(place, since: since, heard: heard, quiet: silence)
            : .present(place, since: since, heard: heard, quiet: silence, rival: rival)
        return []
    }
}

extension Policy.Timing {
    /// The same where a silence of `patience` says nothing yet.
    fileprivate func waiting(_ patience: Timestamp.Span) -> Self {
        Self(enter: enter, lost: max(lost, patience), leave: max(leave, patience))
    }
}
