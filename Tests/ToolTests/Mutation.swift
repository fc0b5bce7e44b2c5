@testable import Scanner

/// Lines for the decoder that somebody has tampered with, from a seed.
struct Mutation {
    private var state: UInt64

    /// The same seed, the same lines.
    init(seed: UInt64) { state = seed }

    /// Fewer than `limit`, which is above 0.
    mutating func number(below limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }

    /// `bytes` with one to four places changed: flipped, replaced, cut out, doubled, cut off, or
    /// continued with another sample.
    mutating func tampered(_ bytes: [UInt8], with others: [[UInt8]]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...number(below: 4) where !bytes.isEmpty {
            let index = number(below: bytes.count)
            switch number(below: 8) {
            case 0, 1: bytes[index] ^= 1 << UInt8(number(below: 8))
            case 2: bytes[index] = UInt8(number(below: 256))
            case 3: bytes[index] = [0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF][number(below: 6)]
            case 4: bytes.removeSubrange(index..<min(bytes.count, index + 1 + number(below: 6)))
            case 5: bytes.insert(contentsOf: bytes[..<index].suffix(8), at: index)
            case 6: bytes.removeSubrange(index...)
            default: bytes = Array(bytes[..<index]) + others[number(below: others.count)]
            }
        }
        return bytes
    }

    /// A line of text: `line` with bytes changed that are mostly those of JSON.
    mutating func tampered(line: [UInt8]) -> [UInt8] {
        var line = line
        let likely = Array(#"{}[]",:\u0e-nt"#.utf8)
        for _ in 0...number(below: 3) where !line.isEmpty {
            let index = number(below: line.count)
            switch number(below: 4) {
            case 0: line[index] = likely[number(below: likely.count)]
            case 1: line[index] = UInt8(number(below: 256))
            case 2: line.remove(at: index)
            default: line.removeSubrange(index...)
            }
        }
        return line.filter { $0 != UInt8(ascii: "\n") }
    }

    /// What the decoder answers to a line.
    static func answer(to line: [UInt8]) -> [UInt8] {
        var decoder = LineDecoder()
        return decoder.answer(to: line.span)
    }
}
