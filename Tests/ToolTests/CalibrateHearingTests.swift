import Testing

@testable import Calibration
import SiteEngine
@testable import SiteModel
@testable import Platform

/// Frames of many nodes become seconds at a place.
struct CalibrateHearingTests {
    private let scratch: CalibrateScratch
    private var heard: Calibration.HeardSeconds
    private var place: Place { Place(room: RoomID(1), station: StationID(1)) }

    init() throws {
        scratch = try CalibrateScratch()
        heard = Calibration.HeardSeconds(
            subject: .beacon("b-1"), plan: scratch.site.plan, names: scratch.site.names)
    }

    /// `milliseconds` after the beginning.
    private func at(_ milliseconds: Int64) -> Timestamp {
        Timestamp(milliseconds: 1_790_000_000_000 + milliseconds)
    }

    @Test mutating func `a node without the beacon was silent, one without a frame unknown`() {
        #expect(heard.names == ["n-west", "n-east"], "a mobile node is no ear for beacons")
        for second in Int64(0)..<20 {
            heard.heard(
                frame(second, [("b-1", -60), ("b-9", -40)]), of: "n-west", at: at(second * 1000))
            if second != 7 {
                heard.heard(
                    frame(second, second % 2 == 0 ? [("b-1", -80)] : []), of: "n-east",
                    at: at(second * 1000))
            }
            heard.heard(frame(second, [("b-1", -30)]), of: "n-phone", at: at(second * 1000))
            heard.heard(frame(second, [("b-1", -30)]), of: "n-stranger", at: at(second * 1000))
        }
        let first = at(0).second
        let range = first...first + 19
        #expect(heard.first == first)
        #expect(heard.constant(in: range) == [0, 1])
        let seconds = heard.seconds(at: place, in: range, constant: [0, 1])
        #expect(seconds.count == 19, "second 7 is unknown at one node")
        #expect(seconds[0].heard.map(\.level.dBm) == [-60, -80])
        #expect(seconds[1].heard.map(\.level.dBm) == [-60])
        #expect(seconds.allSatisfy { $0.place == place })
        let quality = EarQuality(name: "n-east", levels: heard.levels(in: range)[1])
        #expect(quality?.share == 10.0 / 19)
    }

    @Test mutating func `a node that is off for long does not count`() {
        for second in Int64(0)..<20 {
            heard.heard(frame(second, [("b-1", -60)]), of: "n-west", at: at(second * 1000))
            guard second < 15 else { continue }
            heard.heard(frame(second, [("b-1", -70)]), of: "n-east", at: at(second * 1000))
        }
        let first = at(0).second
        #expect(heard.constant(in: first...first + 19) == [0])
        #expect(heard.constant(in: first...first + 14) == [0, 1])
        #expect(heard.constant(in: first + 30...first + 40) == [])
        #expect(!heard.isHeard(in: first + 30...first + 40))
    }

    @Test mutating func `frames that arrive unevenly stay a second apart`() {
        // The node's clock is a year behind; its frames come up to 900 ms late, some two at once.
        let late: [Int64] = [0, 900, 100, 850, 10, 700, 0, 950, 20, 0]
        for (index, delay) in late.enumerated() {
            let second = Int64(index)
            heard.heard(
                frame(second, [("b-1", -60)]), of: "n-west", at: at(second * 1000 + 40 + delay))
        }
        let first = at(0).second
        #expect(heard.listened(in: first...first + 9) == 10)
    }

    @Test mutating func `a clock that is set begins again`() {
        heard.heard(frame(5, [("b-1", -60)]), of: "n-west", at: at(5_000))
        heard.heard(frame(9_000, [("b-1", -61)]), of: "n-west", at: at(6_000))
        heard.heard(frame(1, [("b-1", -62)], boot: 2), of: "n-west", at: at(7_000))
        heard.heard(frame(Int64.min / 1000, [("b-1", -63)]), of: "n-west", at: at(8_000))
        let first = at(5_000).second
        #expect(heard.listened(in: first...first + 3) >= 3)
        #expect(heard.levels(in: first...first + 2)[0].compactMap(\.self) == [-60, -61, -62])
    }

    @Test func `a mobile node hears the beacons that are fixed`() {
        var heard = Calibration.HeardSeconds(
            subject: .node("n-phone"), plan: scratch.site.plan, names: scratch.site.names)
        #expect(heard.names == ["b-2"])
        heard.heard(frame(1, [("b-2", -55), ("b-1", -30)]), of: "n-phone", at: at(1000))
        heard.heard(frame(1, [("b-2", -20)]), of: "n-west", at: at(1000))
        let first = at(1000).second
        let seconds = heard.seconds(at: place, in: first...first, constant: [0])
        #expect(seconds.map { $0.heard.map(\.level.dBm) } == [[-55]])
    }

    @Test func `who turns round stands still, who walks off does not`() {
        let steady = (0..<16).map { Double?(-60 - Double($0 % 3)) }
        let turned = (0..<16).map { Double?($0 < 8 ? -70 : -82) }
        let walked = (0..<16).map { Double?($0 < 8 ? -60 : -75) }
        #expect(Steadiness.jump([steady, steady, turned]) == nil)
        #expect(Steadiness.jump([walked, turned]) == 13.5)
        #expect(Steadiness.jump([turned]) == nil, "one node alone may be shadowed")
        #expect(Steadiness.jump([walked]) == 15)
        #expect(Steadiness.jump([Array(walked.prefix(15))]) == nil, "too short to tell")
        let gone = (0..<16).map { $0 < 8 ? Double?(-60) : nil }
        #expect(Steadiness.jump([gone]) == nil, "silence is not a level")
    }

    @Test func `a route is read with its faults`() throws {
        let route = try Route(
            csv: "t,place\n0,saw\n30.5,\n\n40,lathe\n60,\n", named: "r.csv", at: scratch.site)
        #expect(route.end == 60)
        let stays = route.stays(until: 100)
        #expect(stays.map(\.place.station) == [StationID(1), StationID(2)])
        #expect(stays.map(\.seconds) == [2...29, 42...59])
        #expect(route.stays(until: 41).count == 1)
        for (text, fault) in [
            ("0,saw\n0,lathe", "r.csv:2"), ("0,attic", "r.csv:1"), ("x,saw\ny,saw", "r.csv:1"),
            ("0", "r.csv:1"), ("nan,saw", "r.csv:1"), ("1e300,saw", "r.csv:1"), ("", "r.csv"),
            ("0,yard", "room/yard or station/yard"),
        ] {
            let error = #expect(throws: Exit.self, "\(text)") {
                try Route(csv: text, named: "r.csv", at: scratch.site)
            }
            #expect(error?.text.contains(fault) == true, "\(error?.text ?? "")")
        }
    }

    @Test func `a place goes by its slug, told apart where a room has the same`() throws {
        let site = scratch.site
        #expect(
            site.places.map(site.text).sorted() == [
                "hall", "lathe", "room/yard", "saw", "station/yard",
            ])
        #expect(try site.place("saw").station == StationID(1))
        #expect(try site.place("station/saw").station == StationID(1))
        #expect(try site.place("room/yard") == Place(room: RoomID(2), station: nil))
        #expect(throws: Exit.self) { try site.place("yard") }
        #expect(throws: Exit.self) { try site.place("room/saw") }
        let now = at(0)
        #expect(
            try site.subjects(beacon: nil, user: "Ann A.", at: now)
                == [.beacon("b-1"), .node("n-phone")])
        #expect(throws: Exit.self, "he carries nothing") {
            try site.subjects(beacon: nil, user: "u-bob", at: now)
        }
        #expect(throws: Exit.self) { try site.subjects(beacon: nil, user: "Ann", at: now) }
        #expect(throws: Exit.self) { try site.subjects(beacon: "B 1", user: nil, at: now) }
    }
}
