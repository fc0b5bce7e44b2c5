import Foundation
import Notifications
import GRDB
import Testing

@testable import CoordinatorService
@testable import Records
@testable import Registry
@testable import SiteEngine
@testable import SiteModel
@testable import SitePipeline
@testable import SiteStore

/// What is recorded can be replayed to the same decisions, and nothing else is recorded.
final class RecordingTests {
    private let folder = NSTemporaryDirectory() + "recording-\(UUID().uuidString)"
    private let start = Timestamp(milliseconds: 1_760_000_000_000)
    private let store: Store
    private var file: String { folder + "/inputs.jsonl" }

    init() throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        store = try Store(path: folder + "/site.sqlite")
        try SiteImport(store).importDocument(
            SiteDocument(
                slug: "gym", name: "Gym", timeZone: "Europe/Berlin",
                rooms: [.init(slug: "hall", name: "Hall")], stations: [], nodes: [],
                users: [.init(slug: "u-ann", name: "Ann")], beacons: []), at: start)
    }

    deinit {
        store.close()
        _ = Result { try FileManager.default.removeItem(atPath: folder) }
    }

    /// A pipeline from what is stored that keeps what it decides.
    private func pipeline(_ header: RecordingHeader) -> Pipeline {
        var pipeline = Pipeline(plan: header.plan, names: header.names, saved: header.saved)
        pipeline.keepsDecisions = true
        if let overrides = header.overrides {
            _ = pipeline.adopt(overrides: overrides, at: header.saved.site.clock)
            _ = pipeline.committed()
        }

        return pipeline
    }

    @Test func `it ends where facts were refused, once`() throws {
        let header = try #require(try RecordingHeader(of: store))
        let recording = try LiveRecording(path: file, header: header)
        var live = pipeline(header)
        for second in 0..<5 {
            let now = start + .seconds(Double(second))
            recording.tick(at: now)
            _ = live.tick(at: now)
        }
        recording.end(live.takeDecisions(), because: "facts were refused", at: start)
        #expect(recording.takeFault() == "the recording ends here: facts were refused")
        let written = try Data(contentsOf: URL(fileURLWithPath: file))
        recording.tick(at: start + .seconds(9))
        _ = live.tick(at: start + .seconds(9))
        recording.decided(live.takeDecisions())
        recording.end([], at: start + .seconds(10))
        #expect(recording.takeFault() == nil)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == written)
        let replay = try Replay(path: file)
        #expect(replay.inputs == 5)
        #expect(replay.recorded == replay.digest)
    }

    @Test func `what people decided since the coordinator stopped is part of the beginning`() throws
    {
        let session = Session(
            id: 1, user: UserID(1), from: start, to: start + .seconds(3600))
        try store.commit([
            .session(session),
            .site(SiteRow(clock: start + .seconds(7200), next: 2, coverage: [], clocks: [])),
        ])
        let asked = try Books(store).perform(
            .request(.remove(1, revision: nil), reason: "x"), by: "mia", via: .cli,
            at: start + .seconds(7300)
        ).get()
        guard case .correction(let row) = asked else { throw BooksRefusal(.notFound, "none") }
        _ = try Books(store).perform(
            .approve(row.id, reason: "x"), by: "mia", via: .cli, at: start + .seconds(7300)
        ).get()
        let header = try #require(try RecordingHeader(of: store))
        #expect(header.overrides?.amendments.map(\.id) == [row.id])
        let recorder = try Recorder(path: file, header: header)
        try recorder.write(RecordingLine(at: start + .seconds(7400), kind: .tick))
        try recorder.flush()
        var live = pipeline(header)
        _ = live.tick(at: start + .seconds(7400))
        let decisions = live.takeDecisions()
        #expect(decisions.contains { $0.isVoidSession })
        let (first, second) = (try Replay(path: file), try Replay(path: file))
        #expect(first.decisions == decisions.count)
        let digest = Digest()
        try digest.add(decisions)
        #expect(first.digest == digest.finish())
        #expect(first.digest == second.digest)
    }

    @Test func `who has taken in everything begins with nothing else`() throws {
        try store.commit([.overrides(try store.decisions())])
        #expect(try RecordingHeader(of: store)?.overrides == nil)
    }
}

extension Decision {
    fileprivate var isVoidSession: Bool {
        if case .fact(.session(let session)) = self { session.isVoid } else { false }
    }
}
