import Foundation
import Testing

@testable import ActivityEngine
@testable import ActivityInterface
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
        return try PhoneBody(bytes.span, every: bucket, at: Self.now)
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
        #expect(sample.source == "com.google.android.apps.fitness")
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
            ([day("2026-03-29", "+0100")], [24]),
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
}
