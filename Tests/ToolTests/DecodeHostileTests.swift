import Foundation
import JSON
import Testing

@testable import Wire

/// One line in, one JSON object out, whatever the line is.
struct DecodeHostileTests {
    /// How many tampered lines to try. Set BEACONMESH_MUTATIONS=1000000 for the full run:
    /// `BEACONMESH_MUTATIONS=1000000 swift test --filter DecodeHostileTests`.
    static let count =
        ProcessInfo.processInfo.environment["BEACONMESH_MUTATIONS"].flatMap { Int($0) } ?? 50_000
    static let shares = 20

    /// Hand-made samples in all formats, an event of each kind, and the shared vectors if there.
    static let samples: [[UInt8]] = {
        let hex =
            [
                "043e0f020103010605040302c103020106c4",
                "043e130b010101060504030201c1060504030201c1b0",
                "043e2e0d010000010605040302c10101027fc3000000000000000000140201060c0947796d2054726561"
                    + "64203703031826",
                "1aff4c000215101112131415161718191a1b1c1d1e1fa8e8ffffc5",
                "1bff1801beac101112131415161718191a1b1c1d1e1f01020304c400",
                "1516aafe00ee101112131415161718191a1b1c1d1e1f", "0a16aafe10ee0367796d0741",
                "1116aafe20000bb8ff800000000900000019", "0d16aafe30ee0102030405060708",
                "1516aafe20010102030405060708090a0b0c0d0e0f10", "0e16d2fc40000902ca093a0153024869",
                "1216d2fc41a47266c95f730011223378237214",
                "1bff99040512fc5394c37c0004fffc040cac364200cdcbb8334c884f",
                "11ff990403298145ce1efc18f94202ca0b53",
                "17166ffd101112131415161718191a1b1c1d1e1f01020304",
            ] + CorpusCase.all.flatMap(\.pieces)
        return hex.compactMap(bytes)
    }()

    static func bytes(_ hex: String) -> [UInt8]? {
        let digits = hex.compactMap(\.hexDigitValue)
        guard digits.count == hex.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] * 16 + digits[$0 + 1])
        }
    }

    static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// A line with keys of all sorts around the bytes.
    static func line(_ bytes: [UInt8], kind: String) -> [UInt8] {
        let key = "231d39c1d7cc1ab1aee224cd096db932"
        return Array(
            """
            {"id":"m","kind":"\(kind)","hex":"\(hex(bytes))","context":{"address":\
            "54:48:e6:8f:80:a5","address_type":"public","irks":{"a":"\(key)"},"bthome_keys":\
            {"54:48:e6:8f:80:a5":"\(key)"},"eid_keys":[{"label":"b","identity_key":"\(key)",\
            "k":10,"time":5,"window":2048}],"rules":[{"id":"r","class":"c","confidence":0.5,\
            "company":76,"data_prefix":"02"},{"id":"s","class":"d","confidence":0.9,\
            "name_contains":"gym","service_uuid":"1826"}]}}
            """.utf8)
    }

    static func isAnswer(_ answer: [UInt8]) -> Bool {
        guard answer.last == UInt8(ascii: "\n"), !answer.dropLast().contains(UInt8(ascii: "\n"))
        else { return false }
        let json = Array(answer.dropLast())
        guard let object = try? JSONObject(document: json.span, limit: 1 << 24) else {
            return false
        }
        return ["id", "status", "errors", "reports"].allSatisfy {
            (try? object.required($0, json.span)) != nil
        }
    }

    @Test(arguments: 0..<shares) func `tampered lines are answered`(share: Int) {
        let samples = Self.samples
        var mutation = Mutation(seed: UInt64(share) + 1)
        var answers = 0
        for _ in 0..<Self.count / Self.shares {
            let sample = samples[mutation.number(below: samples.count)]
            let bytes = mutation.tampered(sample, with: samples)
            let line =
                switch mutation.number(below: 8) {
                case 0: Array(Self.hex(bytes).utf8)
                case 1: mutation.tampered(line: Self.line(bytes, kind: "ad"))
                case 2, 3: Self.line(bytes, kind: "ad")
                case 4: Self.line(bytes, kind: "hci-sequence")
                default: Self.line(bytes, kind: "hci-event")
                }
            let isAnswered = Self.isAnswer(Mutation.answer(to: line))
            answers += isAnswered ? 1 : 0
            if !isAnswered { Issue.record("\(String(decoding: line, as: UTF8.self))") }
        }
        #expect(answers == Self.count / Self.shares)
    }

    @Test func `every prefix and every flipped byte of every sample is answered`() {
        #expect(Self.samples.count >= 15)
        for sample in Self.samples {
            for index in sample.indices {
                var flipped = sample
                flipped[index] ^= 0xFF
                for bytes in [Array(sample[..<index]), flipped] {
                    let answer = Mutation.answer(to: Array(Self.hex(bytes).utf8))
                    #expect(Self.isAnswer(answer), "\(Self.hex(bytes))")
                }
            }
        }
    }
}
