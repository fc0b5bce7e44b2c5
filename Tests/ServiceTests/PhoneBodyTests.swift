import Basics
import Foundation
import Platform
import Scheduling
import Testing

@testable import Activities
@testable import ActivityEngine
@testable import SiteService
@testable import JSON
@testable import SiteModel

/// What apps on phones send, in bodies of their own. The bodies are written after the code and the documentation of
/// each app, which docs/phones.md names.
struct PhoneBodyTests {
    private static let now = moment("2026-10-05T12:00:03Z")

    private static func moment(_ text: String) -> Timestamp {
        Timestamp(zoned: text) ?? Timestamp(milliseconds: -1)
    }

    private func read(
        _ text: String, every bucket: PhoneBody.Bucket = .minute
    ) throws -> PhoneBody {
        let bytes = Array(text.utf8)
        let berlin = SiteCalendar(try TimeZoneTable(iana: "Europe/Berlin"), dayStart: .midnight)
        return try PhoneBody(bytes.span, every: bucket, by: berlin, at: Self.now)
    }

    @Test func `OwnTracks sends where it is, and much else to the same address`() throws {
        let body = try read(
            #"{"_type":"location","acc":14,"alt":34,"batt":87,"bs":1,"cog":120,"conn":"w","lat":52.520008,"#
                + #""lon":13.404954,"m":1,"t":"u","tid":"an","tst":1791201600,"vac":3,"vel":18}"#)
        #expect(body.app == .ownTracks && body.count == 1 && body.unread == 0)
        let position = try #require(body.positions.first)
        #expect(position.source == "owntracks an")
        #expect(
            position.sample
                == GeoPosition(
                    at: Timestamp(milliseconds: 1_791_201_600_000), latitude: 52.520008,
                    longitude: 13.404954, accuracy: 14, speed: 5, heading: 120))
        let lwt = try read(#"{"_type":"lwt","tst":1791201600}"#)
        #expect(lwt.app == .ownTracks && lwt.count == 0 && lwt.unread == 0)
        let broken = try read(#"{"_type":"location","lat":91,"lon":0,"tst":1791201600}"#)
        #expect(broken.count == 0 && broken.unread == 1 && broken.example == "lat is out of range")
    }

    @Test func `Home Assistant sends the state of a tracker`() throws {
        let body = try read(
            #"{"entity_id":"device_tracker.pixel","state":"not_home","attributes":{"source_type":"gps","#
                + #""battery_level":80,"latitude":52.520008,"longitude":-13.404954,"gps_accuracy":12,"#
                + #""altitude":34,"course":181.5,"speed":1.5,"vertical_accuracy":2,"friendly_name":"Pixel"},"#
                + #""last_changed":"2026-10-05T11:00:00+00:00","last_updated":"2026-10-05T11:30:00.5+00:00"}"#
        )
        #expect(body.app == .homeAssistant && body.count == 1)
        let position = try #require(body.positions.first)
        #expect(position.source == "device_tracker.pixel")
        #expect(
            position.sample
                == GeoPosition(
                    at: Self.moment("2026-10-05T11:30:00.5Z"), latitude: 52.520008,
                    longitude: -13.404954, accuracy: 12, speed: 1.5, heading: 181.5))
        let room = try read(
            #"{"entity_id":"light.hall","state":"on","attributes":{},"last_updated":"2026-10-05T11:30:00Z"}"#
        )
        #expect(room.count == 0 && room.unread == 1)
    }

    @Test func `HC Webhook sends records with their origin`() throws {
        let body = try read(
            #"{"timestamp":"2026-10-05T12:00:03.412Z","app_version":"1.9.17","steps":[{"count":812,"#
                + #""start_time":"2026-10-05T11:30:00Z","end_time":"2026-10-05T11:45:00Z","metadata":{"#
                + #""data_origin":"com.google.android.apps.fitness","recording_method":"automatically_recorded","#
                + #""device":{"manufacturer":"Google","model":"Pixel 8","type":2}}},{"count":5,"start_time":"x"}],"#
                + #""distance":[{"meters":611.4,"start_time":"2026-10-05T11:30:00Z","#
                + #""end_time":"2026-10-05T11:45:00Z"}],"exercise":[{"type":"56","#
                + #""start_time":"2026-10-05T10:00:00Z","end_time":"2026-10-05T10:30:00Z","duration_seconds":1800}],"#
                + #""heart_rate":[{"bpm":72,"time":"2026-10-05T11:00:00.5Z"},{"bpm":999,"time":"2026-10-05T11:00:00Z"}],"#
                + #""sleep":[{}]}"#)
        #expect(body.app == .healthConnect && body.unread == 2 && body.count == 3)
        let sample = try #require(body.samples.first)
        #expect(sample.source == "com.google.android.apps.fitness · Pixel 8")
        #expect(body.example == #"start_time “x”, count 5.0"#)
        #expect(
            sample.sample
                == ActivitySample(
                    from: Self.moment("2026-10-05T11:30:00Z"),
                    to: Self.moment("2026-10-05T11:45:00Z"), steps: 812, distance: 611_400))
        #expect(body.intervals.first?.sample.kind == .running)
        #expect(body.rates.first?.sample.at == Self.moment("2026-10-05T13:00:00.500+02:00"))
        // The same records again are the same samples; one that counts more is another.
        #expect(
            try read(
                #"{"timestamp":"t","steps":[{"count":812,"start_time":"2026-10-05T11:30:00Z","end_time":"2026-10-05T11:45:00Z"}]}"#
            ).samples.first?.id != sample.id)
    }

    @Test func `a day so far ends now, and what is made up is not taken`() throws {
        let body = try read(
            #"{"timestamp":"t","steps":[{"count":5311,"start_time":"2026-10-04T22:00:00Z","#
                + #""end_time":"2026-10-05T22:00:00Z"}]}"#)
        #expect(body.samples.first?.sample.to == Self.now)
        #expect(body.samples.first?.source == "health-connect")
        let test = try read(
            #"{"timestamp":"t","test":true,"steps":[{"count":1,"start_time":"2026-10-05T11:30:00Z","#
                + #""end_time":"2026-10-05T11:45:00Z"}]}"#)
        #expect(test.isTest && test.count == 0 && test.app == .healthConnect)
    }

    @Test func `Life Dashboard Companion names each record`() throws {
        let body = try read(
            #"{"timestamp":"2026-10-05T12:00:00Z","app_version":"1.6.0","source":"healthkit_ios","sequence":42,"#
                + #""steps":[{"count":123,"start_time":"2026-10-05T08:00:00Z","end_time":"2026-10-05T08:09:30Z","#
                + #""uuid":"5B7A0C2E-8F3D-4B1A-9C6E-2D4F8A1B3C5D","source":"Anna's Apple Watch"}],"#
                + #""exercise":[{"type":"walking","start_time":"2026-10-05T08:00:00Z","#
                + #""end_time":"2026-10-05T08:30:00Z","uuid":"u-2","source":"Anna's Apple Watch"}],"#
                + #""daily_totals":[{"date":"2026-10-05","steps":8421,"distance_meters":6210.4}]}"#)
        #expect(body.samples.first?.id.hasPrefix("5B7A0C2E-8F3D-4B1A-9C6E-2D4F8A1B3C5D ") == true)
        #expect(body.samples.first?.source == "Anna's Apple Watch" && body.count == 2)
        #expect(body.intervals.first?.sample.kind == .walking)
    }

    @Test func `Health Auto Export sends buckets with fractions, miles and kilojoules`() throws {
        let body = try read(
            #"{"data":{"metrics":[{"name":"step_count","units":"count","data":[{"source":"A|B","qty":100.4,"#
                + #""date":"2026-10-05 10:00:00 +0200"},{"qty":100.4,"date":"2026-10-05 11:00:00 +0200"},"#
                + #"{"qty":100.4,"date":"2026-10-05 13:30:00 +0200"},{"qty":1,"date":"yesterday"}]},"#
                + #"{"name":"walking_running_distance","units":"mi","data":[{"qty":1,"#
                + #""date":"2026-10-05 10:00:00 +0200"}]},{"name":"active_energy","units":"kJ","data":[{"qty":418.4,"#
                + #""date":"2026-10-05 10:00:00 +0200"}]},{"name":"heart_rate","units":"count/min","data":[{"Min":52,"#
                + #""Avg":74.6,"Max":116,"date":"2026-10-05 00:00:00 -0700"}]}]}}"#, every: .hour)
        #expect(body.app == .healthAutoExport && body.unread == 1, "\(body.unread)")
        // 100.4 and 100.4 are 201, and 301 with the third: nothing is lost by rounding.
        #expect(body.samples.map(\.sample.steps) == [100, 101, 100])
        #expect(body.samples[0].sample.distance == 1_609_344)
        #expect(body.samples[0].sample.energy == 100_000)
        #expect(body.samples[0].sample.to == Self.moment("2026-10-05T09:00:00Z"))
        #expect(body.samples[2].sample.to == Self.now, "a bucket that is not over ends now")
        #expect(Set(body.samples.map(\.source)) == ["health-auto-export"])
        #expect(body.rates.first?.sample.rate == 75)
        #expect(try read(#"{"data":{"metrics":[]}}"#).count == 0)
    }

    @Test func `a day of Health Auto Export ends where the next one begins`() throws {
        let day = { (date: String, offset: String) in
            #"{"qty":4000,"date":"\#(date) 00:00:00 \#(offset)"}"#
        }
        // Berlin's clocks went forward on 29 March 2026 and back on 26 October 2025.
        for (days, hours) in [
            ([day("2026-03-29", "+0100"), day("2026-03-30", "+0200")], [23.0, 24]),
            // A sample is at most 24 hours long: the 25th hour is in none.
            ([day("2025-10-26", "+0200"), day("2025-10-27", "+0100")], [24, 24]),
            // One alone ends with the site's, where it begins with it.
            ([day("2026-03-29", "+0100")], [23]),
            ([day("2026-03-29", "+0000")], [24]),
        ] {
            let list = days.joined(separator: ",")
            let body = try read(
                #"{"data":{"metrics":[{"name":"step_count","units":"count","data":[\#(list)]}]}}"#,
                every: .day)
            let told = body.samples.map { ($0.sample.to - $0.sample.from).seconds / 3600 }
            #expect(told == hours)
        }
    }

    /// Each body of an app that docs/phones.md shows, with the answer that it says comes of it.
    @Test func `what the page for members shows is stored as it says`() throws {
        let page = try String(
            contentsOfFile: #filePath.replacing(
                "Tests/ServiceTests/PhoneBodyTests.swift", with: "docs/phones.md"),
            encoding: .utf8)
        let shown = page.matches(
            of: /```json\n([^`]*)```\s*Answer: `\{"app":"([a-z-]+)","stored":(\d+)/)
        #expect(shown.count == 3)
        for one in shown {
            let body = try read(String(one.output.1), every: .day)
            #expect(body.app?.rawValue == String(one.output.2))
            #expect("\(body.count)" == String(one.output.3) && body.unread == 0)
        }
    }

    @Test(arguments: [
        "{}", #"{"data":1}"#, #"{"data":{"metrics":{}}}"#, #"{"timestamp":5}"#,
        #"{"timestamp":"t","steps":5}"#, #"{"timestamp":"t","steps":[1,null,[],{}]}"#,
        #"{"data":{"metrics":[1,{"name":"step_count","data":[{"qty":-5,"date":"2026-10-05 10:00:00 Z"}]}]}}"#,
        #"{"timestamp":"t","steps":[{"count":1e300,"start_time":"2026-10-05T11:30:00Z","end_time":"2026-10-05T11:45:00Z"}]}"#,
        #"{"timestamp":"t","steps":[{"count":200001,"start_time":"2026-10-05T11:30:00Z","end_time":"2026-10-05T11:45:00Z"}]}"#,
    ])
    func `what says nothing stores nothing`(text: String) throws {
        #expect(try read(text).count == 0)
    }

    /// Phone and band bring their records by one app: each is a source of its own.
    @Test func `the device is part of a source`() throws {
        func record(_ device: String, uuid: String) -> String {
            #"{"count":50,"start_time":"2026-10-05T08:00:00Z","end_time":"2026-10-05T09:00:00Z","uuid":"\#(uuid)","#
                + #""metadata":{"data_origin":"com.sec.android.app.shealth","device":\#(device)}}"#
        }
        let devices = [
            #"{"manufacturer":"m","model":"band","type":1}"#, #"{"manufacturer":"m","type":1}"#,
            #"{"type":2}"#, #"{"type":99}"#, #"{"model":"a\u0007b","type":6}"#,
            #"{"model":"\#(String(repeating: "x", count: 99))"}"#,
        ]
        let body = try read(
            #"{"timestamp":"t","steps":["#
                + devices.enumerated().map { record($1, uuid: "\($0)") }.joined(separator: ",")
                + "]}")
        let origin = "com.sec.android.app.shealth"
        #expect(
            body.samples.map(\.source) == [
                origin + " · band", origin + " · m", origin + " · phone", origin,
                origin + " · band",
                origin + " · " + String(repeating: "x", count: 32),
            ])
        #expect(body.samples.allSatisfy { $0.source.unicodeScalars.count <= 64 })
        #expect(Set(body.samples.map(\.id)).count == devices.count)
    }

    @Test func `what cannot be read is told with one example of it`() throws {
        let body = try read(
            #"{"data":{"metrics":[{"name":"step_count","units":"count","data":[{"qty":5,"date":"28/11/2026"},"#
                + #"{"qty":6,"date":"never"},{"qty":7,"date":"\u202e2026"}]}]}}"#)
        #expect(body.unread == 3 && body.example == "date “28/11/2026”, qty 5.0")
        #expect(try read(#"{"timestamp":"t","steps":[{}]}"#).example?.isEmpty == false)
        #expect(try read(#"{"timestamp":"t","steps":[]}"#).example == nil)
    }

    /// Whatever the order of its records, a body says the same.
    @Test(arguments: 0..<20) func `the order of records changes nothing`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var records = (0..<40).map { number -> String in
            let minute = number % 30
            let device = ["band", "phone"][number % 2]
            return
                #"{"count":\#(number * 7),"start_time":"2026-10-05T08:\#(10 + minute):00Z","#
                + #""end_time":"2026-10-05T09:\#(10 + minute):00Z","metadata":{"data_origin":"o","device":{"model":"\#(device)"}}}"#
        }
        var distances = (0..<40).map { number in
            #"{"meters":\#(number),"start_time":"2026-10-05T08:\#(10 + number % 30):00Z","end_time":"2026-10-05T09:\#(10 + number % 30):00Z"}"#
        }
        func told() throws -> [SentSample] {
            let body = try read(
                #"{"timestamp":"t","steps":[\#(records.joined(separator: ","))],"distance":[\#(distances.joined(separator: ","))]}"#
            )
            return body.samples.intakeOrder().map { body.samples[$0] }
        }
        let expected = try told()
        records.shuffle(using: &random)
        distances.shuffle(using: &random)
        #expect(try told() == expected)
    }

    /// By clocks of twelve hours, in the words, digits, spaces and years of regions.
    @Test(arguments: [
        ("2026-11-27 7:00:00 am +1000", "2026-11-26T21:00:00Z"),
        ("2026-11-27 1:00:00\u{202F}PM +1000", "2026-11-27T03:00:00Z"),
        ("2026-11-27 12:00:00\u{A0}AM -0500", "2026-11-27T05:00:00Z"),
        ("2026-11-27 12:30:00 p.\u{A0}m. +0000", "2026-11-27T12:30:00Z"),
        ("2026-11-27 午後1:00:00 +0900", "2026-11-27T04:00:00Z"),
        ("2026-11-27 上午12:05:00 +0800", "2026-11-26T16:05:00Z"),
        ("2026-11-27 오전 9:05:00 +0900", "2026-11-27T00:05:00Z"),
        ("2026-11-27 9:05:00 ÖS +0300", "2026-11-27T18:05:00Z"),
        ("2026-11-27 9:05:00 μ.μ. +0200", "2026-11-27T19:05:00Z"),
        ("٢٠٢٦-١١-٢٧ ١:٠٥:٠٠ م +٠٣٠٠", "2026-11-27T10:05:00Z"),
        ("\u{200F}٢٠٢٦-١١-٢٧ ٠٧:٠٥:٠٠ \u{200E}+٠٣٠٠", "2026-11-27T04:05:00Z"),
        ("2569-11-27 07:05:00 +0700", "2026-11-27T00:05:00Z"),
        ("2026-11-27T7:05:00,250+01:00", "2026-11-27T06:05:00.250Z"),
        ("2026-11-27 7:05 PM GMT+1", "no moment"), ("2026-11-27 13:05:00 PM +0100", "no moment"),
        ("2026-11-27 0:05:00 AM +0100", "no moment"), ("2026-11-27 7:05:00 xm +0100", "no moment"),
    ])
    func `moments are read in the clothes of any region`(text: String, utc: String) {
        #expect(Timestamp(zoned: text) == Timestamp(zoned: utc), "\(text)")
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("1970-01-01T01:00:00.5+01:00", 500),
        ("1970-01-02 00:00 +0000", 86_400_000), ("2026-10-05T14:03:00+02:00", 1_791_201_780_000),
        ("2026-10-05T14:03:00.123456789Z", 1_791_208_980_123),
    ])
    func `moments are read with their zone`(text: String, milliseconds: Int64) {
        #expect(Timestamp(zoned: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "2026-10-05T14:03:00", "2026-02-30T00:00:00Z", "2026-10-05T24:00:00Z",
        "2026-10-05T14:03:60Z",
        "1969-12-31T23:59:59Z", "2026-10-05", "", "2026-10-05T14:03:00+99:00",
        "x2026-10-05T14:03:00Z",
    ])
    func `no other text is a moment`(text: String) {
        #expect(Timestamp(zoned: text) == nil)
    }

    private func isTooLong(_ text: String) -> Bool {
        do {
            _ = try read(text)
        } catch PhoneBody.Fault.tooLong {
            return true
        } catch {}
        return false
    }

    @Test(arguments: ["steps", "distance", "heart_rate", "exercise", "active_calories"])
    func `records are counted before anything is made of them`(kind: String) throws {
        func body(_ count: Int, _ record: String = "{}") -> String {
            let records = Array(repeating: record, count: count).joined(separator: ",")
            return #"{"timestamp":"t","\#(kind)":[\#(records)]}"#
        }
        #expect(isTooLong(body(60_001)) && isTooLong(body(1_398_000)))
        #expect(isTooLong(body(60_001, "1")) && !isTooLong(body(60_000, "1")))
        #expect(try read(body(60_000, "{}")).load >= 20_000)
        #expect(try read(body(30, "{}")).load >= 10)
    }

    @Test func `records and metrics of Health Auto Export are counted, too`() throws {
        let points = Array(repeating: "{}", count: 30_001).joined(separator: ",")
        let metric = #"{"name":"step_count","units":"count","data":[\#(points)]}"#
        func body(_ metrics: [String]) -> String {
            #"{"data":{"metrics":[\#(metrics.joined(separator: ","))]}}"#
        }
        #expect(!isTooLong(body([metric])) && isTooLong(body([metric, metric])))
        #expect(isTooLong(body(Array(repeating: "{}", count: 1001))))
        #expect(!isTooLong(body(Array(repeating: "{}", count: 1000))))
    }
}
