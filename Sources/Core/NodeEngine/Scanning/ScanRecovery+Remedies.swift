import SiteModel

extension ScanRecovery {
    /// The phase is up: what was waited for did not happen.
    package mutating func expired(at now: Timestamp) -> [Effect] {
        switch phase {
        case .stopped: return []
        case .absent: return look(at: now)
        case .blocked: return begin(.unblock, at: now)
        case .disturbed(isTheirs: true, _, _, _):
            pace.fought(at: now)
            return begin(.resume, at: now)
        case .down, .disturbed: return begin(.resume, at: now)
        case .failed:
            // The second time a reset is due: it clears what mixing the command families does, and
            // the commands that a mute controller was given.
            return begin(failures < 2 ? .retry : .power, at: now)
        case .working(let step, let purpose, _):
            switch step {
            case .resting: return switchOn(purpose, at: now)
            case .switchingOff, .switchingOn, .opening: return fail(.unusable, at: now)
            case .waiting(let command): return fail(.unanswered(command), at: now)
            }
        case .scanning(let since):
            guard pace.allows(now) else {
                phase = .quiet(remedies: 0, next: now + ScanTiming.pace)
                return []
            }
            return [.tell(.silence(now - since))] + rescan(at: now)
        case .quiet(0, _): return rescan(at: now)
        case .quiet(let remedies, _):
            guard now >= powerAllowedAt else {
                phase = .quiet(remedies: remedies, next: powerAllowedAt)
                return []
            }
            uselessCycles += 1
            powerAllowedAt = now + ScanTiming.wait(afterUseless: uselessCycles)
            let silent = lastHeard.map { [Effect.tell(.silence(now - $0))] } ?? []
            return silent + begin(.power, at: now, toSilence: true)
        }
    }

    mutating func react(to event: Event, at now: Timestamp) -> [Effect] {
        if phase == .stopped { return [] }
        switch event {
        case .appeared:
            guard case .absent = phase else { return [] }
            phase = .absent(next: pace.moment(now, .milliseconds(0)))
            return tickNow(now)
        case .found:
            guard case .absent = phase else { return [] }
            return begin(.start, at: now)
        case .missing:
            guard case .absent = phase else { return [] }
            phase = .absent(next: now + ScanTiming.lookingAgain)
            return []
        case .vanished: return vanish(at: now)
        case .wentDown: return wentDown(at: now)
        case .cameUp: return cameUp(at: now)
        case .opened:
            guard case .working(.opening, let purpose, _) = phase else { return [] }
            isOpen = true
            return ask(purpose, at: now)
        case .openingFailed:
            guard case .working(.opening, _, _) = phase else { return [] }
            return fail(.unusable, at: now)
        case .switched(let outcome): return switched(outcome, at: now)
        case .answered(let command, let status, let bytes):
            guard case .working(.waiting(command), let purpose, _) = phase else { return [] }
            return answered(command, status, bytes, purpose, at: now)
        case .foreign(let command): return disturbed(by: command, at: now)
        case .hardwareError:
            guard isOpen else { return [] }
            let told: [Effect] = [.tell(.hardwareError)]
            lose(at: now)
            phase = .disturbed(
                isTheirs: false, isScanning: false, since: now,
                next: pace.moment(now, ScanTiming.settling))
            return told
        case .heard:
            heard(at: now)
            return []
        }
    }

    /// Looks for the adapter.
    package mutating func look(at now: Timestamp) -> [Effect] {
        phase = .absent(next: now + ScanTiming.lookingAgain)
        return [.look]
    }

    /// The scan is not ours any more; for a moment that is as good as listening.
    ///
    /// A remedy for silence leaves the gap between what was heard before and after to be learned like
    /// any other: where advertisements have become rare, silence then ceases to be strange.
    mutating func lose(at now: Timestamp, toSilence isSilent: Bool = false) {
        switch phase {
        case .scanning, .quiet:
            grace = now + ScanTiming.grace
            if !isSilent { silence.pause() }
            regularSince = nil
        case .stopped, .absent, .blocked, .down, .disturbed, .failed, .working: break
        }
    }

    private func tickNow(_ now: Timestamp) -> [Effect] {
        guard case .absent(let next) = phase, now >= next else { return [] }
        return [.look]
    }
}

// Starting a scan: switch on, open, ask, disable, parameters, enable. That order works even against a
// scan that is already on.
extension ScanRecovery {
    private mutating func begin(
        _ purpose: Purpose, at now: Timestamp, toSilence isSilent: Bool = false
    ) -> [Effect] {
        lose(at: now, toSilence: isSilent)
        guard purpose == .power else { return switchOn(purpose, at: now) }
        grace = nil
        isOpen = false
        phase = .working(.switchingOff, .power, next: now + ScanTiming.switching)
        return [.close, .switchOff]
    }

    private mutating func switchOn(_ purpose: Purpose, at now: Timestamp) -> [Effect] {
        phase = .working(.switchingOn, purpose, next: now + ScanTiming.switching)
        return [.switchOn]
    }

    private mutating func switched(_ outcome: Switched, at now: Timestamp) -> [Effect] {
        guard case .working(let step, let purpose, _) = phase else { return [] }
        switch (step, outcome) {
        case (.switchingOff, .gone), (.switchingOn, .gone): return vanish(at: now)
        case (.switchingOff, _):
            phase = .working(.resting, purpose, next: now + ScanTiming.rest)
            return []
        case (.switchingOn, .already) where isOpen: return ask(purpose, at: now)
        case (.switchingOn, .done), (.switchingOn, .already):
            // What came before is not to be heard: switching makes the kernel give commands that
            // would look like somebody else's.
            let closing: [Effect] = isOpen ? [.close] : []
            isOpen = false
            phase = .working(.opening, purpose, next: now + ScanTiming.answer)
            return closing + [.open]
        case (.switchingOn, .blocked):
            return [.tell(.blocked)] + release(.blocked(next: now + ScanTiming.whileBlocked))
        case (.switchingOn, .failed): return fail(.unusable, at: now)
        case (.resting, _), (.opening, _), (.waiting, _): return []
        }
    }

    private mutating func ask(_ purpose: Purpose, at now: Timestamp) -> [Effect] {
        send(family == nil ? .features : .disable, purpose, at: now)
    }

    private mutating func rescan(at now: Timestamp) -> [Effect] {
        lose(at: now, toSilence: true)
        return ask(.rescan, at: now)
    }

    private mutating func send(
        _ command: ScanCommand, _ purpose: Purpose, at now: Timestamp
    ) -> [Effect] {
        phase = .working(.waiting(command), purpose, next: now + ScanTiming.answer)
        return [.send(command, family ?? .legacy)]
    }

    private mutating func answered(
        _ command: ScanCommand, _ status: UInt8, _ bytes: [UInt8], _ purpose: Purpose,
        at now: Timestamp
    ) -> [Effect] {
        switch command {
        case .features:
            features = status == 0 ? bytes : []
            return send(.supported, purpose, at: now)
        case .supported:
            family = ScanFamily(features: features, supported: status == 0 ? bytes : [])
            return send(.disable, purpose, at: now)
        case .disable:
            return send(.parameters, purpose, at: now)
        case .parameters where status == 0:
            return send(.enable, purpose, at: now)
        case .enable where status == 0:
            started(purpose, at: now)
            return []
        case .parameters, .enable:
            let told: [Effect] = [.tell(.refused(command, status: status))]
            // “Unknown command”: it said that it knew the newer ones, and does not.
            if status == 0x01, family == .extended {
                family = .legacy
                return told + send(.disable, purpose, at: now)
            }
            return told + retry(at: now)
        }
    }

    private mutating func started(_ purpose: Purpose, at now: Timestamp) {
        grace = nil
        failures = 0
        troubleSince = nil
        pace.started(at: now)
        switch purpose {
        case .start: break
        case .resume, .retry, .rescan, .unblock: recoveries.rescans += 1
        case .power: recoveries.powerCycles += 1
        }
        switch purpose {
        case .rescan: phase = .quiet(remedies: 1, next: now + silence.limitAfterRemedy)
        case .power where uselessCycles > 0:
            phase = .quiet(remedies: 2, next: max(powerAllowedAt, now + silence.limitAfterRemedy))
        case .start, .resume, .retry, .unblock, .power: phase = .scanning(since: now)
        }
    }

    private mutating func fail(_ trouble: Trouble, at now: Timestamp) -> [Effect] {
        [.tell(trouble)] + retry(at: now)
    }

    private mutating func retry(at now: Timestamp) -> [Effect] {
        failures += 1
        let began = troubleSince ?? now
        troubleSince = began
        let wait = ScanTiming.wait(afterFailure: failures, lasting: now - began)
        grace = nil
        phase = .failed(next: now + wait)
        return []
    }

    /// Lets go of the adapter.
    private mutating func release(_ phase: Phase) -> [Effect] {
        grace = nil
        self.phase = phase
        guard isOpen else { return [] }
        isOpen = false
        return [.close]
    }
}

// What befalls an adapter.
extension ScanRecovery {
    private mutating func vanish(at now: Timestamp) -> [Effect] {
        if case .absent = phase { return [] }
        lose(at: now)
        // It may be another that comes back.
        family = nil
        failures = 0
        troubleSince = nil
        uselessCycles = 0
        powerAllowedAt = now
        return release(.absent(next: now + ScanTiming.lookingAgain))
    }

    private mutating func wentDown(at now: Timestamp) -> [Effect] {
        switch phase {
        case .stopped, .absent, .blocked, .down: return []
        // Our own doing, or soon to be seen to.
        case .working(.switchingOff, _, _), .working(.resting, _, _),
            .working(.switchingOn, _, _), .failed:
            return []
        case .working(.opening, _, _), .working(.waiting, _, _), .disturbed, .scanning, .quiet:
            lose(at: now)
            return release(.down(next: pace.moment(now, ScanTiming.afterDown)))
        }
    }

    private mutating func cameUp(at now: Timestamp) -> [Effect] {
        switch phase {
        case .stopped, .working: return []
        case .absent: return react(to: .appeared, at: now)
        case .disturbed(let isTheirs, let isScanning, let since, _):
            phase = .disturbed(
                isTheirs: isTheirs, isScanning: isScanning, since: since,
                next: pace.moment(now, ScanTiming.settling))
        case .blocked, .down, .failed, .scanning, .quiet:
            lose(at: now)
            phase = .disturbed(
                isTheirs: false, isScanning: false, since: now,
                next: pace.moment(now, ScanTiming.settling))
        }
        return []
    }

    private mutating func disturbed(by command: ForeignCommand, at now: Timestamp) -> [Effect] {
        let isScanning: Bool
        let began: Timestamp
        let isTheirs: Bool
        var told: [Effect] = []
        switch phase {
        case .stopped, .absent, .blocked, .down, .failed: return []
        case .working(.switchingOff, _, _), .working(.resting, _, _),
            .working(.switchingOn, _, _), .working(.opening, _, _):
            return []
        case .scanning, .quiet, .working(.waiting, _, _):
            takeovers += 1
            lose(at: now)
            told = [.tell(.foreign)]
            (isTheirs, isScanning, began) = (true, command == .enable, now)
        case .disturbed(let theirs, let wasScanning, let since, _):
            (isTheirs, began) = (theirs, since)
            isScanning = command == .enable || (command == .other && wasScanning)
        }
        let calm = isScanning ? began + ScanTiming.patience : now + ScanTiming.settling
        let next = min(calm, began + ScanTiming.patience)
        phase = .disturbed(
            isTheirs: isTheirs, isScanning: isScanning, since: began,
            next: max(next, pace.moment(now, .milliseconds(0), isFight: isTheirs)))
        // Theirs leaves out what it has seen before: for as long as it runs nobody listens.
        if isScanning { grace = nil }
        return told
    }

    private mutating func heard(at now: Timestamp) {
        lastHeard = now
        var isCure = false
        switch phase {
        case .scanning: phase = .scanning(since: now)
        case .quiet(let remedies, _):
            isCure = remedies == 2 && (pace.lastStart.map { now - $0 <= ScanTiming.cure } ?? false)
            phase = .scanning(since: now)
        case .stopped, .absent, .blocked, .down, .disturbed, .failed, .working: return
        }
        silence.heard(at: now)
        let since = regularSince ?? now
        regularSince = since
        guard uselessCycles > 0, isCure || now - since >= ScanTiming.regular else { return }
        uselessCycles = 0
        powerAllowedAt = now
    }
}
