import JSON
import Testing

@testable import Wire

/// A bundle comes from a file or a network and becomes lines of files: what each fault is told as.
struct NodeBundleFaultTests {
    private static let bundle = NodeBundle(
        site: "gym", node: "n-row", host: "gym.lan", port: 8883, password: "k7m2p9xw",
        authority: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
        madeMs: 1_790_000_000_000)

    /// The members of that one, each with its value as JSON.
    private static let members: [(name: String, value: String)] = [
        ("beaconmesh", #""node-1""#), ("site", #""gym""#), ("node", #""n-row""#),
        ("host", #""gym.lan""#), ("port", "8883"), ("password", #""k7m2p9xw""#),
        ("ca", #""-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n""#),
        ("made_ms", "1790000000000"),
    ]

    private static func object(_ members: [(name: String, value: String)]) -> String {
        "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    /// That one with another value of a member; `nil`: without it.
    private static func json(_ name: String, _ value: String?) -> String {
        var members = members.filter { $0.name != name }
        if let value { members.append((name: name, value: value)) }
        return object(members)
    }

    /// Why a text is no bundle, or `nil` if it is one.
    private static func fault(_ json: String) -> PayloadError? {
        do throws(PayloadError) {
            _ = try NodeBundle(json: Array(json.utf8).span)
            return nil
        } catch {
            return error
        }
    }

    /// A JSON string of one letter.
    private static func quoted(_ letter: String, _ count: Int) -> String {
        "\"" + String(repeating: letter, count: count) + "\""
    }

    // MARK: Bundles

    @Test func `a bundle is written as files of other releases hold it`() throws {
        #expect(String(decoding: Self.bundle.json, as: UTF8.self) == Self.object(Self.members))
        let file = Self.object(Self.members) + "\n"
        #expect(try NodeBundle(json: Array(file.utf8).span) == Self.bundle)
        let more = Self.json("later", "[1,{}]")
        #expect(try NodeBundle(json: Array(more.utf8).span) == Self.bundle, "a later release's")
        var plain = Self.bundle
        plain.authority = nil
        #expect(try NodeBundle(json: plain.json.span) == plain)
        #expect(!String(decoding: plain.json, as: UTF8.self).contains("\"ca\""))
    }

    /// Values that would end a word or a line of a file, name another file, or be an option of a
    /// program.
    private static let unknown: [(name: String, value: String)] = [
        ("host", #""gym.lan\nusername: x""#), ("host", #""gym.lan\r""#), ("host", #""gym\"lan""#),
        ("host", #""gym'lan""#), ("host", #""gym\\lan""#), ("host", #""gym lan""#),
        ("host", #""-oProxyCommand""#), ("host", #""gym.lan/x""#), ("host", #""user@gym.lan""#),
        ("host", #""gym.lan?#""#), ("host", #""{gym}""#), ("host", #""gym.l\u0000an""#),
        ("host", #""gÿm.lan""#), ("host", #""""#), ("host", quoted("a", 254)),
        ("node", #""../../etc""#), ("node", #""n-row\n""#), ("node", #""N-Row""#),
        ("node", #""""#), ("node", quoted("n", 65)),
        ("site", #""gym/+""#), ("site", ##""#""##), ("site", #""""#),
        ("password", #""with blank""#), ("password", #""line\nfeed""#), ("password", #""tab\t""#),
        ("password", #""pässword""#), ("password", #""""#), ("password", quoted("p", 65)),
        ("ca", #""no certificate""#), ("ca", #""""#), ("ca", #""-----BEGIN PRIVATE KEY-----""#),
        ("ca", #""-----BEGIN CERTIFICATE-----\u0000""#),
        ("ca", #""-----BEGIN CERTIFICATE-----\u001b[2J""#),
        ("ca", #""-----BEGIN CERTIFICATE-----é""#),
        ("beaconmesh", #""node-2""#), ("beaconmesh", #""""#),
    ]

    private static let hostile: [(name: String, value: String, fault: PayloadError)] =
        unknown.map { (name: $0.name, value: $0.value, fault: .unknownValue(field: $0.name)) }
        + [
            ("port", "0", .outOfRange(field: "port")), ("port", "-1", .outOfRange(field: "port")),
            ("port", "65536", .outOfRange(field: "port")),
            ("port", "70000", .outOfRange(field: "port")),
            ("port", "8883.5", .wrongType(field: "port")),
            ("port", #""8883""#, .wrongType(field: "port")),
            ("made_ms", "-1", .outOfRange(field: "made_ms")),
            ("made_ms", "253402300800000", .outOfRange(field: "made_ms")),
            ("host", "1", .wrongType(field: "host")), ("node", "null", .wrongType(field: "node")),
            ("ca", "null", .wrongType(field: "ca")), ("ca", "[]", .wrongType(field: "ca")),
            ("beaconmesh", "1", .wrongType(field: "beaconmesh")),
        ]

    @Test func `hostile values are refused, each by its name`() {
        for (name, value, fault) in Self.hostile {
            #expect(Self.fault(Self.json(name, value)) == fault, "\(name): \(value.prefix(40))")
        }
    }

    @Test func `everything but the authority must be there`() {
        for (name, _) in Self.members {
            let fault: PayloadError? = name == "ca" ? nil : .missing(field: name)
            #expect(Self.fault(Self.json(name, nil)) == fault, "\(name)")
        }
    }

    @Test func `the list of authorities, and the whole, have a longest`() {
        let start = "-----BEGIN CERTIFICATE-----"
        func fault(_ count: Int) -> PayloadError? {
            let rest = String(repeating: "A", count: count - start.utf8.count)
            return Self.fault(Self.json("ca", "\"\(start)\(rest)\""))
        }
        #expect(fault(32 << 10) == nil)
        #expect(fault((32 << 10) + 1) == .unknownValue(field: "ca"))
        #expect(fault(NodeBundle.limit) == .oversize(limit: NodeBundle.limit))
    }

    @Test(arguments: [
        ("host", #""192.168.1.9""#), ("host", #""::1""#), ("host", #""GYM_1.lan""#),
        ("host", #""a""#), ("port", "1"), ("port", "65535"), ("made_ms", "0"),
        ("password", ##""!\"#\\~""##), ("ca", #""x\r\n-----BEGIN CERTIFICATE-----""#),
    ])
    func `what is unusual and does no harm is taken`(name: String, value: String) {
        #expect(Self.fault(Self.json(name, value)) == nil)
    }

    @Test func `values at their longest are taken`() {
        for (name, count) in [("host", 253), ("site", 64), ("node", 64), ("password", 64)] {
            #expect(Self.fault(Self.json(name, Self.quoted("a", count))) == nil, "\(name)")
        }
    }

    @Test func `a bundle that is cut off anywhere is none`() {
        let text = String(decoding: Self.bundle.json, as: UTF8.self)
        for count in 0..<text.count {
            #expect(Self.fault(String(text.prefix(count))) != nil, "\(count) characters")
        }
        #expect(Self.fault("[]") == .wrongType(field: ""))
    }

    // MARK: Requests

    @Test func `a request survives being written and read`() throws {
        for machine in ["pi", "", "Bänk 3 „oben“", String(repeating: "🏋", count: 64)] {
            let request = NodeBundle.Request(request: "00ff", machine: machine)
            #expect(try NodeBundle.Request(json: request.json.span) == request)
        }
    }

    @Test func `what a machine calls itself does no harm to a terminal`() throws {
        let request = NodeBundle.Request(request: "1", machine: "\u{1B}[2Jpi\n\u{202E}ip")
        let read = try NodeBundle.Request(json: request.json.span)
        #expect(read.machine == #"\u{1B}[2Jpi\u{A}\u{202E}ip"#)
    }

    @Test(arguments: [
        (#"{"machine":"pi"}"#, PayloadError.missing(field: "request")),
        (#"{"request":"1"}"#, .missing(field: "machine")),
        (#"{"request":"","machine":"pi"}"#, .unknownValue(field: "request")),
        (#"{"request":"a b","machine":"pi"}"#, .unknownValue(field: "request")),
        (#"{"request":"a\n","machine":"pi"}"#, .unknownValue(field: "request")),
        (#"{"request":1,"machine":"pi"}"#, .wrongType(field: "request")),
        (#"{"request":"1","machine":null}"#, .wrongType(field: "machine")),
        ("", .notJSON(offset: 0)),
    ])
    func `a request that is none is refused`(json: String, fault: PayloadError) {
        let bytes = Array(json.utf8)
        #expect(throws: fault) { try NodeBundle.Request(json: bytes.span) }
    }

    @Test(arguments: [
        (1, 65, PayloadError.outOfRange(field: "machine")),
        (65, 1, .unknownValue(field: "request")), (1, 1024, .oversize(limit: 1024)),
    ])
    func `a request that is too long is refused`(
        request: Int, machine: Int, fault: PayloadError
    ) {
        let long = NodeBundle.Request(
            request: String(repeating: "r", count: request),
            machine: String(repeating: "m", count: machine))
        let bytes = long.json
        #expect(throws: fault) { try NodeBundle.Request(json: bytes.span) }
    }

    // MARK: Answers

    @Test func `an answer survives at its longest`() throws {
        var bundle = Self.bundle
        let start = "-----BEGIN CERTIFICATE-----\n"
        bundle.authority = start + String(repeating: "A", count: (32 << 10) - start.utf8.count)
        let request = String(repeating: "r", count: 64)
        let answer = NodeBundle.Answer(request: request, bundle: bundle)
        let read = try NodeBundle.Answer(json: answer.json.span)
        #expect(read.request == request)
        #expect(read.bundle == bundle)
    }

    @Test func `an answer with a hostile bundle is refused like the bundle`() {
        for (name, value, fault) in Self.hostile {
            let bytes = Array("{\"request\":\"1\",\"bundle\":\(Self.json(name, value))}".utf8)
            #expect(throws: fault, "\(name): \(value.prefix(40))") {
                try NodeBundle.Answer(json: bytes.span)
            }
        }
    }

    @Test(arguments: [
        (#"{"bundle":{}}"#, PayloadError.missing(field: "request")),
        (#"{"request":"1"}"#, .missing(field: "bundle")),
        (#"{"request":"a b","bundle":{}}"#, .unknownValue(field: "request")),
        (#"{"request":"1","bundle":1}"#, .wrongType(field: "")),
        (#"{"request":"1","bundle":null}"#, .wrongType(field: "")),
        (#"{"request":"1","bundle":{}}"#, .missing(field: "beaconmesh")),
    ])
    func `an answer that is none is refused`(json: String, fault: PayloadError) {
        let bytes = Array(json.utf8)
        #expect(throws: fault) { try NodeBundle.Answer(json: bytes.span) }
    }
}
