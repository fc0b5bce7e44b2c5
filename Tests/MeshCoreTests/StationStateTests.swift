import Testing

@testable import SiteModel

/// What a station is, by who is there and who holds a slot.
struct StationStateTests {
    var state = StationState(station: StationID(1), since: moment(0))
    private let ann = UserID(1)
    private let ben = UserID(2)

    /// Whether it is told.
    @discardableResult
    private mutating func take(
        _ here: [UserID], holders: [UserID] = [], slots: Int = 1, isListening: Bool = true,
        isOutOfOrder: Bool = false, at second: Double
    ) -> Bool {
        state.take(
            here: here, holders: holders, slots: slots, isOutOfOrder: isOutOfOrder,
            isListening: isListening,
            at: moment(second))
    }

    @Test mutating func `more people than slots are a conflict after ten seconds`() {
        take([ann], at: 1)
        for second in 2...11 {
            take([ben, ann], at: Double(second))
            #expect(state.state == .occupied && state.here == [ann, ben], "\(second)")
        }
        #expect(take([ben, ann], at: 12))
        #expect(state.state == .conflict && state.since == moment(12))
        take([ben], at: 13)
        #expect(state.state == .occupied)
        take([ben, ann], at: 14)
        #expect(state.state == .occupied, "it begins anew")
    }

    @Test mutating func `what is out of order is nothing else, whoever is there`() {
        take([ann, ben], holders: [ann], at: 1)
        take([ann, ben], holders: [ann], isOutOfOrder: true, at: 20)
        #expect(state.state == .outOfOrder && state.users == [ann] && state.here == [ann, ben])
        take([ann], holders: [ann], at: 21)
        #expect(state.state == .occupied)
    }

    @Test mutating func `a claim keeps a free slot, also where nobody listens`() {
        take([], holders: [ben], at: 1)
        #expect(state.state == .claimed && state.users == [ben] && state.here == [])
        take([], holders: [ben], isListening: false, at: 2)
        #expect(state.state == .claimed)
        take([], isListening: false, at: 3)
        #expect(state.state == .unknown && state.users == [])
        take([], at: 4)
        #expect(state.state == .free)
    }

    @Test mutating func `somebody may train where another has a claim`() {
        take([ann], holders: [ben], at: 1)
        #expect(state.state == .occupied && state.users == [ben] && state.here == [ann])
        take([ann, ben], holders: [ben], slots: 2, at: 30)
        #expect(state.state == .occupied && state.users == [ben] && state.here == [ann, ben])
    }

    @Test mutating func `what stays as it is, is not told again`() {
        #expect(take([ann], at: 1))
        #expect(!take([ann], at: 2))
        #expect(state.since == moment(1))
        #expect(take([ann], holders: [ben], at: 3))
    }

    /// How long it has been so is no matter of who waits, of who is there beside, or of when it will be free.
    @Test mutating func `since when is of the state, of whom it is and of what they hold`() {
        func took(
            _ here: [UserID], _ holders: [UserID] = [], claims: [Int64] = [], waiting: Int = 0,
            freeAt: Double? = nil, _ second: Double
        ) -> Bool {
            state.take(
                here: here, holders: holders, claims: claims, queue: (waiting, []),
                freeAt: freeAt.map { moment($0) }, slots: 2, isOutOfOrder: false,
                isListening: true, at: moment(second))
        }
        #expect(took([ann], [ann], claims: [7], 1))
        #expect(took([ann, ben], [ann], claims: [7], 2), "who is there beside is told")
        #expect(took([ann, ben], [ann], claims: [7], waiting: 1, 3))
        #expect(took([ann, ben], [ann], claims: [7], waiting: 1, freeAt: 90, 4))
        #expect(state.since == moment(1) && state.at == moment(4))
        #expect(!took([ann, ben], [ann], claims: [7], waiting: 1, freeAt: 90, 5))
        #expect(took([ann, ben], [ann], claims: [8], waiting: 1, freeAt: 90, 6))
        #expect(state.since == moment(6), "they hold another slot")
    }

    @Test mutating func `what is so again after a restart is so since before it`() {
        take([ann], at: 1)
        let before = StationSince(state)
        var other = StationState(station: StationID(1), since: moment(50))
        func told(_ here: [UserID], _ second: Double) {
            _ = other.take(
                here: here, holders: [], slots: 1, isOutOfOrder: false, isListening: true,
                before: before, at: moment(second))
        }
        told([], 51)
        #expect(other.since == moment(51))
        told([ann], 52)
        #expect(other.since == moment(1))
        told([ben], 53)
        #expect(other.since == moment(53), "that is somebody else")
    }
}
