import Basics
import Foundation
import FoundationXML
import GRDB
import JSON
import Testing

@testable import Activities
@testable import ActivityEngine
@testable import Detections
@testable import Records
@testable import Registry
@testable import SiteModel
@testable import SiteService
@testable import SiteStore

/// Strangers' devices as they are stored, looked for and written as files.
struct DetectionTests {
    private static let now = EditedSite.now

    private static func seen(
        _ address: String = "c0ffee000001", at node: String = "n-1", rssi: Double = -60,
        from: Double = 0, to: Double, hits: Int64 = 10, type: String = "tracker",
        confidence: Double = 0.9, name: String? = "Tag"
    ) -> DetectionVisits.Seen {
        DetectionVisits.Seen(
            node: node, address: address, type: type, confidence: confidence, name: name,
            rssi: rssi, first: now + .seconds(from), last: now + .seconds(to), hits: hits)
    }

    private static func site() throws -> EditedSite {
        let site = try EditedSite()
        // A camera and both nodes are there.
        try site.add(.deviceTypes, "tracker", [("name", "Tracker"), ("icon", "tracker")])
        return site
    }

    private static func all(
        _ store: Store, _ change: (inout DetectionFilter) -> Void = { _ in }
    ) throws -> [Detection] {
        var filter = DetectionFilter()
        change(&filter)
        return try Detections(store).page(filter, most: 1000).rows
    }

    // MARK: Visits

    @Test func `what three tell of one device is one visit, at the strongest`() throws {
        let site = try Self.site()
        let visits = DetectionVisits(site.store)
        try visits.put([
            Self.seen(at: "n-1", rssi: -70, to: 30, hits: 10),
            Self.seen(at: "n-2", rssi: -55, from: 10, to: 40, hits: 4),
            Self.seen(at: "n-1", rssi: -68, to: 60, hits: 25),
            // Told again.
            Self.seen(at: "n-1", rssi: -68, to: 60, hits: 25),
            // A node that is none.
            Self.seen(at: "n-9", rssi: -20, to: 60),
        ])
        let rows = try Self.all(site.store)
        let one = try #require(rows.first)
        #expect(rows.count == 1)
        #expect((one.node, one.rssi, one.hits) == ("n-2", -55, 29))
        #expect((one.first, one.last) == (Self.now, Self.now + .seconds(60)))
        #expect((one.type, one.room, one.source) == ("tracker", "bar", "mesh"))
        let hearers = try #require(try Detections(site.store).one(one.id)).1
        #expect(hearers.map(\.node) == ["n-2", "n-1"])
        #expect(hearers.map(\.hits) == [4, 25])
    }

    @Test func `what a node tells of one stretch counts once, and the next stretch beside it`()
        throws
    {
        let site = try Self.site()
        try DetectionVisits(site.store).put([
            Self.seen(to: 30, hits: 100), Self.seen(from: 300, to: 310, hits: 5),
            Self.seen(from: 300, to: 340, hits: 60), Self.seen(from: 300, to: 340, hits: 60),
        ])
        #expect(try Self.all(site.store).map(\.hits) == [160])
    }

    @Test func `what stays for two days is counted once`() throws {
        let site = try Self.site()
        for telling in stride(from: 30.0, through: 48 * 3600, by: 600) {
            var one = Self.seen(to: telling, hits: Int64(telling))
            // What is shown goes back a day at most.
            one.first = Self.now + .seconds(max(0, telling - 24 * 3600))
            one.since = Self.now
            try DetectionVisits(site.store).put([one])
        }
        #expect(try Self.all(site.store).map(\.hits) == [172_230])
    }

    @Test func `what comes from a rule that is gone changes nothing`() throws {
        let site = try Self.site()
        try DetectionVisits(site.store).put([
            Self.seen(to: 30), Self.seen(to: 60, type: "none", confidence: 1),
            Self.seen("c0ffee000002", to: 60, type: "none"),
        ])
        #expect(try Self.all(site.store).map(\.type) == ["tracker"])
    }

    @Test func `of too many the oldest go`() throws {
        let site = try Self.site()
        _ = try Detections(site.store).put((0..<10).map { Self.external($0) })
        #expect(try !DetectionVisits(site.store).trim(to: 10))
        #expect(try !DetectionVisits(site.store).trim(to: 4))
        #expect(try Self.all(site.store).compactMap(\.sourceID) == ["9", "8", "7", "6"])
    }

    @Test func `what is much is done in pieces, until there is no more`() throws {
        let site = try Self.site()
        _ = try Detections(site.store).put(
            (0..<501).map { number in Self.external(number) { $0.address = "c0ffee000001" } })
        let visits = DetectionVisits(site.store)
        let later = Self.now + .seconds(90_000)
        #expect(try visits.forgetAddresses(at: later))
        #expect(try !visits.forgetAddresses(at: later))
        #expect(Set(try Self.all(site.store).map(\.address)).count == 1)
        #expect(try visits.trim(to: 0))
        #expect(try !visits.trim(to: 0))
        #expect(try Self.all(site.store).isEmpty)
    }

    @Test func `after a silence it is another visit, and another address another device`() throws {
        let site = try Self.site()
        let visits = DetectionVisits(site.store)
        try visits.put([Self.seen(to: 30), Self.seen(from: 500, to: 520, hits: 3)])
        #expect(try Self.all(site.store).map(\.hits) == [13], "it was away for less")
        try visits.put([Self.seen(from: 1200, to: 1230), Self.seen("c0ffee000002", to: 30)])
        #expect(try Self.all(site.store).count == 3)
    }

    @Test func `a surer rule gives it another type`() throws {
        let site = try Self.site()
        try DetectionVisits(site.store).put([
            Self.seen(to: 30, confidence: 0.4),
            Self.seen(to: 60, type: "camera", confidence: 0.8, name: nil),
            Self.seen(to: 90, type: "tracker", confidence: 0.5),
        ])
        let one = try #require(try Self.all(site.store).first)
        #expect((one.type, one.confidence, one.name) == ("camera", 0.8, "Tag"))
    }

    @Test func `an address is forgotten after a day, and still the same device's`() throws {
        let site = try Self.site()
        let visits = DetectionVisits(site.store)
        try visits.put([
            Self.seen(to: 30), Self.seen("c0ffee000002", to: 30), Self.seen(from: 2000, to: 2030),
        ])
        #expect(try !visits.forgetAddresses(at: Self.now + .seconds(80_000)))
        #expect(try Self.all(site.store).allSatisfy { $0.address?.hasPrefix("c0ffee") == true })
        #expect(try !visits.forgetAddresses(at: Self.now + .seconds(90_000)))
        let addresses = try Self.all(site.store).map { $0.address ?? "" }
        #expect(addresses.allSatisfy { $0.hasPrefix("x-") && $0.count == 18 })
        #expect(Set(addresses).count == 2)
        #expect(try Self.all(site.store) { $0.text = "c0ffee" } == [], "nor is it found by it")
        #expect(try Self.all(site.store) { $0.text = addresses[0] }.isEmpty == false)
    }

    @Test func `a type that is told of is told once in a while, others never`() throws {
        let site = try Self.site()
        // The camera of the site file is told of, the tracker is not.
        try DetectionVisits(site.store).put([
            Self.seen(to: 30), Self.seen("c0ffee000002", to: 30, type: "camera"),
            Self.seen("c0ffee000002", to: 60, type: "camera"),
            Self.seen("c0ffee000002", from: 2000, to: 2060, type: "camera"),
        ])
        _ = try Detections(site.store).put([
            Self.external(1) { $0.type = "camera" }, Self.external(1) { $0.type = "camera" },
            Self.external(2),
        ])
        let told = try site.store.read { db in
            try String.fetchAll(db, sql: "SELECT kind || ' ' || subject FROM notification")
        }
        #expect(told == ["device-seen Camera"], "once in ten minutes")
    }

    // MARK: Whom it comes and goes with

    /// A device and a person who are there from one second to another of a day.
    private static func meet(
        _ site: EditedSite, day: Int, device: (Double, Double), person: (Double, Double),
        user: Int64 = 1, address: String = "c0ffee000001", type: String = "tracker"
    ) throws {
        let start = Double(day) * 86_400
        try DetectionVisits(site.store).put([
            Self.seen(address, from: start + device.0, to: start + device.1, type: type)
        ])
        try site.store.write { db in
            try db.execute(
                sql:
                    "INSERT INTO attendance_session (user, from_ms, to_ms, void, kept) VALUES (?, ?, ?, 0, 0)",
                arguments: [
                    user, now.milliseconds + Int64((start + person.0) * 1000),
                    now.milliseconds + Int64((start + person.1) * 1000),
                ])
        }
    }

    /// Who was told, as after each hour of so many days.
    private static func told(_ site: EditedSite, through days: Int) throws -> [String] {
        for hour in 0..<days * 24 {
            let moment = Self.now + .seconds(Double(hour) * 3600)
            try DeviceCompanions(site.store).look(
                after: moment - .seconds(7200), through: moment, at: moment)
            _ = try DetectionVisits(site.store).forgetAddresses(at: moment)
        }
        return try site.store.read { db in
            try String.fetchAll(
                db,
                sql:
                    "SELECT kind || ' ' || coalesce(user, '') || ' ' || subject FROM notification ORDER BY id"
            )
        }
    }

    @Test func `what comes and goes with somebody on three days is told to them alone, once`()
        throws
    {
        let site = try Self.site()
        try site.change(.deviceTypes, "tracker", [("notify", "beside")])
        for day in 0..<5 {
            try Self.meet(site, day: day, device: (100, 3700), person: (160, 3600))
            // Others are there at other times.
            try Self.meet(
                site, day: day, device: (9000, 9900), person: (8000, 9900), user: 2,
                address: "c0ffee000002")
        }
        #expect(try Self.told(site, through: 2) == [], "two days are no three")
        #expect(try Self.told(site, through: 6) == ["device-beside 1 Tracker"])
        let days = try site.store.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM device_companion")
        }
        #expect(days == 5, "the address was forgotten meanwhile, and is still the same device's")
    }

    @Test func `another type, a short visit and a day with another tell nothing`() throws {
        let site = try Self.site()
        try site.change(.deviceTypes, "tracker", [("notify", "beside")])
        for day in 0..<4 {
            try Self.meet(
                site, day: day, device: (0, 3600), person: (0, 3600), type: "camera")
            try Self.meet(
                site, day: day, device: (9000, 9600), person: (9000, 9600), user: 2,
                address: "c0ffee000003")
            // A new address each day, as a phone has.
            try Self.meet(
                site, day: day, device: (20_000, 24_000), person: (20_000, 24_000), user: 2,
                address: "c0ffee00001\(day)")
        }
        // The camera of the site file is told of when it is seen, not beside whom.
        #expect(try Self.told(site, through: 5).filter { $0.hasPrefix("device-beside") } == [])
    }

    @Test(arguments: [2, 3] as [Int64])
    func `what comes and goes with a class says nothing of any of them`(
        people: Int64
    ) throws {
        let site = try Self.site()
        try site.change(.deviceTypes, "tracker", [("notify", "beside")])
        try site.add(.users, "u-third", [("name", "Third")])
        for day in 0..<3 {
            for user in 1...people {
                try Self.meet(
                    site, day: day, device: (0, 3600), person: (Double(user), 3600), user: user)
            }
        }
        let told = ["device-beside 1 Tracker", "device-beside 2 Tracker"]
        #expect(try Self.told(site, through: 4) == (people == 2 ? told : []))
    }

    @Test(arguments: [
        (899.0, 0.0, false), (900, 0, true), (3600, 600, true), (3600, 601, false),
        (3600, -600, true), (3600, -601, false),
    ])
    func `a visit counts from a quarter of an hour on, and by ten minutes`(
        length: Double, late: Double, isTold: Bool
    ) throws {
        let site = try Self.site()
        try site.change(.deviceTypes, "tracker", [("notify", "beside")])
        for day in 0..<3 {
            try Self.meet(
                site, day: day, device: (5000, 5000 + length),
                person: (5000 + late, 5000 + length))
        }
        #expect(try Self.told(site, through: 4).isEmpty != isTold)
    }

    // MARK: Where it was found

    @Test func `what a detector finds takes the position that its carrier had`() throws {
        let site = try Self.site()
        let users = try site.store.read {
            try String.fetchAll($0, sql: "SELECT slug FROM user ORDER BY id")
        }
        let user = try #require(users.first)
        let position = GeoPosition(
            at: Self.now, latitude: 52.5, longitude: 13.25, accuracy: 5, speed: 1.5, heading: 90,
            activity: "walking")
        let taken = try SampleIntake(site.store).take(
            [
                Sent(id: "1", source: "phone", sample: position),
                // Sent again, at the poles, a week ago, and in an hour.
                Sent(id: "1", source: "phone", sample: position),
                Sent(
                    id: "2", source: "phone",
                    sample: GeoPosition(at: Self.now, latitude: 91, longitude: 0)),
                Sent(
                    id: "3", source: "phone",
                    sample: GeoPosition(
                        at: Self.now - .seconds(8 * 86_400), latitude: 0, longitude: 0)),
                Sent(
                    id: "4", source: "phone",
                    sample: GeoPosition(at: Self.now + .seconds(3600), latitude: 0, longitude: 0)),
            ], of: user, at: Self.now)
        #expect(taken == [nil, nil, .schema, .badTime, .badTime])
        _ = try Detections(site.store).put([
            Self.external(4) { $0.carrier = user },
            Self.external(590) { one in
                one.carrier = user
                (one.speed, one.activity) = (3, "driving")
            },
            Self.external(601) { $0.carrier = user },
            Self.external(5) { one in
                one.carrier = user
                (one.latitude, one.longitude) = (1, 2)
            },
            Self.external(6), Self.external(7) { $0.carrier = "u-nobody" },
            // Before it was measured.
            Self.external(-1) { $0.carrier = user },
        ])
        func found(_ id: Int) throws -> Detection {
            try #require(try Self.all(site.store).first { $0.sourceID == "\(id)" })
        }
        let one = try found(4)
        #expect((one.latitude, one.longitude, one.positionAge) == (52.5, 13.25, 4000))
        #expect((one.speed, one.heading, one.activity) == (1.5, 90, "walking"))
        #expect(
            try (found(590).positionAge, found(590).speed, found(590).activity) == (
                590_000, 3, "driving"
            ))
        #expect(try (found(5).latitude, found(5).positionAge) == (1, nil))
        for id in [601, 6, 7, -1] { #expect(try found(id).latitude == nil, "\(id)") }
        let carried = try site.store.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM detection WHERE user IS NOT NULL")
        }
        #expect(carried == 3, "who carried it is kept of those only that say where they were")
    }

    // MARK: Looking

    private static func external(_ id: Int, _ change: (inout Detection) -> Void = { _ in })
        -> Detection
    {
        var one = Detection()
        one.source = "esp32"
        one.sourceID = "\(id)"
        (one.first, one.last) = (now + .seconds(Double(id)), now + .seconds(Double(id)))
        change(&one)
        return one
    }

    @Test func `what is sent twice is stored once`() throws {
        let site = try Self.site()
        let detections = Detections(site.store)
        let two = [Self.external(1), Self.external(2)]
        #expect(try detections.put(two) == [.new(1), .new(2)])
        #expect(try detections.put(two + [Self.external(3)]) == [.known(1), .known(2), .new(3)])
        var other = Self.external(1)
        other.source = "another"
        #expect(try detections.put([other]) == [.new(4)])
    }

    @Test(arguments: DetectionFilter.Order.allCases)
    func `pages of each order have all rows once, in that order`(
        order: DetectionFilter.Order
    ) throws {
        let site = try Self.site()
        var random = SplitMix64(seed: 3)
        _ = try Detections(site.store).put(
            (0..<50).map { number in
                Self.external(number) { one in
                    one.rssi =
                        number % 7 == 0
                        ? nil : Double(Int.random(in: -9 ... -5, using: &random)) * 10
                    one.confidence =
                        number % 5 == 0 ? nil : Double(Int.random(in: 0...4, using: &random)) / 4
                    one.first = Self.now + .seconds(Double(number % 9))
                    one.last = one.first
                }
            })
        var filter = DetectionFilter()
        filter.order = order
        var found: [Detection] = []
        while true {
            let (rows, next) = try Detections(site.store).page(filter, most: 7)
            found += rows
            guard let next else { break }
            filter.after = DetectionFilter.Place(next.text)
        }
        #expect(Set(found.map(\.id)).count == 50 && found.count == 50)
        let keys: [Double] = found.map { one in
            switch order {
            case .newest: -Double(one.last.milliseconds)
            case .oldest: Double(one.last.milliseconds)
            case .strongest: -(one.rssi ?? -999)
            case .surest: -(one.confidence ?? -1)
            case .stored: Double(one.id)
            }
        }
        #expect(keys == keys.sorted())
    }

    @Test func `a text is looked for as it is, whatever stands in it`() throws {
        let site = try Self.site()
        let names = [
            "Anna's \"phone\"", "NEAR(a b)", "100 % * sure", "Ring-4711", "Café Zürich", "a OR b",
        ]
        _ = try Detections(site.store).put(
            names.enumerated().map { number, name in
                Self.external(number) {
                    $0.name = name; $0.ssid = "net-\(number)"
                }
            })
        for name in names {
            #expect(try Self.all(site.store) { $0.text = name }.map(\.name) == [name])
        }
        for (text, count) in [
            ("ring", 1), ("471", 1), ("ZÜR", 1), ("net-", 6), ("\"phone", 1), ("***", 0),
            ("NEAR", 1), ("name:Ring", 0), ("-4711", 1), ("OR b", 1), ("'; DROP TABLE x", 0),
        ] {
            #expect(try Self.all(site.store) { $0.text = text }.count == count, "\(text)")
        }
    }

    @Test func `rows are narrowed by type, node, room, source and time`() throws {
        let site = try Self.site()
        try DetectionVisits(site.store).put([Self.seen(to: 30)])
        _ = try Detections(site.store).put([
            Self.external(5000) { $0.type = "camera" }, Self.external(6000) { $0.type = "none" },
        ])
        #expect(try Self.all(site.store) { $0.type = "camera" }.map(\.sourceID) == ["5000"])
        #expect(try Self.all(site.store) { $0.node = "n-1" }.count == 1)
        #expect(try Self.all(site.store) { $0.node = "n-2" }.isEmpty)
        #expect(try Self.all(site.store) { $0.room = "hall" }.count == 1)
        #expect(try Self.all(site.store) { $0.source = "esp32" }.count == 2)
        #expect(try Self.all(site.store) { $0.from = Self.now + .seconds(5500) }.count == 1)
        #expect(try Self.all(site.store) { $0.until = Self.now + .seconds(5500) }.count == 2)
    }

    @Test func `what is deleted is exactly what was meant, and in the audit`() throws {
        let site = try Self.site()
        let asker = Asker(name: "ada", via: .cli, at: Self.now)
        let detections = Detections(site.store)
        _ = try detections.put(
            (0..<10).map { n in Self.external(n) { $0.type = n < 4 ? "camera" : nil } })
        #expect(try detections.delete(1, by: asker))
        #expect(try !detections.delete(1, by: asker))
        #expect(try detections.forget(type: "camera", before: nil, by: asker) == 3)
        #expect(try detections.forget(type: nil, before: Self.now + .seconds(6), by: asker) == 2)
        #expect(try detections.forget(type: "none", before: nil, by: asker) == 0)
        #expect(try Self.all(site.store).compactMap(\.sourceID) == ["9", "8", "7", "6"])
        let lines = try site.store.read { db in
            try String.fetchAll(
                db,
                sql: "SELECT action FROM audit_log WHERE entity = 'detection' ORDER BY id")
        }
        #expect(lines == ["delete", "delete", "delete"])
    }

    // MARK: Files

    private static func file(_ format: DetectionWriter.Format, _ rows: [Detection]) -> String {
        var writer = DetectionWriter(format)
        writer.begin()
        for row in rows { writer.add(row) }
        writer.end()
        return writer.take()
    }

    private static let hostile = external(7) { one in
        one.said = "=cmd|' /C calc'!A0"
        one.name = "<b>&\"x\"]]>\u{1}"
        one.ssid = "+49,\n;"
        one.address = "c0ffee000001"
        (one.latitude, one.longitude) = (52.5, -13.25)
        (one.rssi, one.confidence, one.speed, one.heading) = (-70.5, 0.25, 1.5, 359)
        one.activity = "walking"
    }

    @Test func `CSV holds no formula, and all of its cells`() {
        let text = Self.file(.csv, [Self.hostile])
        #expect(text.hasPrefix(DetectionWriter.columns.joined(separator: ",") + "\r\n"))
        #expect(text.contains("'=cmd"))
        #expect(!text.contains(",=cmd") && !text.contains("\n+49"))
        #expect(text.contains(",2026-05-28T20:26:47.000Z,2026-05-28T20:26:47.000Z,"))
    }

    @Test func `GPX is XML, of those with a position`() throws {
        let text = Self.file(.gpx, [Self.hostile, Self.external(8)])
        let parser = XMLParserText(text)
        #expect(parser.isGood, "\(text)")
        #expect(parser.points == 1)
        #expect(text.contains("lat=\"52.500000000\" lon=\"-13.250000000\""))
        #expect(text.contains("<time>2026-05-28T20:26:47.000Z</time>"))
    }

    @Test func `JSON lines come in again equal`() throws {
        let site = try Self.site()
        var sent = Self.hostile
        sent.name = "<b>&\"x\"]]>"
        sent.ssid = "+49,;"
        _ = try Detections(site.store).put([sent])
        let stored = try Self.all(site.store)
        let line = Self.file(.jsonl, stored).split(separator: "\n").map { Array($0.utf8) }[0]
        let body = try DetectionBody(
            JSONObjectOf(line).object, line.span, of: "esp32", by: nil, at: Self.now + .seconds(60))
        #expect(body.fault == nil)
        var again = try #require(body.detection)
        again.id = stored[0].id
        #expect(again == stored[0])
    }

    // MARK: What detectors send

    @Test(arguments: [
        (#"{"id":"1"}"#, "t_ms"), (#"{"id":"1","t_ms":-1}"#, "t_ms"),
        (#"{"id":"1","t_ms":1}"#, "t_ms"), (#"{"id":"1","timestamp":"yesterday"}"#, "timestamp"),
        (#"{"id":"1","t_ms":NOW,"latitude":91,"longitude":1}"#, "latitude"),
        (#"{"id":"1","t_ms":NOW,"latitude":9}"#, "longitude"),
        (#"{"id":"1","t_ms":NOW,"longitude":"NaN","latitude":1}"#, "longitude"),
        (#"{"id":"1","t_ms":NOW,"macAddress":"xyz"}"#, "macAddress"),
        (#"{"id":"1","t_ms":NOW,"rssi":200}"#, "rssi"),
        (#"{"id":"1","t_ms":NOW,"confidence":2}"#, "confidence"),
        (#"{"id":"1","t_ms":NOW,"colour":"red"}"#, "colour"),
        (#"{"id":"1","first_ms":NOW,"last_ms":5}"#, "last_ms"),
        (#"{"id":"1","t_ms":NOW,"heading":361}"#, "heading"),
    ])
    func `one that cannot be is refused, and what is wrong is named`(
        text: String, member: String
    ) throws {
        let json = Array(text.replacing("NOW", with: "\(Self.now.milliseconds)").utf8)
        let body = try DetectionBody(
            JSONObjectOf(json).object, json.span, of: "esp32", by: nil, at: Self.now)
        #expect(body.detection == nil)
        #expect(body.fault?.contains(member) == true, "\(body.fault ?? "nothing")")
    }

    @Test func `the shape of a phone's program is taken`() throws {
        let json = Array(
            """
            {"id": 17, "deviceType": "Flock Safety", "macAddress": "C0:FF:EE:00:00:01", "ssid": "Flock-1",
            "rssi": -71, "confidence": 0.85, "latitude": 52.5, "longitude": 13.4, "speed": 12.5, "heading": 90,
            "activity": "driving", "timestamp": "2026-05-28T20:26:40Z"}
            """.utf8)
        let body = try DetectionBody(
            JSONObjectOf(json).object, json.span, of: "esp32", by: nil, at: Self.now)
        let one = try #require(body.detection, "\(body.fault ?? "")")
        #expect((one.sourceID, one.said, one.address) == ("17", "Flock Safety", "c0ffee000001"))
        #expect((one.speed, one.heading, one.activity) == (12.5, 90, "driving"))
        #expect((one.first, one.last) == (Self.now, Self.now))
    }
}

/// What an XML parser says of a text.
private final class XMLParserText: NSObject, XMLParserDelegate {
    private(set) var points = 0
    private(set) var isGood = false

    init(_ text: String) {
        super.init()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = self
        isGood = parser.parse()
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        if name == "wpt" { points += 1 }
    }
}

/// The object of a text.
private struct JSONObjectOf {
    let object: JSONObject

    init(_ json: [UInt8]) throws { object = try JSONObject(document: json.span, limit: .max) }
}

extension DetectionVisits {
    fileprivate func put(_ seen: [Seen]) throws { try put(seen, at: EditedSite.now) }
}

extension Detections {
    fileprivate func put(_ new: [Detection]) throws -> [Stored] {
        try put(new, at: EditedSite.now)
    }
}
