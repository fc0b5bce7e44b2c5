import Operations
import Scheduling
import SiteEngine
import Foundation
import SiteModel
import SitePipeline
import Wire

/// Runs a recording through the pipeline and says what it decided.
package struct Replay {
    /// Why a recording cannot be replayed.
    package enum Failure: Error, CustomStringConvertible {
        case unreadable(String)
        /// `line` counts from 1.
        case malformed(path: String, line: Int, reason: String)

        /// What and where.
        package var description: String {
            switch self {
            case .unreadable(let path): "cannot read \(path)"
            case .malformed(let path, let line, let reason): "\(path):\(line): \(reason)"
            }
        }
    }

    /// The digest of all decisions, 64 hexadecimal digits.
    package let digest: String
    /// How many decisions there were.
    package let decisions: Int
    /// How many inputs there were.
    package let inputs: Int
    /// The digest the live run wrote at its end, if it did.
    package let recorded: String?

    /// Replays the file at `path`.
    ///
    /// - Throws: `Failure.unreadable`, or `.malformed` with the line and what is wrong there.
    package init(path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure.unreadable(path)
        }
        let decoder = JSONDecoder()
        var lines = data.split(separator: 0x0A, omittingEmptySubsequences: true).makeIterator()
        guard let first = lines.next() else {
            throw Failure.malformed(path: path, line: 1, reason: "an empty recording")
        }
        var header: RecordingHeader
        do {
            header = try decoder.decode(RecordingHeader.self, from: first)
            let old = try decoder.decode(OverridesInPlan.self, from: first)
            header.saved.overrides = header.saved.overrides ?? old.overrides
        } catch {
            throw Failure.malformed(
                path: path, line: 1, reason: "not the header of a recording (\(error))")
        }
        var pipeline = Pipeline(
            plan: header.plan, names: header.names, saved: header.saved,
            foreign: header.foreign ?? [])
        pipeline.keepsDecisions = true
        let digest = Digest()
        if let overrides = header.overrides {
            let moment = header.saved.site.clock
            Self.store(pipeline.adopt(overrides: overrides, at: moment), of: &pipeline)
            try digest.add(pipeline.takeDecisions())
        }
        var inputs = 0
        var number = 1
        var recorded: String?
        while let text = lines.next() {
            number += 1
            let line: RecordingLine
            var overrides: Overrides?
            do {
                line = try decoder.decode(RecordingLine.self, from: text)
                overrides =
                    try line.kind == .plan
                    ? decoder.decode(OverridesInPlan.self, from: text).overrides : line.overrides
            } catch {
                throw Failure.malformed(path: path, line: number, reason: "\(error)")
            }
            if line.kind == .end {
                recorded = line.digest
                continue
            }
            inputs += 1
            guard Self.feed(line, overrides, to: &pipeline) else {
                throw Failure.malformed(path: path, line: number, reason: "an incomplete input")
            }
            try digest.add(pipeline.takeDecisions())
        }
        decisions = digest.decisions
        self.digest = digest.finish()
        self.inputs = inputs
        self.recorded = recorded
    }

    /// Hands one input to the pipeline; every commit succeeds at once.
    private static func feed(
        _ line: RecordingLine, _ overrides: Overrides?, to pipeline: inout Pipeline
    ) -> Bool {
        let now = Timestamp(milliseconds: line.atMs)
        var effects: [Pipeline.Effect] = []
        switch line.kind {
        case .message:
            guard let topic = line.topic, let bytes = line.bytes else { return false }
            effects = pipeline.heard(
                topic: topic, payload: bytes.span, isRetained: line.retained ?? false, at: now)
        case .request:
            guard let words = line.topic?.split(separator: "/"), words.count == 2,
                let verb = Verb.named(words[1]),
                let bytes = line.bytes, let payload = try? RequestPayload(json: bytes.span)
            else { return false }
            effects = pipeline.asked(verb, payload, client: String(words[0]), at: now)
        case .used:
            guard let client = line.topic, let id = line.payload else { return false }
            let used = UsedID(.init(client: client, id: id), at: now)
            effects = pipeline.handle(.used(used), at: now)
        case .recalled: effects = pipeline.recalled(line.recalled, at: now)
        case .tick: effects = pipeline.tick(at: now)
        case .connected: effects = pipeline.connected(at: now)
        case .lost: pipeline.disconnected()
        case .plan:
            guard let plan = line.plan, let names = line.names else { return false }
            effects = pipeline.adopt(plan: plan, names: names, at: now)
            if let overrides { effects += pipeline.adopt(overrides: overrides, at: now) }
        case .overrides:
            guard let overrides else { return false }
            effects = pipeline.adopt(overrides: overrides, at: now)
        case .end: break
        }
        store(effects, of: &pipeline)
        return true
    }

    /// Lets every commit succeed at once.
    private static func store(_ effects: [Pipeline.Effect], of pipeline: inout Pipeline) {
        var isStoring = effects.contains { if case .commit = $0 { true } else { false } }
        while isStoring {
            isStoring = pipeline.committed().contains {
                if case .commit = $0 { true } else { false }
            }
        }
    }
}
