import Broker
import BrokerAccess
import Glibc
import Logging
import Scheduling
import SiteEngine
import SiteModel
import SitePipeline
import SiteStore
import Platform
import SiteService
import WebServer
import Wire

/// The one thread that owns a site's pipeline: polls the broker's socket, the store's reports and
/// the signals, and performs what the pipeline asks for.
final class CoordinatorLoop {
    private let configuration: CoordinatorConfiguration
    let logger: Logger
    private var throttle = LogThrottle()
    let clock: LoopClock
    private let feed: LiveFeed
    let status: SharedStatus
    let reports: WakeableQueue<StoreWorker.Report>
    let worker: StoreWorker
    /// The connection that `broker` stands for; none where a test scripts that.
    let session: BrokerSession?
    let broker: BrokerLink
    let mailbox: LoopMailbox
    let topics: CoreTopics
    let boot: UInt64
    let started: Timestamp
    let recording: LiveRecording?

    var pipeline: Pipeline
    private var gate: RequestGate
    var pendingReplies = PendingReplies()
    var alertLog: AlertLog
    private(set) var names: Names
    private var hours = SiteHours()
    private var shown: [Publication] = []
    private var relayed: RelayedTopics
    private var heardAt: Timestamp?
    private var nextTick: Timestamp
    private var nextHealth: Timestamp
    private var nextLook: Timestamp
    /// Whether the pages have other names, and from when on they may be told.
    private var areNamesOld = false
    private var nextNames: Timestamp
    private var woken = ContinuousClock.now
    private var isSubscribed = false
    private var isReady = false
    private var isStopping = false
    var manager = ServiceManager()
    var storeHealth = StoreHealth()
    /// Why the loop has to end by itself.
    var ending: Exit?
    /// The jobs that the store had done when it last got on or had nothing to do, and when that was.
    private var stored: (jobs: Int, at: Timestamp)
    /// A store that makes no progress for this long is stuck.
    private static let stuck = Timestamp.Span.seconds(60)

    /// Milliseconds between ticks: the machines decide in whole seconds.
    private static let tick: Int64 = 250

    /// A loop that has not begun. `script` stands for the broker in tests: then whoever made it says
    /// what comes, by `connected`, `subscribed`, `received`, `arrived` and `lost`.
    init(
        configuration: CoordinatorConfiguration, store: Store,
        loaded given: (plan: Plan, names: Names, saved: Saved), overrides: Overrides,
        feed: LiveFeed,
        status: SharedStatus, clock: LoopClock, mailbox: LoopMailbox, password: String?,
        logger: Logger, script: BrokerLink? = nil
    ) throws {
        self.clock = clock
        self.mailbox = mailbox
        self.configuration = configuration
        self.feed = feed
        self.status = status
        self.logger = logger
        alertLog = AlertLog(logger, user: configuration.broker.username)
        let now = clock.now
        var loaded = given
        loaded.names.hour = hours.hour(of: given.names, in: given.plan.policy, at: now)
        started = now
        (nextTick, nextHealth, nextLook, nextNames) = (now, now, now, now)
        stored = (0, now)
        boot = .random(in: .min ... .max)
        reports = WakeableQueue(capacity: 1024)
        gate = try BrokerIdentities(store).gate(of: loaded.names.site)
        worker = StoreWorker(
            store: store, reports: reports, clients: gate.policy,
            transactions: status.transactions)
        names = loaded.names
        relayed = RelayedTopics(plan: loaded.plan, names: loaded.names)
        let foreign = configuration.sites[0].foreign
        pipeline = Pipeline(
            plan: loaded.plan, names: loaded.names, saved: loaded.saved, foreign: foreign)
        recording = try configuration.record.map {
            try LiveRecording(
                path: $0,
                header: RecordingHeader(
                    version: CoreVersion.text, plan: loaded.plan, names: loaded.names,
                    saved: loaded.saved, foreign: foreign.isEmpty ? nil : foreign))
        }
        pipeline.keepsDecisions = recording != nil
        topics = CoreTopics(coordinator: configuration.coordinator)
        let will = CoreStatusPayload(state: .offline, boot: boot, version: nil)
        let address = configuration.broker
        let session = BrokerSession(
            id: address.username ?? "core-\(configuration.coordinator)",
            will: .retained(topics[.coreStatus], will.json),
            address: BrokerAddress(address, password: password), seed: boot, now: { clock.now })
        self.session = script == nil ? session : nil
        broker = script ?? session.link
        // Before anything else is decided: what people decided while nobody ran.
        take(overrides, at: now)
        showAll()
        for network in foreign {
            for (name, slug) in network.nodes.sorted(by: { $0.key < $1.key })
            where names.nodes.id(slug) == nil {
                logger.warning("the site has no node \(slug): what \(name) hears is refused")
            }
        }
    }

    /// Runs until SIGTERM or SIGINT, or until nothing can be stored any more, then drains. Throws if
    /// facts could not be stored by then.
    func run() throws {
        if let session { hook(session) }
        while !isStopping, ending == nil { turn() }
        try drain()
    }

    /// Waits for something to do, until the next tick at most, and does it.
    func turn() {
        session?.tick()
        poll(until: min(nextTick, clock.now + .milliseconds(Self.tick)))
        work(at: clock.now)
        status.turns.note(.now - woken)
    }

    private func poll(until deadline: Timestamp) {
        var entries = [
            pollfd(fd: reports.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: StopSignal.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: mailbox.bell.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        if let session { entries.append(session.entry) }
        let wait = max(0, (deadline - clock.now).milliseconds)
        let count = Glibc.poll(&entries, nfds_t(entries.count), Int32(clamping: wait))
        woken = .now
        guard count > 0 else { return }
        if entries[0].revents != 0 { for report in reports.take() { took(report) } }
        if entries[1].revents != 0 { isStopping = true }
        if entries[2].revents != 0 { serve(at: clock.now) }
        session?.serve(entries[3])
    }

    private func work(at now: Timestamp) {
        if now >= nextTick {
            nextTick = now + .milliseconds(Self.tick)
            recording?.tick(at: now)
            perform(pipeline.tick(at: now))
        }
        if now >= nextHealth {
            nextHealth = now + .seconds(30)
            tellHealth(at: now)
        }
        if now >= nextLook {
            nextLook = now + .seconds(1)
            let overrides = pipeline.mesh.saved.overrides?.revision ?? 0
            worker.look(known: (pipeline.mesh.plan.revision, overrides), at: now)
            supervise(at: now)
            lookForAlerts(at: now)
            tellNames(at: now)
            if hours.hour(of: names, in: pipeline.mesh.plan.policy, at: now) != names.hour {
                adopt(pipeline.mesh.plan, names, at: now)
            }
            status.update {
                $0.take(pipeline, names: names)
                $0.requestsRefused = gate.refused
                $0.troubles = storeHealth.alerts(at: now).map(\.id)
            }
        }
        if let recording {
            recording.decided(pipeline.takeDecisions())
            if let fault = recording.takeFault() { logger.error("\(fault)") }
        }
        if !shown.isEmpty {
            feed.send(shown)
            shown.removeAll(keepingCapacity: true)
        }
        if let moment = heardAt.take() { feed.heard(at: moment.milliseconds) }
    }

    func took(_ report: StoreWorker.Report) {
        let now = clock.now
        switch report {
        case .committed:
            status.update { $0.commits += 1 }
            storeHealth.stored()
            perform(pipeline.committed())
            replyToWrites()
        case .refused(let refusal): refused(refusal, at: now)
        case .recalled(let found):
            recording?.recalled(found, at: now)
            perform(pipeline.recalled(found, at: now))
        case .restored(let plan, var names, let saved, let overrides):
            logger.error("restored from the database after a refused fact")
            names.hour = hours.hour(of: names, in: plan.policy, at: now)
            self.names = names
            // A replay would not have what was refused, and goes on where we start again.
            recording?.end(
                pipeline.takeDecisions(), because: "facts were refused by the database", at: now)
            relayed.adopt(plan, names)
            perform(pipeline.restored(plan: plan, names: names, saved: saved))
            take(overrides, at: now)
            showAll()
        case .revised(let plan, let names, let overrides):
            adopt(plan, names, at: now)
            take(overrides, at: now)
        case .clients(let policy): gate.policy = policy
        case .wrote(let write, let result, let decided): took(write, result, decided, at: now)
        case .files(let areMoved): storeHealth.files(areMoved: areMoved, at: now)
        case .failed(let reason): logger.error("\(reason)")
        case .over(let code, let reason): end(code, reason, at: now)
        }
    }

    func perform(_ effects: [Pipeline.Effect]) {
        for effect in effects {
            switch effect {
            case .commit(let facts): worker.commit(facts)
            case .recall(let recalls): worker.recall(recalls)
            case .publish(let publication):
                publish(publication)
                if publication.isRetained { shown.append(publication) }
            case .show(let publication):
                let isOurs = pipeline.board.topics[publication.topic] != nil
                if isOurs || relayed.take(publication) { shown.append(publication) }
            case .subscribe(let filters, let quality):
                attempt { () throws(MQTTError) in try broker.subscribe(filters, quality) }
            case .unsubscribe(let filters):
                guard broker.isConnected() else { continue }
                attempt { () throws(MQTTError) in try broker.unsubscribe(filters) }
            case .restore(let refused, let reason):
                logger.error("the database refused facts for good: \(reason)")
                worker.restore(refused: refused, reason: reason, at: clock.now)
            case .respond(let client, let response, let isRepeated):
                respond(to: client, response, isRepeated: isRepeated)
            case .ask(let request):
                if !mailbox.put(request) { publish(request.refusal(.unavailable)) }
            case .ingest(let request):
                let isFound = request.content.kind == .ingestDetection
                let queue = isFound ? mailbox.detections : mailbox.samples
                if !queue.put(request) { publish(request.answer(.rateLimited)) }
            case .notified(let kinds):
                status.update { figures in
                    for kind in kinds { figures.notifications[kind.rawValue, default: 0] += 1 }
                }
                mailbox.notifier.ring()
            case .warn(let line): logger.warning("\(line)")
            case .complain(let text, let reason):
                guard let line = throttle.line(text, about: reason, at: clock.now) else { continue }
                logger.warning("\(line)")
            }
        }
    }

    /// Without a connection nothing is sent: everything retained is sent again on connecting.
    func publish(_ publication: Publication) {
        guard broker.isConnected() else { return }
        attempt { () throws(MQTTError) in try broker.publish(publication) }
    }
}

extension CoordinatorLoop {
    private func hook(_ session: BrokerSession) {
        session.onConnect = { [unowned self] in connected() }
        session.onLoss = { [unowned self, unowned session] loss, wait in
            lost()
            // At first each time, then ever less often.
            guard !isStopping, LogThrottle.isTold(session.failures) else { return }
            logger.warning("\(session.summary(of: loss, next: wait))")
        }
        let client = session.client
        session.onSubscribed = { [unowned self] in subscribed(refused: $0) }
        client.onPublished = { [unowned self] message in arrived(message) }
        client.onRefused = { [unowned self] message, _ in pendingReplies.notices[message] = nil }
        client.onMessage = { [unowned self] topic, payload, isRetained, _ in
            received(topic: topic, payload: payload, isRetained: isRetained)
        }
    }

    /// A message came. Its bytes are valid during the call only.
    func received(topic: String, payload: Span<UInt8>, isRetained: Bool) {
        let now = clock.now
        heardAt = now
        // For whoever looks at it; nothing is decided by it, and no recording has it.
        if topic.hasSuffix("/raw"), let node = PayloadKind.raw.topic.names(in: topic)?.last {
            return mailbox.raw.take(node, payload, at: now)
        }
        if topic.hasSuffix("/sightings"),
            let node = PayloadKind.sightings.topic.names(in: topic)?.last
        {
            // What the broker kept was told some time ago, and nobody asked for it to be kept.
            return isRetained ? () : mailbox.sightings.take(node, payload, at: now)
        }
        let effects = gate.effects(topic, payload, isRetained: isRetained, at: now) { payload in
            recording?.message(topic, payload, isRetained: isRetained, at: now)
            return pipeline.heard(topic: topic, payload: payload, isRetained: isRetained, at: now)
        }
        perform(effects)
    }

    /// The broker accepted us.
    func connected() {
        let now = clock.now
        recording?.connected(at: now)
        isSubscribed = false
        perform(pipeline.connected(at: now))
        attempt { () throws(MQTTError) in
            let topics = SiteTopics(site: names.site)
            try broker.subscribe([topics[.raw, "+"], topics[.sightings, "+"]], 1)
        }
        let info = CoreInfoPayload(
            version: CoreVersion.text, sites: [names.site], startedMs: started.milliseconds)
        publish(.retained(topics[.coreInfo], info.json))
        tellHealth(at: now)
        // Last: a client that sees it finds everything published and may send requests.
        publish(
            .retained(
                topics[.coreStatus],
                CoreStatusPayload(state: .online, boot: boot, version: CoreVersion.text).json))
        mailbox.connected()
    }

    /// The broker answered subscriptions; what it refused is asked for again.
    func subscribed(refused: [String]) {
        status.update { ($0.isConnected, $0.isHalfDeaf) = (true, !refused.isEmpty) }
        pipeline.alarm.hears(all: refused.isEmpty, at: clock.now)
        guard refused.isEmpty, !isSubscribed else { return }
        isSubscribed = true
        guard !isReady else { return logger.notice("connected to the broker again") }
        isReady = true
        CodePages.giveBack()
        logger.notice("ready")
        manager.ready()
    }

    /// There is no connection.
    func lost() {
        status.update { $0.isConnected = false }
        pendingReplies.notices = [:]
        recording?.lost(at: clock.now)
        pipeline.alarm.lost(at: clock.now)
        pipeline.disconnected()
    }

    /// A loop that comes here ticks; the store's thread must take what it is given, too.
    private func supervise(at now: Timestamp) {
        let words = status.isConnected ? "connected" : "no broker"
        manager.say("site \(names.site), \(words), \(pipeline.factsWaiting) facts waiting")
        let progress = worker.progress
        if !progress.isBusy || progress.done != stored.jobs { stored = (progress.done, now) }
        if now - stored.at <= Self.stuck { manager.feed(at: now) }
    }

    /// A plan that differs is put in force; pages are told what changes by that, and start again only
    /// if it came with an import.
    private func adopt(_ plan: Plan, _ stored: Names, at now: Timestamp) {
        let old = pipeline.mesh.plan
        var new = stored
        new.hour = hours.hour(of: new, in: plan.policy, at: now)
        guard plan != old || new != names else { return }
        if plan.revision != old.revision {
            logger.info("revision \(plan.revision) of site \(new.site) is in force")
        }
        names = new
        relayed.adopt(plan, new)
        recording?.plan(plan, new, at: now)
        perform(pipeline.adopt(plan: plan, names: new, at: now))
        mailbox.days.noteNewcomers(of: plan, since: old, names: new)
        let isSamePlace =
            plan.rooms == old.rooms && plan.stations == old.stations && plan.nodes == old.nodes
        guard isSamePlace else { return showAll() }
        areNamesOld = true
        tellNames(at: now)
    }

    /// Shows pages something that is no part of the board.
    func show(_ publication: Publication) { shown.append(publication) }

    /// Tells the pages other names. As they are told all of them, it is done once a second at most.
    private func tellNames(at now: Timestamp) {
        guard areNamesOld, now >= nextNames else { return }
        (areNamesOld, nextNames) = (false, now + .seconds(1))
        feed.rename(PageNames.json(names, in: pipeline.mesh.plan))
    }

    private func showAll() {
        areNamesOld = false
        let own = pipeline.board.all.map { (topic: $0.topic, payload: $0.payload) }
        let others = relayed.topics.sorted { $0.key < $1.key }.map {
            (topic: $0.key, payload: $0.value)
        }
        feed.replace(
            topics: own + others, names: PageNames.json(names, in: pipeline.mesh.plan))
    }
}
