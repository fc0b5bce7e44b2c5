import JSON
import Testing

@testable import SiteModel
@testable import Wire

/// What is written is read again as it was, and written again as it was.
struct PayloadTests {
    let boot: UInt64 = 0x00C0_FFEE_1234_5678

    @Test(arguments: PayloadKind.allCases)
    func `the writer writes what the example holds`(kind: PayloadKind) throws {
        let bytes = try Examples.asWritten(kind)
        #expect(try rewritten(kind.type, bytes) == bytes)
    }

    @Test(arguments: PayloadKind.allCases)
    func `a payload survives being written and read`(kind: PayloadKind) throws {
        for example in try Examples.good(kind) {
            #expect(try survives(kind.type, example.bytes), "\(example.name)")
        }
    }

    @Test func `an optional key that is absent stays absent`() throws {
        let status = NodeStatusPayload(state: .offline, boot: boot)
        #expect(text(status) == #"{"state":"offline","boot":"00c0ffee12345678"}"#)
        let request = RequestPayload(id: "1", args: .init())
        #expect(text(request) == #"{"id":"1","args":{}}"#)
    }

    @Test func `a key that may be null is written as null`() {
        let room = RoomStatePayload(tMs: 5, count: nil)
        #expect(text(room) == #"{"t_ms":5,"count":null}"#)
    }

    @Test func `a frame's rows are read by position`() throws {
        let json = #"{"r":[["tag-1",-61.5,10,-58]],"t_ms":7,"seq":3,"boot":"00c0ffee12345678"}"#
        let frame = try FramePayload(json: Array(json.utf8).span)
        let entry = FramePayload.Entry(beacon: "tag-1", median: -61.5, count: 10, strongest: -58)
        #expect(frame == FramePayload(boot: boot, seq: 3, tMs: 7, r: [entry]))
    }

    @Test func `levels are written in tenths`() {
        let reading = RSSIPayload(
            boot: boot, seq: 1, tMs: 2, rssi: -67.449_9, n: 3, sd: 0.25, raw: -0.04, tx: -59)
        #expect(
            text(reading)
                == #"{"boot":"00c0ffee12345678","seq":1,"t_ms":2,"rssi":-67.4,"n":3,"sd":0.25,"#
                + #""raw":0,"tx":-59}"#)
    }

    @Test func `as many beacons as a configuration may name fit its limit`() throws {
        let name = try #require(ShortText([UInt8](repeating: 0x7A, count: 30)))
        let beacons = (0..<NodeConfigurationPayload.mostBeacons).map {
            NodeConfigurationPayload.Beacon(
                id: slug($0, length: 64), identity: .name(name), thresholdDBm: -100.123_456)
        }
        let configuration = NodeConfigurationPayload(
            rev: 1, profile: .sparse, publishUnregistered: false, maxRangeM: 30, beacons: beacons,
            allow: Array(repeating: .name(name), count: NodePolicy.mostRules))
        #expect(configuration.json.count <= NodeConfigurationPayload.limit)
        #expect(try NodeConfigurationPayload(json: configuration.json.span) == configuration)
    }

    @Test func `as many rows as a frame may have fit its limit`() throws {
        let entries = (0..<FramePayload.mostEntries).map {
            FramePayload.Entry(
                beacon: slug($0, length: 39), median: -100.5,
                count: 100, strongest: -100.5)
        }
        let frame = FramePayload(boot: .max, seq: 1, tMs: 1, r: entries)
        #expect(frame.json.count <= FramePayload.limit, "\(frame.json.count) bytes")
        #expect(try FramePayload(json: frame.json.span) == frame)
    }

    @Test(arguments: [
        (#"{"state":"online"}"#, PayloadError.missing(field: "boot"), "missing-field"),
        (#"{"state":1,"boot":"00c0ffee12345678"}"#, .wrongType(field: "state"), "wrong-type"),
        (
            #"{"state":"up","boot":"00c0ffee12345678"}"#, .unknownValue(field: "state"),
            "unknown-value"
        ),
        (
            #"{"state":"online","boot":"00c0ffee12345678","since_ms":-1}"#,
            .outOfRange(field: "since_ms"), "out-of-range"
        ),
        (#"{"state":"online" "boot"}"#, .notJSON(offset: 18), "not-json"),
        ("[]", .wrongType(field: ""), "wrong-type"),
        (#"{"a":1e999}"#, .unreadableNumber(offset: 5), "unreadable-number"),
        (
            String(repeating: "[", count: 17) + String(repeating: "]", count: 17),
            .tooDeep(offset: 16), "too-deep"
        ),
        (String(repeating: " ", count: 8193), .oversize(limit: 8192), "oversize"),
    ])
    func `an error says what and where`(json: String, error: PayloadError, reason: String) {
        #expect(PayloadKind.nodeStatus.complaint(Array(json.utf8)) == error)
        #expect(error.reason == reason)
    }

    @Test func `bytes that are no UTF-8 are located`() {
        let bytes = Array(#"{"a":""#.utf8) + [0xC3] + Array(#""}"#.utf8)
        #expect(PayloadKind.nodeStatus.complaint(bytes) == .notJSON(offset: 6))
    }

    /// A slug with a number in it.
    private func slug(_ number: Int, length: Int) -> String {
        String((String(repeating: "x", count: length) + "\(number)").suffix(length))
    }

    private func text(_ payload: some Payload) -> String {
        String(decoding: payload.json, as: UTF8.self)
    }

    private func rewritten<P: Payload>(_ type: P.Type, _ bytes: [UInt8]) throws -> [UInt8] {
        try P(json: bytes.span).json
    }

    private func survives<P: Payload>(_ type: P.Type, _ bytes: [UInt8]) throws -> Bool {
        let payload = try P(json: bytes.span)
        return try P(json: payload.json.span) == payload
    }
}
