@testable import Activities
@testable import ActivityEngine
@testable import Basics
@testable import BrokerAccess
@testable import CoordinatorService
@testable import Notifications
@testable import Positioning
@testable import Records
@testable import Registry
@testable import SiteModel
@testable import SiteStore
@testable import Wire
import Foundation
import Permissions
import Scheduling
import Testing
@testable import SiteService

/// What verbs ask for arrives as it was sent.
struct SiteWriteTests {
    private static let beacon = SiteDocument.Beacon(
        slug: "b-1", title: "Tag \u{0}\u{202E}", identity: .address(0x0102_0304_0506),
        user: "u-ann", threshold: RSSI(dBm: -70.5))

    private static func writes() throws -> [SiteWrite] {
        let moment = Timestamp(milliseconds: 1_760_000_000_000)
        let date = try #require(LocalDate("2026-03-29"))
        let time = try #require(LocalTime("22:00"))
        let place = Place(room: RoomID(1), station: nil)
        let walk = ActivitySample(from: moment, to: moment + .seconds(60), steps: 9, distance: 7)
        let sample = SentSample(id: "“1”", source: "\u{202E}", sample: walk)
        var settings = ActivitySettings()
        settings.primary = "a\n\u{202E}"
        settings.units = .miles
        settings.body = BodyFigures(height: 1800)
        settings.reminder = .init(at: time, weekdays: [1, 7])
        let second = Survey.Second(
            place: place, at: moment, heard: [.init(ear: .node(NodeID(1)), level: RSSI(dBm: -60))])
        let document = SiteDocument(
            slug: "gym", name: "Gym", timeZone: "Europe/Berlin",
            rooms: [.init(slug: "hall", name: "Hall")], stations: [], nodes: [],
            users: [.init(slug: "u-ann", name: "Ann", consent: "v1")], beacons: [beacon],
            privacy: PrivacyPolicy(requiresConsent: true, attendanceDays: 900), dayStart: time)
        return [
            .books(.request(.times(1, revision: nil, from: moment, to: nil), reason: "r")),
            .books(.request(.add(user: "u-ann", from: moment, to: moment), reason: "r")),
            .books(.lock(through: "2026-03-29", boundary: moment, reason: "", force: true)),
            .books(.endExcuse(node: "n")),
            .activity(.samples(user: "u-ann", [sample])),
            .activity(.settings(user: "u-ann", settings, goal: .init(from: date, steps: nil))),
            .activity(.share(user: "u-ann", [.heartRate])),
            .activity(.reset(user: "u-ann")), .activity(.removeDemo),
            .activity(.demo(user: "u-ann", days: 30, seed: 7)),
            .broker(
                .enrol(
                    NewBrokerIdentity(
                        BrokerIdentity(name: "desk", kind: .integration, scopes: [.requests]),
                        hash: "$7$101$c2FsdA==$a2V5"))),
            .broker(.revoke("desk")),
            .erase("u-ann", reason: "r", options: ErasureOptions(keepsBeacons: true)),
            .export("u-ann"), .retain, .importSite(document),
            .models(
                .addSurvey([
                    SurveyLeg(
                        place: place, source: .walk, carrier: "b-1", ears: [.node(NodeID(1))],
                        seconds: [second])
                ])),
            .models(.forgetSurvey(place)), .models(.discardSurvey),
            .models(
                .apply(
                    PlaceModel(revision: 1, spots: [], fit: .init(usual: 1, strange: 2)),
                    through: 1,
                    seconds: 2, accuracy: 0.5)),
            .models(.rollBack(0)),
        ]
    }

    @Test func `every write comes back as it was sent`() throws {
        let writes = try Self.writes()
        for write in writes {
            let sent = try JSONEncoder().encode(LocalRequest(asker: "ann", write: write))
            let got = try JSONDecoder().decode(LocalRequest.self, from: sent)
            #expect("\(got.write)" == "\(write)")
        }
        // The names of both cases alone.
        let kinds = Set(writes.map { "\($0)".split(separator: "(").prefix(2) })
        #expect(kinds.count == 20, "\(kinds)")
    }

    @Test func `what ends a run after its first slice is not told as nothing done`() throws {
        let scratch = NSTemporaryDirectory() + "run-\(UUID().uuidString).sqlite"
        defer {
            for end in ["", "-wal", "-shm"] {
                _ = Result { try FileManager.default.removeItem(atPath: scratch + end) }
            }
        }
        let store = try Store(path: scratch)
        defer { store.close() }
        let now = Timestamp(milliseconds: 1_760_000_000_000)
        try SiteImport(store).importDocument(
            SiteDocument(
                slug: "gym", name: "Gym", timeZone: "Europe/Berlin",
                rooms: [.init(slug: "hall", name: "Hall")], stations: [], nodes: [],
                users: [.init(slug: "u-ann", name: "Ann")], beacons: []), at: now)
        var run = WriteRun(
            .erase("u-ann", reason: "asked", options: ErasureOptions()), by: "ann")
        #expect(run.renames)
        #expect(run.fault(StoreError.full).kind == .full)
        #expect(try run.step(on: store, at: now) == nil)
        #expect(run.fault(StoreError.full).kind == .unanswered)
        #expect(!run.renames)
    }

    @Test func `an answer that cannot be read says nothing of what was written`() {
        let problem = Data(#"{"detail":"It does not say who asks.","code":"bad_request"}"#.utf8)
        #expect(LocalClient.fault(200, Data("{".utf8)).kind == .unanswered)
        #expect(LocalClient.fault(500, Data()).kind == .unanswered)
        #expect(LocalClient.fault(404, Data()).kind == .refused)
        #expect(LocalClient.fault(400, problem).code == 64)
    }
}
