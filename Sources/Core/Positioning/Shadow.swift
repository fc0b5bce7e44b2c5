import SiteModel

/// A second locator that hears what the deciding one hears, and decides nothing: a change of the rule
/// is seen at a site before it matters there. It costs what the first one costs.
package struct Shadow: Sendable {
    /// How they compare so far, as of `at`.
    package private(set) var state: ShadowState?
    private var locating: Locating
    private let methods: (deciding: LocatingPolicy.Method, shadow: LocatingPolicy.Method)
    /// By user: the last place each of the two named.
    private var places: [(deciding: Place?, shadow: Place?)]
    private var sums = (deciding: 0.0, shadow: 0.0)

    /// The shadow a plan asks for, or `nil` if it asks for none. `places` as for the locator.
    package init?(plan: Plan, places: [(room: RoomID?, station: StationID?)]) {
        guard let policy = plan.policy.locating, let method = policy.shadow else { return nil }
        var own = plan
        own.policy.locating = LocatingPolicy(method: method, quickness: policy.quickness)
        locating = Locating(plan: own, places: places)
        methods = (policy.method, method)
        self.places = plan.users.map { _ in (nil, nil) }
    }

    /// Goes on as one beside a locator that locates alike.
    package mutating func keep(_ carried: Carryover, of old: Shadow) {
        locating.keep(carried, of: old.locating)
        for (index, place) in carried.carriers.enumerated() {
            if let place { places[index] = old.places[place] }
        }
        (state, sums) = (old.state, old.sums)
    }

    /// As of the locator.
    package mutating func listened(node: Int, at: Timestamp) {
        locating.listened(node: node, at: at)
    }

    /// As of the locator.
    package mutating func heard(
        beacon: Int, node: Int, level: RSSI, at: Timestamp, cadence: Timestamp.Span?
    ) {
        locating.heard(beacon: beacon, node: node, level: level, at: at, cadence: cadence)
    }

    /// Decides the same second of a user, and compares with what was decided: `fix`.
    package mutating func compare(
        _ fix: Fix?, user: Int, beacons: [Int], at now: Timestamp, isListening: (Int) -> Bool
    ) {
        let own = locating.fix(user: user, beacons: beacons, at: now, isListening: isListening)
        var state =
            self.state
            ?? ShadowState(
                since: now, at: now, deciding: ShadowState.Side(method: methods.deciding),
                shadow: ShadowState.Side(method: methods.shadow))
        state.at = now
        switch (fix, own) {
        case (nil, nil): break
        case (_?, nil): state.deciding.alone += 1
        case (nil, _?): state.shadow.alone += 1
        case (let fix?, let own?):
            state.seconds += 1
            if fix.place == own.place { state.agreed += 1 }
            sums.deciding += fix.probability
            sums.shadow += own.probability
            state.deciding.probability = Self.mean(sums.deciding, state.seconds)
            state.shadow.probability = Self.mean(sums.shadow, state.seconds)
        }
        state.deciding.count(fix?.place, after: &places[user].deciding)
        state.shadow.count(own?.place, after: &places[user].shadow)
        self.state = state
    }

    private static func mean(_ sum: Double, _ count: Int) -> Double {
        (sum / Double(count) * 1000).rounded() / 1000
    }
}

extension ShadowState.Side {
    /// Silence is no place, so that coming back to the same one is no change.
    fileprivate mutating func count(_ place: Place?, after last: inout Place?) {
        guard let place else { return }
        if let last, last != place { changes += 1 }
        last = place
    }
}
