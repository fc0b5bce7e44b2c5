import ArgumentParser
import Broker
import BrokerAccess
import CoordinatorService
import Foundation
import Glibc
import Platform
import SiteModel
import SitePipeline
import SiteStore
import Wire

/// `beaconmesh record`: writes down what a site's nodes and clients say.
///
/// It starts from what the database holds, so that a replay of it stands on its own; for the exact
/// run of a coordinator, from its first input, use `beacon-coordinator --record`.
struct RecordVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Records what arrives at a site, for `beaconmesh replay`.")

    @Option(help: "The coordinator's YAML file: broker and database are taken from it.")
    var config: String

    @Option(help: "The file to write, or - for standard output.")
    var out: String

    @Option(help: "How long, in seconds.")
    var seconds = 60

    func validate() throws {
        guard (1...86_400).contains(seconds) else {
            throw ValidationError("--seconds: 1 to 86400")
        }
    }

    func run() async throws {
        let settings: CoordinatorConfiguration
        do {
            settings = try CoordinatorConfiguration(reading: config)
        } catch {
            throw Exit(code: 78, text: "\(error)")
        }
        let (header, gate) = try start(of: settings)
        let password = try Secret.read(settings.broker.passwordFile)
        let recorder = try Recorder(path: out, header: header)
        try listen(settings, password: password, names: header.names, gate, recorder)
        try recorder.flush()
        StandardError.write("\(recorder.inputs) inputs recorded\n")
    }

    /// What stands at its beginning, and who may ask: the coordinator takes no requests of others, either.
    private func start(
        of settings: CoordinatorConfiguration
    ) throws -> (RecordingHeader, RequestGate) {
        let site = settings.sites[0]
        let database = site.database
        do {
            let store = try Store(reading: database)
            defer { store.close() }
            guard let header = try RecordingHeader(of: store, foreign: site.foreign) else {
                throw Exit(code: 78, text: "\(database) holds no site yet")
            }
            return (header, try BrokerIdentities(store).gate(of: header.names.site))
        } catch let error as StoreError {
            throw Exit(code: 78, text: "\(error)")
        }
    }

    private func listen(
        _ settings: CoordinatorConfiguration, password: String?, names: Names, _ gate: RequestGate,
        _ recorder: Recorder
    ) throws {
        var gate = gate
        let clock = AnchoredClock()
        let session = BrokerSession(
            id: "beaconmesh-record-\(getpid())",
            address: BrokerAddress(settings.broker, password: password), tool: .record,
            isRepeated: false, now: { clock.now })
        let client = session.client
        var fault: (any Error)?
        var loss: String?
        session.onConnect = {
            do {
                try recorder.write(RecordingLine(at: clock.now, kind: .connected))
                try client.subscribe(
                    SiteTopics(site: names.site).inboundFilters, quality: 1)
                try client.subscribe([SiteTopics.attendanceAnywhere], quality: 1)
                let theirs = settings.sites[0].foreign.flatMap(\.filters)
                if !theirs.isEmpty { try client.subscribe(theirs, quality: 0) }
            } catch let error { fault = error }
        }
        session.onLoss = { [unowned session] what, wait in
            loss = session.summary(of: what, next: wait)
        }
        client.onMessage = { topic, payload, isRetained, _ in
            _ = gate.effects(topic, payload, isRetained: isRetained, at: clock.now) { payload in
                let bytes = payload.indices.map { payload[$0] }
                do {
                    try recorder.write(
                        RecordingLine(
                            at: clock.now, topic: topic, payload: bytes, isRetained: isRetained))
                } catch let error { fault = error }
                return []
            }
        }
        let end = clock.now + .seconds(Double(seconds))
        var tick = clock.now
        while clock.now < end, fault == nil, !recorder.isFull {
            if let loss { throw Exit(code: 69, text: loss) }
            if clock.now >= tick {
                tick = tick + .milliseconds(250)
                try recorder.write(RecordingLine(at: clock.now, kind: .tick))
            }
            session.turn(within: .milliseconds(100))
        }
        if let fault { throw fault }
    }
}

/// `beaconmesh replay FILE`: runs a recording through the pipeline.
struct ReplayVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Runs a recording through the core and prints the digest of its decisions.")

    @Argument(help: "The recording.")
    var file: String

    func run() async throws {
        let replay: Replay
        do {
            replay = try Replay(path: file)
        } catch let error as Replay.Failure {
            let code: Int32 = if case .unreadable = error { 78 } else { 1 }
            throw Exit(code: code, text: error.description)
        }
        print(
            "digest sha256:\(replay.digest) decisions \(replay.decisions) inputs \(replay.inputs)")
        if let recorded = replay.recorded, recorded != replay.digest {
            throw Exit(
                code: 1,
                text: """
                    the live run ended with digest sha256:\(recorded): \
                    another version of the core, or a restart in between
                    """)
        }
    }
}
