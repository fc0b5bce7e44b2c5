import Testing

@testable import Records
@testable import Registry
@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore

/// A session that an approved correction adds is in the books once, whoever writes it: the machines, or
/// the approval itself.
struct AddedSessionTests {
    private let site: BooksSite
    private let now = BooksSite.now

    init() throws { site = try BooksSite() }

    /// The machines as they start from what is stored.
    private func machines() throws -> Mesh {
        let (plan, _, saved) = try #require(try site.store.load())
        return Mesh(plan: plan, restoring: saved)
    }

    /// Gives machines an input and stores what they decide.
    private func give(_ input: Input, to mesh: inout Mesh, at moment: Timestamp) throws {
        var decisions: [Decision] = []
        mesh.handle(input, at: moment, into: &decisions)
        try site.store.commit(
            decisions.compactMap { if case .fact(let fact) = $0 { fact } else { nil } })
    }

    /// A coordinator starts at a moment, takes in what people decided, and runs for two seconds.
    private func start(at moment: Timestamp) throws {
        var mesh = try machines()
        let decided = try site.store.overrides()
        if decided != mesh.saved.overrides {
            try give(.overrides(decided), to: &mesh, at: moment)
        }
        try give(.tick, to: &mesh, at: moment + .seconds(2))
        #expect(try site.store.load()?.saved == mesh.saved)
    }

    /// Ann's sessions but the two she had, in seconds after now.
    private func added(_ user: UserID = ann) throws -> [String] {
        try site.store.texts(
            """
            SELECT (from_ms - \(now.milliseconds)) / 1000, (to_ms - \(now.milliseconds)) / 1000
            FROM attendance_session
            WHERE user = \(user.row) AND id > 3 AND void = 0 ORDER BY from_ms
            """)
    }

    private func add(_ from: Int, _ to: Int, at moment: Timestamp) throws {
        try site.correct(
            .add(
                user: "u-ann", from: now + .seconds(Double(from)), to: now + .seconds(Double(to))),
            at: moment)
    }

    @Test(arguments: [1, 2, 3, 5])
    func `what is added while the coordinator is stopped for days stands once it runs`(
        days: Int
    ) throws {
        let later = now + .seconds(Double(days) * 86_400)
        try add(-3000, -2000, at: later)
        try start(at: later)
        #expect(try added() == ["-3000 -2000"])
        #expect(try site.store.texts("SELECT count(*) FROM event WHERE subject > 3") == ["2"])
        for hours in [1, 30, 80, 300] {
            try start(at: later + .seconds(Double(hours) * 3600))
            #expect(try added() == ["-3000 -2000"], "\(hours) hours later")
        }
        #expect(
            try site.store.texts("SELECT count(*) FROM event WHERE subject > 3") == ["2"],
            "it is told once")
    }

    /// The whole hour before which machines that have run for long know nothing of Ann, in seconds after
    /// now.
    private static var hour: Int {
        let past = (BooksSite.now - .seconds(36 * 3600 + 60)).second
        return Int(past - past % 3600 - BooksSite.now.second)
    }

    /// Ann was heard in her second session: then it is stored of her how much is forgotten.
    private func hearAnn() throws {
        let seconds = IntervalSet(
            [Interval(from: now - .seconds(7200), to: now - .seconds(3600))],
            joining: Ledger.joining)
        let listened = IntervalSet(
            [Interval(from: now - .seconds(9000), to: now)], joining: Frame.joining)
        try site.store.commit([
            .ledger(
                LedgerRow(
                    user: ann, heard: [RoomTime(room: hall, seconds: seconds)],
                    checkpoint: LedgerCheckpoint(at: now + .seconds(Double(Self.hour))))),
            .site(
                SiteRow(
                    clock: now - .seconds(1), next: 4,
                    coverage: [RoomTime(room: hall, seconds: listened)], clocks: [],
                    listeningSince: now - .seconds(9000))),
        ])
    }

    /// Of an hour that has begun nothing is forgotten, and a minute more: the edge lies up to an hour
    /// before the horizon.
    @Test(
        arguments: [-3601, -3600, -3599, -1800, -61, -60, -59, -1, 0, 1, 60, 3600],
        [true, false])
    func `what is added at the edge of what the machines know stands once`(
        offset: Int, isHeard: Bool
    ) throws {
        for edge in [-36 * 3600, Self.hour] {
            let own = try AddedSessionTests()
            if isHeard { try own.hearAnn() }
            var mesh = try own.machines()
            try own.give(.tick, to: &mesh, at: now)
            try own.give(.overrides(own.site.store.overrides()), to: &mesh, at: now)
            let to = edge + offset
            try own.add(to - 600, to, at: now)
            try own.give(.overrides(own.site.store.overrides()), to: &mesh, at: now)
            for hours in [0, 1, 2, 40] {
                try own.give(.tick, to: &mesh, at: now + .seconds(Double(hours) * 3600 + 2))
                #expect(try own.added() == ["\(to - 600) \(to)"], "\(hours) hours later")
            }
            try own.start(at: now + .seconds(41 * 3600))
            #expect(try own.added() == ["\(to - 600) \(to)"])
        }
    }

    @Test func `what the machines forget while it is approved stands once`() throws {
        var mesh = try machines()
        try give(.tick, to: &mesh, at: now)
        // Two hours pass in them, and the store has not taken that yet.
        var waiting: [Decision] = []
        mesh.handle(.tick, at: now + .seconds(7200), into: &waiting)
        let to = -36 * 3600 + 600
        try add(to - 600, to, at: now + .seconds(7200))
        try site.store.commit(
            waiting.compactMap { if case .fact(let fact) = $0 { fact } else { nil } })
        try give(.overrides(site.store.overrides()), to: &mesh, at: now + .seconds(7201))
        try give(.tick, to: &mesh, at: now + .seconds(7203))
        #expect(try added() == ["\(to - 600) \(to)"])
    }

    @Test func `an arrival never takes the row of an added session`() throws {
        let old = -20 * 86_400
        try add(old, old + 600, at: now)
        var mesh = try machines()
        try add(old + 1200, old + 1800, at: now)
        let request = Request(
            client: "kiosk", id: "1", name: "asked",
            verb: .attendance(cid, .checkIn(at: nil, reason: nil)))
        try give(.request(request), to: &mesh, at: now + .seconds(10))
        #expect(try added() == ["\(old) \(old + 600)", "\(old + 1200) \(old + 1800)"])
        #expect(try added(cid) == ["10 -"])
        let rows = try site.store.texts("SELECT id FROM attendance_session ORDER BY id")
        #expect(rows.compactMap { Int64($0) }.allSatisfy { $0 < 1 << 53 }, "for who reads JSON")
        #expect(try #require(try site.store.load()).saved.site.next < 1000)
    }

    private func retireAnn() throws {
        var gym = SiteDocument.gym
        gym.users.removeAll { $0.slug == "u-ann" }
        gym.beacons.removeAll { $0.user == "u-ann" }
        try SiteImport(site.store).importDocument(gym, at: now)
    }

    /// Those of Ann that stand, all of them.
    private func standing() throws -> [String] {
        try site.store.texts(
            """
            SELECT (from_ms - \(now.milliseconds)) / 1000, (to_ms - \(now.milliseconds)) / 1000
            FROM attendance_session WHERE user = 1 AND void = 0 AND id > 1 ORDER BY from_ms
            """)
    }

    @Test func `corrections of who was retired are carried out at once`() throws {
        try retireAnn()
        try site.correct(
            .times(2, revision: nil, from: now - .seconds(7000), to: now - .seconds(3000)))
        try add(-600, -500, at: now)
        #expect(try standing() == ["-7000 -3000", "-600 -500"])
        try start(at: now)
        try site.correct(.remove(2, revision: nil))
        try start(at: now + .seconds(2 * 86_400))
        #expect(try standing() == ["-600 -500"])
        // Who comes back has what they had.
        try SiteImport(site.store).importDocument(.gym, at: now + .seconds(2 * 86_400))
        try start(at: now + .seconds(2 * 86_400 + 10))
        #expect(try standing() == ["-600 -500"])
    }

    @Test func `who is retired before the machines know of corrections has them all the same`()
        throws
    {
        try site.correct(
            .times(2, revision: nil, from: now - .seconds(7000), to: now - .seconds(4000)))
        try add(-3000, -2900, at: now)
        try retireAnn()
        try start(at: now)
        #expect(try standing() == ["-7000 -4000", "-3000 -2900"])
        try SiteImport(site.store).importDocument(.gym, at: now + .seconds(60))
        try start(at: now + .seconds(70))
        #expect(try standing() == ["-7000 -4000", "-3000 -2900"])
    }
}
