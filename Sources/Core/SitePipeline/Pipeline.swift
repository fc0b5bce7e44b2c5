import JSON
import SiteEngine
import SiteModel
import Wire

/// Stands between the outside and a site's `Mesh`: reads messages, refuses bad ones, groups facts
/// into transactions, publishes them once they are stored, and restores the retained topics of a
/// broker that has lost them.
///
/// Pure, so that the simulator runs this very code. Times are given; a crash is a dropped
/// transaction.
package struct Pipeline: Sendable {
    /// The most facts that wait for the database before requests are refused.
    package static let patience = 4096
    /// Between attempts to store a batch again.
    package static let retry = Timestamp.Span.seconds(1)
    /// How long after connecting the broker's old messages of our own tree are looked at.
    static let tidying = Timestamp.Span.seconds(3)

    package typealias Effect = PipelineEffect

    /// Why a batch was not stored.
    package enum Refusal: Equatable, Sendable {
        /// The disk is full or the database busy: the batch is kept and tried again.
        case later(String)
        /// A constraint: trying again would not help. `fact`: the place in the batch of what broke it, if
        /// that is known.
        case never(String, fact: Int? = nil)
    }

    /// The site.
    package internal(set) var mesh: Mesh
    /// Its retained topics.
    package private(set) var board: RetainedTopics
    /// What was refused and accepted, for the health message.
    package internal(set) var counts = Counts()
    /// Whether decisions are kept for `takeDecisions`.
    package var keepsDecisions = false

    package private(set) var names: Names
    private var queue = FactQueue()
    var recalls = RecallQueue()
    /// What is left out because the database refuses what follows from it.
    package internal(set) var setAside = SetAside()
    /// Whose fact the database refused last, if they are not left out already; `nil` if it was nobody's.
    package internal(set) var suspect: UserID?
    private var tidyUntil: Timestamp?
    private var isConnected = false
    /// Events and answers that were stored while there was no broker, to be told on connecting.
    private var untold: [Publication] = []
    private var decisions: [Decision] = []
    private var sightings = Sightings()
    package var epochs = EpochWatch()
    /// What a person should look at.
    package var alarm = SiteAlarm()
    package var foreign: ForeignNodes

    /// A pipeline around a site in a stored state, listening to other people's networks, too.
    package init(plan: Plan, names: Names, saved: Saved, foreign: [ForeignNetwork] = []) {
        self.foreign = ForeignNodes(foreign, plan: plan)
        mesh = Mesh(plan: plan, restoring: saved)
        self.names = names
        board = RetainedTopics(rendering: mesh, names: names)
    }

    /// The number of decided facts that are not stored yet.
    package var factsWaiting: Int { queue.count }

    /// Whether nothing is under way to the database.
    package var isSettled: Bool { queue.isSettled && recalls.count == 0 }

    /// The decisions since the last call, if `keepsDecisions`.
    package mutating func takeDecisions() -> [Decision] {
        defer { decisions.removeAll(keepingCapacity: true) }
        return decisions
    }

    /// A message arrived. `payload` is read in place.
    package mutating func heard(
        topic: String, payload: Span<UInt8>, isRetained: Bool, at now: Timestamp
    ) -> [Effect] {
        counts.messages += 1
        guard let inbound = Inbound.parse(topic, site: names.site) else {
            if let elsewhere = AttendanceElsewhere(topic: topic, own: names.site) {
                return hear(elsewhere, payload, at: now)
            }
            if foreign.owns(topic) {
                return hearForeign(topic, payload, isRetained: isRetained, at: now)
            }
            return tidy(topic: topic, payload: payload, isRetained: isRetained, at: now)
        }
        if isRetained, !inbound.mayBeRetained { return refuse("retained") }
        // Somebody cleared a retained topic.
        if payload.isEmpty, inbound.mayBeRetained { return [] }
        do throws(PayloadError) {
            return try take(inbound, topic: topic, payload: payload, at: now)
        } catch {
            return refuse(error.reason)
        }
    }

    package mutating func tick(at now: Timestamp) -> [Effect] {
        var effects = foreignFrames(at: now) + handle(.tick, at: now)
        if let batch = queue.again(at: now) { effects.append(.commit(batch)) }
        if let until = tidyUntil, now >= until {
            tidyUntil = nil
            let cursors = board.paths.cursors
            effects.append(.unsubscribe(board.paths.ownFilters.filter { $0 != cursors }))
        }
        effects += raiseEpoch(at: now) ?? []
        for topic in sightings.expired(at: now) {
            effects.append(
                .show(Publication(topic: topic, payload: [], quality: 0, isRetained: true)))
        }
        return effects
    }

    /// The broker accepted us: it may have forgotten everything, or hold what no longer is.
    package mutating func connected(at now: Timestamp) -> [Effect] {
        (isConnected, tidyUntil) = (true, now + Self.tidying)
        alarm.connected(at: now)
        let late = untold
        untold = []
        // Our cursors come last, so that we are told first what the broker retained of them.
        let cursors = board.all.filter { board.isCursor($0.topic) }
        let theirs = foreign.filters
        return [.subscribe(board.paths.inboundFilters, quality: 1)]
            + [.subscribe([SiteTopics.attendanceAnywhere], quality: 1)]
            + (theirs.isEmpty ? [] : [.subscribe(theirs, quality: 0)])
            + (board.all.filter { !board.isCursor($0.topic) } + late).map { .publish($0) }
            + [.subscribe(board.paths.ownFilters, quality: 1)] + cursors.map { .publish($0) }
    }

    /// The connection is gone.
    package mutating func disconnected() {
        isConnected = false
        tidyUntil = nil
        foreign.disconnected()
    }

    /// The batch under way is stored: now it is told.
    package mutating func committed() -> [Effect] {
        let batch = queue.stored()
        var effects: [Effect] = []
        var notified: [NotificationRow.Kind] = []
        for fact in batch {
            if case .answer(let answer) = fact, let effect = response(to: answer) {
                effects.append(effect)
            }
            for publication in board.tell(fact) {
                effects.append(.publish(publication))
                if !isConnected, !publication.isRetained { keep(publication) }
            }
            if case .offset(let row) = fact, let line = names.warning(of: row) {
                effects.append(.warn(line))
            }
            if case .notification(let row) = fact { notified.append(row.kind) }
        }
        if !notified.isEmpty { effects.append(.notified(notified)) }
        return effects + commit()
    }

    /// What is found out beside the machines: what people walked today, and what is near them, `nil` of who is nowhere.
    package mutating func tell(
        days: [String: DayPayload]? = nil, near: [String: NearPayload?] = [:]
    ) -> [Effect] {
        let told = (days.map { board.tell(days: $0) } ?? []) + board.tell(near: near)
        return told.map { .publish($0) }
    }

    /// Keeps an event or answer for the next connection, at most `patience` of them.
    private mutating func keep(_ publication: Publication) {
        guard untold.count < Self.patience else {
            counts.refuse("untold")
            return
        }
        untold.append(publication)
    }

    /// The batch under way was not stored.
    package mutating func refused(_ refusal: Refusal, at now: Timestamp) -> [Effect] {
        switch refusal {
        case .later(let reason):
            queue.postpone(until: now + Self.retry)
            return [.warn("\(factsWaiting) facts wait for the database: \(reason)")]
        case .never(let reason, let place):
            counts.refuse("constraint")
            let batch = queue.giveUp()
            suspect(place.flatMap { batch[$0].user }, at: now)
            return [.restore(refused: batch, reason: reason)]
        }
    }

    /// Starts again from what is stored, or from a new plan's names.
    package mutating func restored(plan: Plan, names: Names, saved: Saved) -> [Effect] {
        mesh = Mesh(plan: plan, restoring: saved, pausing: setAside.paused)
        queue.restored()
        self.names = names
        foreign.adopt(plan)
        return board.renderAnew(mesh, names, told: saved).map { .publish($0) }
    }

    /// A new revision of the plan is in force.
    package mutating func adopt(plan: Plan, names: Names, at now: Timestamp) -> [Effect] {
        let live = mesh.live
        let effects = handle(.plan(plan), at: now)
        self.names = names
        foreign.adopt(mesh.plan)
        return effects + board.adopt(mesh, names: names, from: live).map { .publish($0) }
    }

    package mutating func handle(_ input: Input, at now: Timestamp) -> [Effect] {
        var made: [Decision] = []
        mesh.handle(input, at: now, into: &made)
        if keepsDecisions { decisions += made }
        var effects: [Effect] = []
        for decision in made {
            switch decision {
            case .fact(let fact):
                queue.append(fact)
                effects += bursts(after: fact, at: now).map { .publish($0) }
            case .live(.glance(let state)):
                if let page = board.shown(state) { effects.append(.show(page)) }
            case .live(let live):
                if case .answer(let answer) = live {
                    // It was asked before, and what came of it is told when it is stored.
                    guard !queue.contains(answer) else { continue }
                    let isRepeated = mesh.saved.answers.first(answer.key, by: \.key) == answer
                    if let effect = response(to: answer, isRepeated: isRepeated) {
                        effects.append(effect)
                    }
                }
                for publication in board.tell(live) { effects.append(.publish(publication)) }
            }
        }
        return effects + commit()
    }

    /// Starts a transaction unless one is under way: the next batch collects meanwhile.
    private mutating func commit() -> [Effect] {
        queue.next().map { [.commit($0)] } ?? []
    }

    package mutating func refuse(_ reason: String) -> [Effect] {
        counts.refuse(reason)
        return []
    }
}

extension Pipeline {
    private mutating func take(
        _ inbound: Inbound, topic: String, payload: Span<UInt8>, at now: Timestamp
    ) throws(PayloadError) -> [Effect] {
        switch inbound {
        case .nodeFrame(let slug):
            guard let node = names.nodes.id(slug) else { return refuse("unknown-node") }
            let frame = names.frame(try FramePayload(json: payload))
            alarm.saw(boot: frame.boot, of: node, at: now)
            return handle(.frame(frame, from: node), at: now)
        case .nodeStatus(let slug):
            let status = try NodeStatusPayload(json: payload)
            guard let node = names.nodes.id(slug) else { return refuse("unknown-node") }
            return [.show(Publication(topic, copying: payload))]
                + handle(.node(node, isOnline: status.state == .online), at: now)
        case .nodeHealth(let slug):
            let health = try NodeHealthPayload(json: payload)
            if let node = names.nodes.id(slug), let outbox = health.outbox {
                alarm.saw(waiting: outbox.waiting, of: node, at: now)
            }
            return show(topic, payload, of: slug)
        case .nodeInfo(let slug):
            _ = try NodeInfoPayload(json: payload)
            return show(topic, payload, of: slug)
        case .nodeConfigurationActive(let slug):
            let active = try NodeConfigurationActivePayload(json: payload)
            let effects = show(topic, payload, of: slug)
            guard !active.ok, !effects.isEmpty else { return effects }
            let words = "node \(slug) refused configuration \(active.rev): \(active.error ?? "")"
            return effects + [.complain(words, about: "configuration")]
        case .nodeResponse(let slug):
            let response = try NodeResponsePayload(json: payload)
            guard names.nodes.id(slug) != nil else { return refuse("unknown-node") }
            let effects = show(topic, payload, of: slug)
            guard case .failed(let failure) = response.outcome else { return effects }
            let words = "node \(slug) did not \(response.op ?? "obey"): \(failure.message)"
            return effects + [.complain(words, about: "command")]
        case .nodeBeat(let slug):
            let beat = try NodeBeatPayload(json: payload)
            guard let node = names.nodes.id(slug) else { return refuse("unknown-node") }
            alarm.saw(boot: beat.boot, of: node, at: now)
            if beat.synced {
                alarm.saw(wall: Timestamp(milliseconds: beat.wallMs), of: node, at: now)
            }
            return handle(
                .beat(boot: beat.boot, told: Timestamp(milliseconds: beat.tMs), from: node),
                at: now)
        case .nodeRSSI(let slug, let beacon):
            _ = try RSSIPayload(json: payload)
            guard names.nodes.id(slug) != nil else { return refuse("unknown-node") }
            // Registered beacons come with the frames; the others are for the page.
            guard names.beacons.id(beacon) == nil, sightings.saw(topic, at: now) else { return [] }
            return [.show(Publication(topic, copying: payload))]
        case .nodeEvidence(let slug):
            return record(payload, of: slug, at: now) { (names, json) throws(PayloadError) in
                let payload = try EvidencePayload(json: json)
                if let fault = payload.contradiction { throw fault }
                return { .evidence(names.evidence(payload), from: $0) }
            }
        case .nodeEvent(let slug):
            return record(payload, of: slug, at: now) { (names, json) throws(PayloadError) in
                let payload = try NodeEventPayload(json: json)
                if let fault = payload.contradiction { throw fault }
                return { .nodeEvent(names.event(payload), from: $0) }
            }
        // What is private to a person is taken before it comes here, and is in no recording.
        case .ingest: return refuse("ingest")
        case .request(let client, let name):
            return hearRequest(name, payload, client: client, at: now)
        }
    }

    private mutating func show(
        _ topic: String, _ payload: Span<UInt8>, of node: String
    ) -> [Effect] {
        names.nodes.id(node) == nil
            ? refuse("unknown-node") : [.show(Publication(topic, copying: payload))]
    }

    /// A message of our own tree, which we listen to for a moment after connecting: what we no
    /// longer say is cleared. Anything else is foreign.
    private mutating func tidy(
        topic: String, payload: Span<UInt8>, isRetained: Bool, at now: Timestamp
    ) -> [Effect] {
        guard topic.hasPrefix(board.paths.root) else { return refuse("foreign") }
        // Our own attendance comes back to us, because we read that of all sites.
        if tidyUntil == nil, topic.hasSuffix("/attendance"), board.topics[topic] != nil {
            return []
        }
        let effects = board.isCursor(topic) ? compare(topic, payload, at: now) : []
        guard let until = tidyUntil, now < until else {
            return board.isCursor(topic) ? effects : refuse("foreign")
        }
        guard isRetained, !payload.isEmpty else { return effects }
        guard board.topics[topic] == nil, !board.awaits(topic) else { return effects }
        counts.refuse("stray")
        return effects + [.publish(.retained(topic, []))]
    }
}

extension Publication {
    /// A message as it came, for the page.
    init(_ topic: String, copying payload: Span<UInt8>) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count)
        for index in payload.indices { bytes.append(payload[index]) }
        self.init(topic: topic, payload: bytes, quality: 0, isRetained: true)
    }
}
