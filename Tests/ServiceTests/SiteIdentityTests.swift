@testable import Registry
import Foundation
import Testing

@testable import CoordinatorService
@testable import Settings
@testable import SiteModel

/// What a beacon is recognised by, as a site's file says it, and the keys of a node.
struct SiteIdentityTests {
    static let uuid = Identity.Bytes16(high: 0, low: 1)
    static let hex = "00000000000000000000000000000001"

    private func site(_ rest: String) throws(SettingsError) -> SiteFile {
        try SiteFile(text: "site: {id: a}\nrooms: [{id: r}]\n\(rest)\n", named: "site.yaml")
    }

    private func faults(_ rest: String) -> [String] {
        do {
            _ = try site(rest)
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    @Test(arguments: [
        ("{uuid: \(hex)}", "ib-\(hex)"), ("{uuid: \(hex), major: 7}", "ib-\(hex)-7"),
        ("{uuid: \(hex), major: 7, minor: 8}", "ib-\(hex)-7-8"),
        ("{uuid: \(hex.dropLast())X, major: 7, minor: 8}", "ib-\(hex.dropLast())x-7-8"),
        ("{uuid: \(hex), major: 7, rolling: true}", "ib-\(hex)-7"),
        (
            "{uuid: \(hex), major: 7, minor: 0x1200, minor_mask: 0xff00}",
            "ibm-\(hex)-00000013-0102xxxx"
        ),
        ("{uuid: \(hex), minor: 1}", "ibm-\(hex)-xxxxxxxx-00000001"),
        ("{uuid: \(hex), major: 2, major_mask: 3}", "ibm-\(hex)-xxxxxxx2-xxxxxxxx"),
        ("{namespace: 00112233445566778899}", "eu-00112233445566778899"),
        (
            "{namespace: 00112233445566778899, instance: aabbccddeeff}",
            "eu-00112233445566778899-aabbccddeeff"
        ),
        ("{address: \"C0:FF:EE:12:34:56\"}", "mac-c0ffee123456"),
        ("{name: \"Tag *\"}", "nm-546167202a"), ("{irk: mary-watch}", "irk-mary-watch"),
        ("{irk: 0a1b2c3d}", "irk-0a1b2c3d"), ("{eid: tag-7}", "eid-tag-7"),
        ("ib-\(hex)", "ib-\(hex)"),
        // As makers print it.
        ("\"C4:A7:F1:0B:33:21\"", "mac-c4a7f10b3321"),
        ("C4-A7-F1-0B-33-21", "mac-c4a7f10b3321"), ("C4A7F10B3321", "mac-c4a7f10b3321"),
        ("MAC-C4A7F10B3321", "mac-c4a7f10b3321"),
        (
            "\"F7826DA6-4FA2-4E98-8024-BC5B71E0893E 1/2\"",
            "ib-f7826da64fa24e988024bc5b71e0893e-1-2"
        ),
        (
            "ib-f7826da6-4fa2-4e98-8024-bc5b71e0893x-1-2",
            "ib-f7826da64fa24e988024bc5b71e0893x-1-2"
        ), ("F7826DA64FA24E988024BC5B71E0893E", "ib-f7826da64fa24e988024bc5b71e0893e"),
    ])
    func `an identity in words is the one in text`(words: String, text: String) throws {
        let document = try site("beacons: [{id: b, identity: \(words)}]").document
        #expect(document.beacons.map(\.identity.text) == [text])
    }

    @Test func `a threshold and what is allowed are taken as given`() throws {
        let document = try site(
            """
            beacons: [{id: b, identity: mac-c0ffee123456, threshold_dbm: -55.5}, {id: c, identity: nm-54}]
            allow:
              - {identity: {uuid: \(Self.hex)}}
              - {identity: eu-00112233445566778899}
            """
        ).document
        #expect(document.beacons.map(\.threshold) == [RSSI(dBm: -55.5), nil])
        #expect(
            document.policy.allowed
                == [
                    .region(uuid: Self.uuid, major: .any, minor: .any),
                    Identity(text: "eu-00112233445566778899"),
                ].compactMap(\.self))
        #expect(try site("").document.policy.allowed == nil)
    }

    @Test func `rules that contradict each other have their lines`() {
        #expect(
            faults(
                """
                beacons:
                  - {id: all, identity: {uuid: \(Self.hex)}}
                  - {id: own, identity: {uuid: \(Self.hex), major: 1, minor: 1}}
                  - {id: part, identity: {uuid: \(Self.hex), minor: 1}}
                  - {id: t, identity: {name: "T*"}, threshold_dbm: 21}
                  - {id: tag, identity: {name: "Tag*"}}
                  - {id: irk-mary, identity: {irk: mary}}
                allow:
                  - {identity: {name: "T*"}}
                  - {identity: {name: "Tag*"}}
                """)
                == [
                    "site.yaml:6: beacons[2].identity: could never be heard: beacon \"all\" comes"
                        + " first and takes all of it",
                    "site.yaml:7: beacons[3].threshold_dbm: expected a number from -127 to 20, got"
                        + " \"21\"",
                    "site.yaml:8: beacons[4].identity: could never be heard: beacon \"t\" comes"
                        + " first and takes all of it",
                    "site.yaml:12: allow[1].identity: is allowed already",
                ])
        #expect(faults("allow: []").count == 1)
    }

    @Test func `a digit that changes is no other beacon's either`() {
        let (free, fixed) = ("ib-\(Self.hex.dropLast())x-1-2", "ib-\(Self.hex)-1-2")
        for (first, second) in [(free, fixed), (fixed, free), (free, free)] {
            let text = "beacons: [{id: a, identity: \(first)}, {id: b, identity: \(second)}]"
            #expect(faults(text).count == 1, "\(first) \(second)")
        }
        let other = "ib-\(Self.hex)-1-3"
        #expect(faults("beacons: [{id: a, identity: \(free)}, {id: b, identity: \(other)}]") == [])
    }

    @Test func `a digit that changes needs both numbers, and is the last one`() {
        let stem = Self.hex.dropLast()
        for words in [
            "{uuid: \(stem)x, major: 1}", "{uuid: \(stem)x}",
            "{uuid: \(stem)x, major: 1, rolling: true}",
            "{uuid: \(stem)x, major: 1, minor: 2, minor_mask: 3}",
            "{uuid: \(stem)xx, major: 1, minor: 2}",
            "{uuid: x\(stem), major: 1, minor: 2}", "ib-\(stem)x-1",
        ] {
            #expect(faults("beacons: [{id: b, identity: \(words)}]").count == 1, "\(words)")
        }
    }
}

/// Keys stay in the node's own file, which only its owner may read.
struct NodeKeysTests {
    private func check(
        _ text: String, keys: String? = nil, mode: Int = 0o600
    ) throws -> (code: Int32, text: String) {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("node-keys-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: directory) }
        for (name, text) in [("node.yaml", text), ("keys.yaml", keys)] {
            guard let text else { continue }
            let file = directory.appendingPathComponent(name)
            let head = name == "node.yaml" ? Self.head : ""
            try Data((head + text).utf8).write(to: file)
            try FileManager.default.setAttributes(
                [.posixPermissions: mode], ofItemAtPath: file.path)
        }
        return try NodeExampleTests().check(
            directory.appendingPathComponent("node.yaml").path)
    }

    private static let head = "node: n\nsite: s\nradio: hci:hci0\nbroker: {username: n}\n"
    private static let irk = "irk: [{id: mary, key: 000102030405060708090a0b0c0d0e0f}]"
    private static let eid =
        "eid: [{id: tag, key: 000102030405060708090A0B0C0D0E0F, exponent: 10, zero_s: 1700000000}]"

    @Test func `the check tells what each key is called elsewhere, and never the key`() throws {
        for (text, keys) in [
            ("keys: {\(Self.irk), \(Self.eid)}\n", nil),
            ("keys_file: keys.yaml\n", "\(Self.irk)\n\(Self.eid)\n"),
        ] {
            let (code, text) = try check(text, keys: keys)
            #expect(code == 0)
            #expect(text.contains("key mary is irk-8037f062"), "\(text)")
            #expect(text.contains("key tag is eid-cf8f81e0"), "\(text)")
            #expect(!text.contains("0405060708"))
        }
    }

    @Test func `keys that others may read are refused`() throws {
        for (text, keys, key) in [
            ("keys: {\(Self.irk)}\n", nil, "keys: "),
            ("keys_file: keys.yaml\n", "\(Self.irk)\n", "keys_file: "),
        ] {
            let (code, text) = try check(text, keys: keys, mode: 0o640)
            #expect(code == 78)
            #expect(text.contains(key) && text.contains("others may read"), "\(text)")
        }
        let (code, text) = try check("keys_file: keys.yaml\nkeys: {}\n", keys: Self.irk)
        #expect(code == 78 && text.contains("keys_file: there are keys in this file already"))
    }

    @Test(arguments: [
        ("{irk: [{id: a, key: 0102}]}", "keys.irk[0].key: expected 32 hexadecimal digits"),
        (
            "{irk: [{id: a, key: 0001020304050607:8090a0b0c0d0e0f}]}",
            "keys.irk[0].key: expected 32 hexadecimal digits"
        ),
        (
            "{irk: [{id: a, key: \"00000000000000000000000000000000\"}]}",
            "keys.irk[0].key: is zero, which stands for no key"
        ),
        (
            "{irk: [{id: 0a1b2c3d, key: 000102030405060708090a0b0c0d0e0f}]}",
            "keys.irk[0].id: expected 1 to 28 of a-z, 0-9 and -, but not eight hexadecimal digits"
        ),
        (
            "{irk: [{id: a, key: 000102030405060708090a0b0c0d0e0f},"
                + " {id: a, key: 000102030405060708090a0b0c0d0e0e}]}",
            "keys.irk[1].id: \"a\" is given twice"
        ),
        (
            "{irk: [{id: a, key: 000102030405060708090a0b0c0d0e0f},"
                + " {id: b, key: 000102030405060708090A0B0C0D0E0F}]}",
            "keys.irk[1].key: is given twice"
        ),
        (
            "{eid: [{id: a, key: 000102030405060708090a0b0c0d0e0f, exponent: 16, zero_s: 0}]}",
            "keys.eid[0].exponent: expected a whole number from 0 to 15"
        ),
        (
            "{eid: [{id: a, key: 000102030405060708090a0b0c0d0e0f, exponent: 1, zero_s: 0,"
                + " window_s: 65}]}",
            "keys.eid[0].window_s: expected a whole number from 0 to 64"
        ),
        (
            "{eid: [{id: a, key: 000102030405060708090a0b0c0d0e0f}]}",
            "keys.eid[0].zero_s: missing, expected a whole number"
        ),
    ])
    func `a faulty key is named and not repeated`(keys: String, fault: String) throws {
        let (code, text) = try check("keys: \(keys)\n")
        #expect(code == 78)
        #expect(text.contains(fault), "\(text)")
        #expect(!text.contains("000102030405"))
    }

    @Test func `what a node alone allows is read before it was told more`() throws {
        #expect(try check("allow: [{identity: nm-2a}]\n").code == 0)
        let (code, text) = try check("allow: [{identity: mary}, {identity: nm-2a}]\n")
        #expect(code == 78 && text.contains("allow[0].identity: expected an identity"), "\(text)")
    }
}
