import Glibc
import NodeEngine
import Radio
import SiteModel
import Platform
import Wire

/// What the node is told to do while it runs, and what it tells whoever supervises it.
extension NodeLoop {
    /// How long a burst lasts unless the command says otherwise, and the light blinks.
    private static let burst: Int64 = 30
    private static let blinking: Int64 = 10
    /// Without a broker, we are ready when we have listened for so long.
    private static let lonely = Timestamp.Span.seconds(10)

    /// Acts upon commands and leases that came.
    func obey(at now: Timestamp) {
        if let bytes = lease {
            lease = nil
            grant(bytes, at: now)
        }
        let waiting = commands
        commands.removeAll(keepingCapacity: true)
        for bytes in waiting {
            switch desk.read(bytes.span, at: now, wall: AnchoredClock.wallNow) {
            case .answer(let response):
                if response.id == nil { refused += 1 }
                publish(voice.publication(of: response))
            case .perform(let operation, let command):
                log(
                    .notice, about: "command", at: now,
                    "told to \(operation.rawValue), \(command.id)")
                let outcome = perform(operation, command, at: now)
                if case .failed(let failure) = outcome {
                    log(.warning, about: "failure", at: now, "\(failure.message)")
                }
                publish(voice.publication(of: desk.answer(command, outcome, at: now)))
            }
        }
    }

    private func perform(
        _ operation: NodeOperation, _ command: NodeCommandPayload, at now: Timestamp
    ) -> NodeResponsePayload.Outcome {
        switch operation {
        case .startScan: return startScan(at: now)
        case .stopScan:
            stopScan(at: now)
            return .done(nil)
        case .identify:
            let span = Timestamp.Span.seconds(Double(command.forS ?? Self.blinking))
            let isBlinking = blinker.begin(until: now + span)
            log(
                .notice, about: "identify", at: now,
                "here I am\(isBlinking ? ", blinking" : ""): node \(settings.node)")
            return isBlinking
                ? .done(nil)
                : .failed(
                    .init(
                        code: "no-light",
                        message: "it has no light that it may use; its log says who it is"))
        case .restart:
            guard manager.isThere || settings.mayRestart else {
                return .failed(
                    .init(
                        code: "not-supervised",
                        message: "nobody would start it again: it does not run under systemd, and"
                            + " allow_restart is not set"))
            }
            // A temporary failure, after which whoever supervises us tries again.
            ending = EX_TEMPFAIL
            return .done(nil)
        case .info: return .done(voice.description(at: now))
        case .burst:
            let span = Timestamp.Span.seconds(Double(command.forS ?? Self.burst))
            perform(core.burst(for: span, at: now))
            return .done(nil)
        }
    }

    private func startScan(at now: Timestamp) -> NodeResponsePayload.Outcome {
        guard isStopped else { return .done(nil) }
        do {
            settings.radio = try RadioSource(settings.source, scan: settings.scan)
        } catch {
            return .failed(.init(code: "no-radio", message: "\(error)"))
        }
        isStopped = false
        perform(core.listen(true, at: now))
        return .done(nil)
    }

    /// The radio is given up, so that others may have it.
    private func stopScan(at now: Timestamp) {
        guard !isStopped else { return }
        isStopped = true
        isListening = false
        listeningSince = nil
        settings.radio.stop()
        perform(core.listen(false, at: now))
    }

    /// What is no lease is refused, and ends the one under way: it has been replaced.
    private func grant(_ bytes: [UInt8], at now: Timestamp) {
        guard !bytes.isEmpty else {
            perform(core.lease(nil, at: now))
            return
        }
        do {
            let payload = try DebugLeasePayload(json: bytes.span)
            // Whoever wrote it goes by the wall clock.
            let left = Timestamp(milliseconds: payload.untilMs) - AnchoredClock.wallNow
            let lease = DebugLease(
                id: payload.id, until: now + left, perSecond: Int(payload.maxPerS),
                isRedacted: payload.redact)
            log(
                .notice, about: "lease", at: now,
                "raw stream leased as \(payload.id), \(left.seconds) s left")
            perform(core.lease(lease, at: now))
        } catch {
            refused += 1
            log(.warning, about: "no lease", at: now, "lease refused: \(error.words)")
            perform(core.lease(nil, at: now))
        }
    }

    /// Once a second: how the machine fares, and whether we do our work.
    func look(at now: Timestamp) {
        nextLook = now + .seconds(1)
        blinker.tick(at: now)
        if !isStopped { note(settings.radio.status, at: now) }
        machine = MachineFigures()
        if clockWatch.look(offset: clock.offset) {
            log(
                .warning,
                "the wall clock was set and is \(clockWatch.offset.seconds) s ahead of ours, which"
                    + " goes on as it was")
            outbox.clockStepped(to: clockWatch.offset, at: now)
        }
        core.conditions(conditions.union(outbox.alerts(at: now)))
        supervise(at: now)
    }

    /// What the scanner does is for the health; which adapter it is, for the introduction.
    func note(_ status: ScanStatus, at now: Timestamp) {
        perform(core.scanner(status, at: now))
        guard let address = status.address.map({ AdapterName.address($0).description }),
            address != voice.adapter
        else { return }
        voice.adapter = address
        if client.isConnected { publish(voice.introducing) }
    }

    private var conditions: Set<NodeAlert> {
        var conditions: Set<NodeAlert> = []
        if clockWatch.isOff { conditions.insert(.clockStepped) }
        // Beside the broker, our clock is that of all we talk to.
        if !AnchoredClock.isSynced, !settings.broker.isHere { conditions.insert(.clockUnsynced) }
        if machine.isThrottled { conditions.insert(.throttled) }
        if machine.isHot { conditions.insert(.hot) }
        return conditions
    }

    private func supervise(at now: Timestamp) {
        let radio = isStopped ? "told not to scan" : isListening ? "scanning" : "no radio"
        manager.say("\(radio), \(client.isConnected ? "connected" : "no broker")")
        if let listeningSince, client.isConnected || now - listeningSince >= Self.lonely {
            manager.ready()
        }
        var expectsPackets = false
        if case .adapter = settings.radio { expectsPackets = true }
        if core.isUseful(at: now, expectsPackets: expectsPackets) { manager.feed(at: now) }
    }
}
