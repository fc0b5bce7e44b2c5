@testable import Basics
@testable import SiteService
import Foundation
import Records
import Testing

@testable import Reporting
@testable import SiteModel
@testable import WebServer

/// Attendance by HTTP.
struct ReportRoutesTests {
    let site: ReportSite

    init() throws { site = try ReportSite() }

    private func refusal(
        _ path: String, _ query: [(name: String, value: String)]
    ) async -> RouteProblem? {
        do {
            _ = try await site.get(path, query)
            return nil
        } catch {
            return error as? RouteProblem
        }
    }

    @Test func `the day sheet says what was planned and what was`() async throws {
        let answer = try await site.get(
            "/api/v1/reports/attendance-day.csv", [("date", "2026-11-02")])
        #expect(answer.type.hasPrefix("text/csv"))
        let lines = answer.text.split(separator: "\r\n")
        #expect(lines.count == 3)
        #expect(lines[1].hasPrefix("u-ann,'=Ann,2026-11-02,day,present,,"))
        #expect(lines[1].contains(",28800,29700,0,0,29700,0,0,300,600,,0,0,none"))
        #expect(lines[2].hasPrefix("u-bob,Bob,2026-11-02,,present,,"))
    }

    @Test func `a spreadsheet with another separator gets it, and the hour's offset`() async throws
    {
        let answer = try await site.get(
            "/api/v1/reports/attendance-day.csv",
            [("date", "2026-11-02"), ("separator", "semicolon")])
        let lines = answer.text.split(separator: "\r\n")
        #expect(lines[1].hasPrefix("u-ann;'=Ann;2026-11-02;day;present;;"))
        #expect(lines[1].contains(";2026-11-02 07:55:00+01:00;"))
    }

    @Test func `without a date a report is about today`() async throws {
        let today = try await site.get("/api/v1/reports/attendance-day")
        let named = try await site.get(
            "/api/v1/reports/attendance-day", [("date", "2026-11-02"), ("format", "json")])
        #expect(today.text == named.text)
        #expect(today.text.contains(#""zone":"Europe/Berlin""#))
    }

    @Test func `every report is valid JSON, whole, in each form`() async throws {
        for kind in ReportOrder.Kind.allCases {
            let query: [(name: String, value: String)] =
                kind == .between ? [("from", "2026-11-02 10:00"), ("to", "2026-11-02 11:00")] : []
            let json = try await site.get("/api/v1/reports/\(kind.rawValue)", query)
            let object = try JSONSerialization.jsonObject(with: Data(json.text.utf8))
            let rows = (object as? [String: Any])?["rows"] as? [Any]
            #expect(rows != nil, "\(kind)")
            let lines = try await site.get("/api/v1/reports/\(kind.rawValue).jsonl", query)
            #expect(
                lines.text.hasSuffix("{\"end\":true,\"rows\":\(rows?.count ?? -1)}\n"), "\(kind)")
            let csv = try await site.get("/api/v1/reports/\(kind.rawValue).csv", query)
            #expect(csv.text.count { $0 == "\r\n" } == (rows?.count ?? -1) + 1, "\(kind)")
        }
    }

    @Test func `who was in, with whom, and who is in now`() async throws {
        let between = try await site.get(
            "/api/v1/reports/between.csv",
            [("from", "2026-11-02 08:00"), ("to", "2026-11-02 09:30")])
        #expect(between.text.contains("u-ann,'=Ann,") && between.text.contains(",5400,0,none"))
        #expect(between.text.contains(",1800,1,none"))
        let contacts = try await site.get("/api/v1/reports/contacts.csv")
        #expect(contacts.text.contains("u-ann,'=Ann,u-bob,Bob,hall,"))
        #expect(contacts.text.contains(",1800,none"))
        let fewer = try await site.get("/api/v1/reports/contacts.csv", [("least_min", "31")])
        #expect(!fewer.text.contains("u-ann"))
        let present = try await site.get("/api/v1/reports/present.csv")
        #expect(present.text.contains("u-bob,Bob,") && !present.text.contains("u-ann"))
    }

    @Test(arguments: [
        ("attendance-day", "date", "2026-02-29", "bad_request"),
        ("attendance-day", "date", "yesterday", "bad_request"),
        ("attendance-day", "nonsense", "1", "bad_request"),
        ("attendance-day", "to", "2026-11-02", "bad_request"),
        ("attendance-day", "user", "u-eve", "not_found"),
        ("attendance-day", "rounding", "up", "bad_request"),
        ("attendance-day", "round_min", "0", "bad_request"),
        ("attendance-month", "month", "2026-13", "bad_request"),
        ("contacts", "least_min", "1441", "bad_request"),
        ("between", "from", "2026-10-25 02:30", "ambiguous_time"),
        ("between", "from", "2026-03-29 02:30", "nonexistent_time"),
        ("between", "from", "2026-11-02 19:00", "bad_time"),
        ("attendance-day", "format", "xlsx", "bad_request"),
        ("attendance-day.csv", "separator", "|", "bad_request"),
    ])
    func `what is wrong is named`(
        report: String, name: String, value: String, code: String
    ) async throws {
        let problem = await refusal("/api/v1/reports/\(report)", [(name, value)])
        #expect(problem?.code.rawValue == code)
        #expect(problem?.detail.contains(name == "format" ? "csv" : name) == true)
    }

    @Test func `parameters that contradict each other are refused`() async throws {
        let day = "/api/v1/reports/attendance-day"
        let twice = await refusal(day, [("date", "2026-11-02"), ("date", "2026-11-02")])
        #expect(twice?.detail.contains("twice") == true)
        let both = await refusal(day, [("date", "2026-11-02"), ("month", "2026-11")])
        #expect(both?.code == .badRequest)
        let back = await refusal(day, [("from", "2026-11-02"), ("to", "2026-11-01")])
        #expect(back?.code == .badTime)
        let long = await refusal(day, [("from", "2020-01-01"), ("to", "2026-11-01")])
        #expect(long?.detail.contains("800 days") == true)
        #expect(await refusal("/api/v1/reports/nonsense", [])?.code == .notFound)
        #expect(await refusal("/api/v1/reports/overtime.exe", [])?.code == .notFound)
    }

    @Test func `lengths are rounded only when asked`() async throws {
        let rounded = try await site.get(
            "/api/v1/reports/overtime.csv", [("round_min", "15"), ("rounding", "ceil")])
        #expect(rounded.text.contains("u-ann,'=Ann,2026-11-02,day,900,900,0,ceil 15 min"))
    }

    @Test func `sessions come in pages, the newest first`() throws {
        let list = try #require(SiteService.Operation.named("session-list"))
        func get(_ query: (name: String, value: String)...) throws -> String {
            String(decoding: try list.answer(query, by: "ada", in: site.store), as: UTF8.self)
        }
        let first = try get(("limit", "1"), ("from", "2026-11-02"))
        #expect(first.contains(#""user":"u-bob""#) && !first.contains("u-ann"))
        #expect(first.contains(#""out_ms":null,"out_local":null,"#), "it is open")
        let cursor = try #require(first.firstMatch(of: /"next":"([^"]+)"/)?.1)
        let second = try get(("limit", "1"), ("cursor", String(cursor)))
        #expect(second.contains(#""user":"u-ann""#) && second.contains(#""next":null"#))
        let both = try get(("from", "2026-11-02"), ("to", "2026-11-02"))
        let users = both.matches(of: /"user":"([^"]+)"/).map { String($0.1) }
        #expect(users == ["u-bob", "u-ann"])
        #expect(try get(("review", "true")).contains(#""sessions":[]"#))
        for query in [("limit", "501"), ("cursor", "x"), ("review", "1"), ("from", "x")] {
            let error = #expect(throws: (any Error).self) { try get(query) }
            #expect((error as? any Refusing)?.text.contains(query.0) == true, "\(query)")
        }
        let late = #expect(throws: (any Error).self) {
            try get(("from", "2026-11-03"), ("to", "2026-11-01"))
        }
        #expect((late as? any Refusing)?.code == .badTime)
        let nobody = #expect(throws: (any Error).self) { try get(("user", "u-eve")) }
        #expect((nobody as? any Refusing)?.code == .notFound)
    }

    @Test func `a calendar opens by its secret only, until it is revoked`() async throws {
        let secret = FeedText.secret()
        #expect(secret.utf8.count == 64)
        let id = try Feeds(site.store).add(
            hash: FeedText.hash(of: secret), user: "u-ann", kind: .attendance, by: site.asker)
        let answer = try await site.get("/feeds/\(secret).ics")
        #expect(answer.type == "text/calendar; charset=utf-8")
        #expect(answer.text.contains("UID:session-1@gym\r\n") && !answer.text.contains("session-2"))
        for wrong in ["\(secret.dropLast())0.ics", "\(secret)", ".ics", "x.ics"] {
            guard wrong != "\(secret).ics" else { continue }
            #expect(await refusal("/feeds/\(wrong)", [])?.code == .notFound, "\(wrong)")
        }
        try Feeds(site.store).revoke(id, by: site.asker)
        #expect(await refusal("/feeds/\(secret).ics", [])?.code == .notFound)
    }

    @Test func `a calendar of shifts looks ahead and leaves out leave`() async throws {
        let secret = FeedText.secret()
        try Feeds(site.store).add(
            hash: FeedText.hash(of: secret), user: nil, kind: .shifts, by: site.asker)
        let tuesday = try #require(LocalDate("2026-11-03"))
        try Roster(site.store).addLeave(
            "u-ann", from: tuesday, to: tuesday, kind: "holiday", isHalf: false, by: site.asker)
        let text = try await site.get("/feeds/\(secret).ics").text
        #expect(text.contains("DTSTART:20261104T070000Z\r\n"))
        #expect(!text.contains("DTSTART:20261103T"))
    }
}
