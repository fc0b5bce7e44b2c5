import Testing

@testable import JSON
@testable import Wire

/// What makes a machine a node: its values become lines of files.
struct NodeBundleTests {
    private static let good = NodeBundle(
        site: "gym", node: "n-bench", host: "gym.lan", port: 8883, password: "secret-24",
        authority: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
        madeMs: 1_790_000_000_000)

    @Test func `what is written is read`() throws {
        #expect(try NodeBundle(json: Self.good.json.span) == Self.good)
        let answer = NodeBundle.Answer(request: "r1", bundle: Self.good)
        let read = try NodeBundle.Answer(json: answer.json.span)
        #expect(read.request == "r1" && read.bundle == Self.good)
        let asked = NodeBundle.Request(request: "r1", machine: "pi")
        #expect(try NodeBundle.Request(json: asked.json.span) == asked)
    }

    @Test(arguments: [
        ("site", "\"Gym\""), ("node", "\"../../etc/passwd\""), ("node", "\"a/b\""),
        ("host", "\"gym.lan\\nca: x\""), ("host", "\"\""), ("host", "\"-o\""), ("host", "\"a b\""),
        ("port", "0"), ("port", "70000"), ("port", "\"8883\""), ("password", "\"two\\nlines\""),
        ("password", "\"\""), ("ca", "\"no certificate\""),
        ("ca", "\"-----BEGIN CERTIFICATE-----\\u0000\""), ("beaconmesh", "\"node-2\""),
        ("made_ms", "-1"),
    ])
    func `hostile values are refused`(member: String, value: String) throws {
        let text = String(decoding: Self.good.json, as: UTF8.self)
        let start = try #require(text.range(of: "\"\(member)\":"))
        let rest = text[start.upperBound...]
        // The value that stands there ends before the next member, or with the object.
        let end = rest.range(of: ",\"")?.lowerBound ?? rest.index(before: rest.endIndex)
        let changed = text[..<start.upperBound] + value + text[end...]
        #expect(throws: PayloadError.self) { try NodeBundle(json: Array(changed.utf8).span) }
    }
}
