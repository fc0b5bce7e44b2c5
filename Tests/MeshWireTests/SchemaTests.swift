import Foundation
import Testing

@testable import Wire

/// The decoders give the verdict of `schemas/`, and no bytes are too bad for them. The other half
/// of the comparison is `Tests/schemas/check.py`.
struct SchemaTests {
    @Test(arguments: PayloadKind.allCases)
    func `every example gets the verdict in its name`(kind: PayloadKind) throws {
        let examples = try Examples.all(kind)
        #expect(examples.count { $0.isGood } >= 2)
        #expect(examples.count { !$0.isGood } >= 5)
        for example in examples {
            let complaint = kind.complaint(example.bytes)
            #expect((complaint == nil) == example.isGood, "\(example.name): \(complaint as Any)")
        }
    }

    @Test(
        .enabled(
            if: Examples.hasMutants, "run Tests/schemas/check.py first: it writes the mutants"),
        arguments: PayloadKind.allCases)
    func `a mutant gets the verdict of a JSON Schema validator`(kind: PayloadKind) throws {
        let mutants = try Examples.mutants(kind)
        #expect(mutants.count > 100)
        var disagreements = 0
        for mutant in mutants {
            let complaint = kind.complaint(mutant.bytes)
            guard (complaint == nil) != mutant.isGood, disagreements < 5 else { continue }
            disagreements += 1
            let text = String(decoding: mutant.bytes.prefix(400), as: UTF8.self)
            Issue.record("is \(mutant.name), we say \(complaint as Any): \(text)")
        }
    }

    @Test func `there is a schema for each kind and no other`() throws {
        let directory = Examples.root.appending(path: "schemas")
        let files = try FileManager.default.contentsOfDirectory(
            atPath: directory.path(percentEncoded: false))
        let stems = files.filter { $0.hasSuffix(".v1.json") }.map { String($0.dropLast(8)) }
        #expect(Set(stems) == Set(PayloadKind.allCases.map(\.rawValue)))
    }

    @Test(arguments: PayloadKind.allCases)
    func `the limit in bytes is the schema's`(kind: PayloadKind) throws {
        let file = Examples.root.appending(path: "schemas/\(kind.rawValue).v1.json")
        let schema = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        #expect((schema as? [String: Any])?["x-limit-bytes"] as? Int == kind.type.limit)
    }

    @Test(arguments: PayloadKind.allCases)
    func `a payload may be as long as its limit and no longer`(kind: PayloadKind) throws {
        var bytes = try Examples.asWritten(kind)
        let limit = kind.type.limit
        bytes += [UInt8](repeating: 0x20, count: limit - bytes.count)
        #expect(kind.complaint(bytes) == nil)
        #expect(kind.complaint(bytes + [0x20]) == .oversize(limit: limit))
    }

    @Test(arguments: PayloadKind.allCases)
    func `every truncation is refused`(kind: PayloadKind) throws {
        for example in try Examples.good(kind) where example.bytes.count < 2000 {
            let end = (example.bytes.lastIndex(of: UInt8(ascii: "}")) ?? 0)
            for length in 0...end {
                #expect(kind.complaint(Array(example.bytes.prefix(length))) != nil)
            }
        }
    }

    @Test(arguments: PayloadKind.allCases)
    func `ten thousand damaged payloads are judged`(kind: PayloadKind) throws {
        let seed: UInt64 = 7
        var random = SeededRandom(seed: seed)
        let originals = try Examples.good(kind).map(\.bytes).filter { $0.count < 2000 }
        var refused = 0
        for _ in 0..<10_000 {
            var bytes = originals[Int.random(in: 0..<originals.count, using: &random)]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.insert(UInt8.random(in: 0...127, using: &random), at: place)
                default: bytes.remove(at: place)
                }
            }
            if kind.complaint(bytes) != nil { refused += 1 }
        }
        // Damage inside a title is no fault, damage to everything else is.
        #expect((1_000...9_999).contains(refused), "\(refused) refused, seed \(seed)")
    }
}
