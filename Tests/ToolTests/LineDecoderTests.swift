import Testing

@testable import Scanner

/// The decoder keeps the contract of the shared vectors.
struct LineDecoderTests {
    var decoder = LineDecoder()

    mutating func answer(_ line: String) -> [String: Any] {
        let bytes = Array(line.utf8)
        return CorpusCase.object(
            String(decoding: decoder.answer(to: bytes.span), as: UTF8.self))
    }

    @Test(.enabled(if: CorpusCase.isPresent, "../shared/vectors is not there"))
    func `the corpus has its formats`() {
        #expect(CorpusCase.all.count > 700)
    }

    @Test(
        .enabled(if: CorpusCase.isPresent, "../shared/vectors is not there"),
        arguments: CorpusCase.all)
    func `a case of the corpus is answered as expected`(vector: CorpusCase) {
        let answer = Mutation.answer(to: Array(vector.line.utf8))
        #expect(vector.differences(from: String(decoding: answer, as: UTF8.self)) == [])
    }

    @Test mutating func `a line of plain hexadecimal goes by its number`() {
        #expect(answer("020106")["id"] as? Int == 1)
        let event = answer("043E0F020103010605040302C103020106C4\r")
        #expect(event["id"] as? Int == 2)
        let reports = event["reports"] as? [[String: Any]] ?? []
        #expect(reports.map { $0["rssi"] as? Int } == [-60])
        #expect(reports.map { $0["address"] as? String } == ["c1:02:03:04:05:06"])
    }

    @Test(arguments: ["0", "zz", "02 01 06", "é", "[\"020106\"]"])
    mutating func `what is no hexadecimal is an error`(line: String) {
        let answer = answer(line)
        #expect(answer["status"] as? String == "error")
        #expect(answer["errors"] as? [String] == ["bad-hex"])
    }

    @Test mutating func `a broken object is an error with the line's number`() {
        _ = answer("020106")
        for (line, number) in zip(["{", #"{"id":"x""#, "{} {}", #"{"id":"\u12"}"#], 2...) {
            let answer = answer(line)
            #expect(answer["id"] as? Int == number)
            #expect(answer["status"] as? String == "error")
        }
    }

    @Test mutating func `an id is echoed, whatever it is, and so is its absence`() {
        #expect(answer(#"{"id":"a\"b","hex":"020106"}"#)["id"] as? String == "a\"b")
        #expect(answer(#"{"id":7.5,"hex":"020106"}"#)["id"] as? Double == 7.5)
        #expect(answer(#"{"hex":"020106"}"#)["id"] as? Int == 3)
    }

    @Test mutating func `a damaged piece of a sequence leaves the others`() {
        let answer = answer(
            #"""
            {"id":1,"kind":"hci-sequence","hex":["043e0f020103010605040302c103020106c4","0",7,
            "043e0f020103010605040302c103020106c5"]}
            """#.replacing("\n", with: ""))
        #expect(answer["status"] as? String == "partial")
        #expect((answer["reports"] as? [Any])?.count == 2)
    }

    @Test mutating func `keys and rules that cannot be read count as absent`() {
        let answer = answer(
            #"""
            {"hex":"020106","kind":"ad","context":{"address":"nobody","irks":{"a":"00"},
            "bthome_keys":7,"eid_keys":[7,{"label":"a"}],"rules":[{"id":"r","class":"c",
            "confidence":1,"company":"Apple"},{"id":"s","class":"d","confidence":0.5,
            "oui":"58"},7]}}
            """#.replacing("\n", with: ""))
        #expect(answer["status"] as? String == "ok")
        let reports = answer["reports"] as? [[String: Any]] ?? []
        let device = reports.first?["device"] as? [String: Any]
        #expect(device?["class"] as? String == "unknown")
    }

    /// BTHome's published example, and the Core specification's sample of a resolvable address.
    @Test mutating func `with the keys of published examples their contents are read`() {
        let sensor = answer(
            #"""
            {"hex":"0201061216d2fc41a47266c95f730011223378237214","kind":"ad","context":
            {"address":"54:48:e6:8f:80:a5","bthome_keys":{"54:48:E6:8F:80:A5":
            "231d39c1d7cc1ab1aee224cd096db932"}}}
            """#.replacing("\n", with: ""))
        let beacons = (sensor["reports"] as? [[String: Any]])?.first?["beacons"]
        let objects = (beacons as? [[String: Any]])?.first?["objects"] as? [[String: Any]]
        #expect(objects?.map { $0["value"] as? Double } == [25.06, 50.55])
        let owner = answer(
            #"""
            {"hex":"043e0c02010301aafb0d94817000c4","context":{"irks":{"x":
            "00112233445566778899aabbccddeeff","core":"ec0234a357c8ad05341010a60a397d9b"}}}
            """#.replacing("\n", with: ""))
        let reports = owner["reports"] as? [[String: Any]] ?? []
        #expect(reports.map { $0["resolved"] as? String } == ["core"])
    }

    /// Made with the openssl command: the temporary key of 0x0012, then the name of 0x00123458.
    @Test(arguments: [
        (1_193_048, 0, true), (1_193_055, 0, true), (1_193_056, 0, false), (1_193_056, 1, true),
        (1_193_047, 0, false), (1_200_000, 6_945, true), (1_200_000, 6_944, false),
    ])
    mutating func `a changing name is found within the window, and not outside it`(
        time: Int, window: Int, isFound: Bool
    ) {
        let answer = answer(
            #"""
            {"hex":"0d16aafe30ee65f0180d74211c88","kind":"ad","context":{"eid_keys":[{"label":"a",
            "identity_key":"000102030405060708090a0b0c0d0e0f","k":3,"time":\#(time),
            "window":\#(window)}]}}
            """#.replacing("\n", with: ""))
        let beacons = (answer["reports"] as? [[String: Any]])?.first?["beacons"]
        let label = (beacons as? [[String: Any]])?.first?["resolved"] as? String
        #expect(label == (isFound ? "a" : nil))
    }
}
