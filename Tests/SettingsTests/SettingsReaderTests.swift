import Testing

@testable import Settings

/// Everything wrong is said at once, each with its line, and nothing wrong is let through.
struct SettingsReaderTests {
    enum Level: String, CaseIterable { case debug, info, warning }

    /// A small configuration as a daemon would read it.
    struct Sample: Equatable {
        var node: String
        var host: String
        var port: Int
        var enter: Double
        var active: Bool
        var level: Level
        var sites: [String]

        init(
            _ text: String, environment: [String: String] = [:]
        ) throws(SettingsError) {
            var settings = try SettingsReader(
                text: text, named: "etc/node.yaml", environment: environment)
            node = settings.slug("node")
            (host, port) = settings.section("broker") {
                (
                    $0.string("host", default: "127.0.0.1"),
                    $0.int("port", in: 1...65535, default: 1883)
                )
            }
            enter = settings.seconds("enter_s", in: 0.5...86400, default: 5)
            active = settings.bool("active", default: false)
            level = settings.choice("log", default: .info)
            sites = settings.list("sites", count: 0...3) { $0.slug("id") }
            try settings.finish()
        }

        static func faults(of text: String, environment: [String: String] = [:]) -> [String] {
            do {
                _ = try Sample(text, environment: environment)
                return []
            } catch {
                return error.description.split(separator: "\n").map(String.init)
            }
        }
    }

    @Test func `a complete file is read, defaults fill what is not said`() throws {
        let sample = try Sample(
            """
            node: bench-1  # by the door
            broker: { host: "10.0.0.7" }
            enter_s: 0.5
            active: true
            sites:
              - id: hall
              - id: "2"
            """)
        #expect(sample.node == "bench-1")
        #expect(sample.host == "10.0.0.7")
        #expect(sample.port == 1883)
        #expect(sample.enter == 0.5)
        #expect(sample.active)
        #expect(sample.level == .info)
        #expect(sample.sites == ["hall", "2"])
    }

    @Test func `every fault is reported at once, by line`() {
        let faults = Sample.faults(
            of: """
                broker:
                  host: 5
                  prot: 1883
                enter_s: 0.4
                active: yes
                log: loud
                sites:
                  - id: Hall
                  - hall
                colour: red
                """)
        #expect(
            faults == [
                "etc/node.yaml:1: node: missing, expected 1 to 64 of a-z, 0-9 and -",
                "etc/node.yaml:2: broker.host: expected text of 1 to 256 characters"
                    + " (in quotes if it looks like a number), got \"5\"",
                "etc/node.yaml:3: broker.prot: unknown key, did you mean \"port\"?",
                "etc/node.yaml:4: enter_s: expected a number of seconds from 0.5 to 86400, got \"0.4\"",
                "etc/node.yaml:5: active: expected true or false, got \"yes\"",
                "etc/node.yaml:6: log: expected one of debug, info, warning, got \"loud\"",
                "etc/node.yaml:8: sites[0].id: expected 1 to 64 of a-z, 0-9 and -, got \"Hall\"",
                "etc/node.yaml:9: sites[1]: expected a section of keys, got \"hall\"",
                "etc/node.yaml:10: colour: unknown key, expected node, broker, enter_s, active, log,"
                    + " sites",
            ])
    }

    @Test func `a key given twice does not hide the other faults`() {
        let faults = Sample.faults(
            of: """
                node: a
                broker:
                  port: 1
                  "port": 2
                  port: 3
                node: b
                log: 7
                """)
        #expect(
            faults == [
                "etc/node.yaml:4: broker.port: given twice, first on line 3",
                "etc/node.yaml:5: broker.port: given twice, first on line 3",
                "etc/node.yaml:6: node: given twice, first on line 1",
                "etc/node.yaml:7: log: expected one of debug, info, warning, got \"7\"",
            ])
    }

    @Test(arguments: [
        ("enter_s: 0.5", 0.5), ("enter_s: 86400", 86400), ("enter_s: 1e1", 10),
        ("enter_s: ~", 5), ("enter_s:", 5), ("enter_s: +0.75", 0.75), ("enter_s: 0x10", 16),
    ])
    func `seconds inside the limits are taken`(line: String, seconds: Double) throws {
        #expect(try Sample("node: a\n\(line)").enter == seconds)
    }

    @Test(arguments: [
        "0.4", "0.4999", "86400.001", "-1", ".nan", ".inf", "1e999", "nan", "inf", "0x1p4", "\"5\"",
        "5 s", "1:30", "[5]", "{a: 5}", "0x", "0x-1", "1.e", "99999999999999999999999", "true",
    ])
    func `seconds outside the limits or no numbers are refused`(text: String) {
        #expect(Sample.faults(of: "node: a\nenter_s: \(text)").count == 1)
    }

    @Test(arguments: ["1", "65535"]) func `ports inside the limits are taken`(port: String) throws {
        #expect(try Sample("node: a\nbroker: {port: \(port)}").port == Int(port))
    }

    @Test(arguments: ["0", "65536", "-1", "1.0", "1883.5", "\"1883\"", "9223372036854775808", "x"])
    func `ports outside the limits are refused`(port: String) {
        #expect(Sample.faults(of: "node: a\nbroker: {port: \(port)}").count == 1)
    }

    @Test(arguments: [("true", true), ("True", true), ("FALSE", false)])
    func `YAML 1·2 booleans are taken`(text: String, value: Bool) throws {
        #expect(try Sample("node: a\nactive: \(text)").active == value)
    }

    @Test(arguments: ["yes", "no", "on", "off", "y", "1", "\"true\"", "tRUE", "[]"])
    func `other booleans are refused`(text: String) {
        #expect(Sample.faults(of: "node: a\nactive: \(text)").count == 1)
    }

    @Test func `a wrong shape is one fault, not one per key inside`() {
        #expect(
            Sample.faults(of: "node: a\nbroker: 127.0.0.1\nsites: {id: hall}") == [
                "etc/node.yaml:2: broker: expected a section of keys, got \"127.0.0.1\"",
                "etc/node.yaml:3: sites: expected a list, got a section of keys",
            ])
    }

    @Test func `a list too long is refused`() {
        let sites = (1...4).map { "  - id: s\($0)" }.joined(separator: "\n")
        #expect(
            Sample.faults(of: "node: a\nsites:\n\(sites)") == [
                "etc/node.yaml:2: sites: expected a list of 0 to 3, got 4"
            ])
    }

    @Test func `hostile values are escaped in messages`() {
        let fault = Sample.faults(
            of: "node: \"a\\e[31m\\u202E\(String(repeating: "x", count: 99))\"")
        #expect(fault.count == 1)
        #expect(fault.first?.contains("\u{1B}") == false)
        #expect(fault.first?.contains("\u{202E}") == false)
        #expect(fault.first?.hasSuffix("…\"") == true)
    }

    @Test func `thousands of faults are counted, not printed`() {
        let keys = (1...3000).map { "key\($0): 1" }.joined(separator: "\n")
        let faults = Sample.faults(of: "node: a\n\(keys)")
        #expect(faults.count == 101)
        #expect(faults.last == "… and 2900 more")
    }

    @Test func `paths are seen from the directory of the file`() throws {
        var settings = try SettingsReader(
            text: "a: x/y\nb: /x\n", named: "/etc/beaconmesh/node.yaml")
        #expect(settings.path("a") == "/etc/beaconmesh/x/y")
        #expect(settings.path("b") == "/x")
        #expect(settings.path("c", default: "z") == "/etc/beaconmesh/z")
        #expect(settings.pathIfPresent("d") == nil)
        try settings.finish()
    }

    @Test func `a file that cannot be read says so`() {
        #expect(throws: SettingsError("/nowhere/x.yaml", .file, "no such file")) {
            _ = try SettingsReader(file: "/nowhere/x.yaml", environment: [:])
        }
        #expect(throws: SettingsError.self) {
            _ = try SettingsReader(file: "/", environment: [:])
        }
        #expect(throws: SettingsError.self) {
            _ = try SettingsReader(file: "/dev/zero", environment: [:])
        }
    }
}
