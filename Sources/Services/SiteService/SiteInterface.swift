import Accounts
import Notifications
import Platform
import Records
import Registry
import SiteModel
import WebServer

/// Everything that can be asked of a site over HTTP, but the live page: the one list of routes.
package struct SiteInterface: Sendable {
    package let signIn: SignIn
    /// Who asked for what they may not, on the way to the audit.
    package let attempts = RefusedAttempts()
    /// How long routes took to answer what reads, and what writes.
    private let reading = Durations()
    private let writing = Durations()
    private let desk: WriteDesk
    private let samples = SampleBudget()
    private let detectors: DetectionIntake
    private let once: Replays
    private let executor: Executor
    private let orders = NearOrders()
    private let pushServices: PushServices
    private let joining: JoiningDoor?
    private let invitations = NodeInvitations()
    private let onLocalRefusal: @Sendable () -> Void

    /// Routes that read and write at `desk`. `onLocalRefusal` is called for each request at the socket
    /// of the owner that is refused.
    package init(
        desk: WriteDesk, signIn: SignIn, pushServices: PushServices = PushServices(),
        joining: JoiningDoor? = nil, onLocalRefusal: @escaping @Sendable () -> Void
    ) {
        self.desk = desk
        detectors = DetectionIntake(desk)
        once = Replays(desk)
        executor = Executor(desk, once: once)
        self.signIn = signIn
        self.pushServices = pushServices
        self.joining = joining
        self.onLocalRefusal = onLocalRefusal
    }

    /// What is served to everybody; each route says whom it lets in.
    package var routes: [Route] {
        let clock = desk.clock
        let sharing = { @Sendable [directory = desk.directory] in directory.sharing(.training) }
        let routes =
            once.inTurn(MachineRoutes(desk, sharing: sharing).all)
            + SessionRoutes(desk, signIn).all + KioskRoutes(desk).all
            + PushRoutes(desk, pushServices).all + NearRoutes(desk, orders).all
            + VisitRoutes(desk).all
            + RawRoutes(desk).all + DetectionRoutes(desk, detectors).all
            + JoinRoutes(desk, signIn, joining, invitations).all
            + once.keep(
                ReportRoutes(store: desk.store, now: { clock.now }).all
                    + SiteFileRoutes(desk).all
                    + HistoryImportRoutes(desk, sharing: sharing).all
                    + SampleRoutes(desk, samples).all + PhoneRoutes(desk, samples).all
            )
            + Operation.all.map { Route($0, executor) }
        return (routes + DescriptionRoutes(routes).all).map(timed)
    }

    /// The route, with a note of how long each answer took.
    private func timed(_ route: Route) -> Route {
        let durations = route.method == .get ? reading : writing
        var timed = route
        timed.answer = { request in
            let begun = ContinuousClock.now
            defer { durations.note(.now - begun) }
            return try await route.answer(request)
        }
        return timed
    }

    /// Prometheus text.
    package var metrics: String {
        let name = "mesh_http_answer_seconds"
        let lines =
            [
                "# TYPE mesh_requests_waiting gauge",
                "mesh_requests_waiting \(desk.mailbox.waiting)",
                "# TYPE mesh_sightings_left_out counter",
                "mesh_sightings_left_out \(desk.mailbox.sightings.leftOut)",
                "# TYPE \(name) histogram",
            ]
            + reading.lines(name, label: "kind=\"read\"")
            + writing.lines(name, label: "kind=\"write\"")
        return signIn.metrics + lines.joined(separator: "\n") + "\n"
    }

    /// Answers what is asked of the rooms over MQTT, one after the other, until the task is cancelled.
    package func answerRequests() -> Task<Void, Never> {
        let binding = MQTTBinding(executor)
        return Task { [desk] in
            for await request in desk.mailbox.requests {
                let answer = await binding.answer(request)
                // Whoever asked asks again with the same id.
                _ = desk.mailbox.put([answer])
            }
        }
    }

    /// Stores what phones send over MQTT, until the task is cancelled.
    package func takeSamples() -> Task<Void, Never> {
        let taking = SampleDesk(desk, samples)
        return Task { await taking.run() }
    }

    /// Stores what detectors send over MQTT, until the task is cancelled.
    package func takeDetections() -> Task<Void, Never> {
        let taking = DetectionDesk(desk, detectors)
        return Task { await taking.run() }
    }

    /// What is served at the socket of the owner only.
    package var localRoutes: [Route] { LocalRoutes(desk, onRefusal: onLocalRefusal).all }

    /// Has nodes tell of registered tags only once the time for the others is over, until the task is cancelled. `warn`
    /// is called the first time that this fails.
    package func endUnregistered(
        _ warn: @escaping @Sendable (String) -> Void
    ) -> Task<Void, Never> {
        Task { [desk] in
            var isFailing = false
            while (try? await Task.sleep(for: .seconds(2))) != nil {
                let now = desk.clock.now
                let due = try? await Blocking.run { [store = desk.store] in
                    try UnregisteredEnd(store).due(at: now)
                }
                guard case let (edit, tag)?? = due else { continue }
                do {
                    try await desk.perform(edit, ifMatch: tag)
                    isFailing = false
                } catch let refusal as BooksRefusal where refusal.code == .preconditionFailed {
                    // Somebody else changed the site meanwhile: looked at again.
                } catch {
                    if !isFailing { warn("nodes still tell of what nobody registered: \(error)") }
                    isFailing = true
                    guard (try? await Task.sleep(for: .seconds(30))) != nil else { return }
                }
            }
        }
    }

    /// Asks the source of cards every quarter of an hour, and as soon as another one is set, until the task is cancelled.
    /// `warn` is called when it begins to fail.
    package func followContent(
        _ warn: @escaping @Sendable (String) -> Void
    ) -> Task<Void, Never> {
        let follower = ContentFollower(desk)
        return Task {
            var fault: String?
            while (try? await Task.sleep(for: .seconds(2))) != nil {
                let now = await follower.turn()
                if let now, now != fault { warn("cards cannot be read: \(now)") }
                fault = now
            }
        }
    }

    /// Stores what comes into range of the site and goes out of it, where a group tells of that, until the task is
    /// cancelled. `warn` is called when it begins to fail.
    package func followRange(
        _ warn: @escaping @Sendable (String) -> Void
    ) -> Task<Void, Never> {
        let follower = RangeFollower(desk)
        return repeating("tags that come and go are not told of", warn) {
            try await follower.turn()
        }
    }

    /// Tells on the broker what is near people, until the task is cancelled. `warn` is called when it begins to fail.
    package func tellNear(_ warn: @escaping @Sendable (String) -> Void) -> Task<Void, Never> {
        let teller = NearTeller(desk, orders)
        return repeating("what is near people is not told", warn) { try await teller.turn() }
    }

    /// Stores what nodes tell of strangers' devices, until the task is cancelled. `warn` is called when it begins to fail.
    package func followSightings(
        _ warn: @escaping @Sendable (String) -> Void
    ) -> Task<Void, Never> {
        let follower = SightingFollower(desk)
        return repeating("strangers' devices are not stored", warn) { [clock = desk.clock] in
            try await follower.turn(at: clock.now)
        }
    }

    /// Does something every two seconds until the task is cancelled.
    private func repeating(
        _ complaint: String, _ warn: @escaping @Sendable (String) -> Void,
        _ turn: @escaping @Sendable () async throws -> Void
    ) -> Task<Void, Never> {
        Task {
            var isFailing = false
            while (try? await Task.sleep(for: .seconds(2))) != nil {
                do {
                    try await turn()
                    isFailing = false
                } catch {
                    if !isFailing { warn("\(complaint): \(error)") }
                    isFailing = true
                }
            }
        }
    }

    /// Stores every few seconds when sessions and tokens were last used and who was refused, until the
    /// task is cancelled.
    package func noteUses() -> Task<Void, Never> {
        Task { [desk, attempts] in
            for turn in 1... {
                guard (try? await Task.sleep(for: .seconds(5))) != nil else { return }
                let now = desk.clock.now
                let entries = attempts.take(at: now)
                let used = turn % 6 == 0 ? desk.directory.takeUsed() : nil
                guard used != nil || !entries.isEmpty else { continue }
                // What is lost here is the time of a use, or a line about an attempt that failed.
                _ = try? await desk.mailbox.ask(within: 10, storing: .together) { store in
                    if let used {
                        _ = try Accounts(store).perform(used, by: "core", via: .core, at: now)
                    }
                    for entry in entries { try AuditTrail(store).note(entry) }
                }
            }
        }
    }
}
