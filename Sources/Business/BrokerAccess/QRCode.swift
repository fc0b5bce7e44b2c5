/// A QR code (ISO/IEC 18004): bytes, error correction M, versions 1 to 10, the mask with the least penalty.
package struct QRCode: Equatable, Sendable {
    /// Modules a side.
    package let size: Int
    /// Row by row; `true` is dark.
    package private(set) var modules: [Bool]
    /// Modules whose place is fixed, which hold no data and are not masked.
    private var isFixed: [Bool]

    private static let codewords = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346]
    /// Of each block.
    private static let corrections = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26]
    private static let blocks = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5]
    private static let alignments = [
        [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46],
        [6, 28, 50],
    ]

    /// The code of a text's UTF-8, or `nil` if that is longer than version 10 holds, 213 bytes.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        let fitting = (1...10).first {
            bytes.count <= Self.dataCodewords($0) - ($0 < 10 ? 2 : 3)
        }
        guard let version = fitting else { return nil }
        size = 17 + 4 * version
        modules = Array(repeating: false, count: size * size)
        isFixed = modules
        drawFixed(version)
        draw(Self.interleaved(Self.data(bytes, version), version))
        // The first of those with the least penalty.
        let codes = (0..<8).map(masked)
        modules = (codes.min { $0.penalty < $1.penalty } ?? self).modules
    }

    /// Two rows a line in half blocks, for terminals that write light on dark, with the quiet zone.
    package var text: String {
        func isLight(_ x: Int, _ y: Int) -> Bool {
            guard (0..<size).contains(x), (0..<size).contains(y) else { return true }
            return !modules[y * size + x]
        }
        return stride(from: -4, to: size + 4, by: 2).map { y in
            (-4..<size + 4).map { x in
                let isBelow = y + 1 < size + 4 && isLight(x, y + 1)
                return isLight(x, y) ? isBelow ? "█" : "▀" : isBelow ? "▄" : " "
            }.joined()
        }.joined(separator: "\n")
    }

    private static func dataCodewords(_ version: Int) -> Int {
        codewords[version - 1] - corrections[version - 1] * blocks[version - 1]
    }

    /// Mode, length, bytes, and what fills the rest.
    private static func data(_ bytes: [UInt8], _ version: Int) -> [UInt8] {
        var bits: [Bool] = []
        func append(_ value: Int, _ count: Int) {
            for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
        }
        append(4, 4)
        append(bytes.count, version < 10 ? 8 : 16)
        for byte in bytes { append(Int(byte), 8) }
        let capacity = 8 * dataCodewords(version)
        append(0, min(4, capacity - bits.count))
        append(0, (8 - bits.count % 8) % 8)
        for index in 0..<(capacity - bits.count) / 8 {
            append(index.isMultiple(of: 2) ? 0xEC : 0x11, 8)
        }
        return stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        }
    }

    /// Splits the data into blocks, of which the last may be longer by one, and adds what corrects each.
    private static func interleaved(_ data: [UInt8], _ version: Int) -> [UInt8] {
        let (count, degree) = (blocks[version - 1], corrections[version - 1])
        let short = data.count / count
        let firstLong = count - data.count % count
        let divisor = generator(degree)
        var parts: [[UInt8]] = []
        var start = 0
        for index in 0..<count {
            let length = short + (index < firstLong ? 0 : 1)
            parts.append(Array(data[start..<start + length]))
            start += length
        }
        let checks = parts.map { remainder($0, divisor) }
        let woven = (0...short).flatMap { index in
            parts.compactMap { index < $0.count ? $0[index] : nil }
        }
        return woven + (0..<degree).flatMap { index in checks.map { $0[index] } }
    }

    /// In the field of 256 with x⁸ + x⁴ + x³ + x² + 1.
    private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var sum = 0
        for bit in (0..<8).reversed() {
            sum = sum << 1 ^ (sum >> 7) * 0x11D
            sum ^= Int(b >> bit & 1) * Int(a)
        }
        return UInt8(sum)
    }

    /// The product of (x − 2ⁱ) for i below `degree`, without its highest power.
    private static func generator(_ degree: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: degree - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in 0..<degree {
                result[index] = product(result[index], root)
                if index + 1 < degree { result[index] ^= result[index + 1] }
            }
            root = product(root, 2)
        }
        return result
    }

    private static func remainder(_ data: [UInt8], _ divisor: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: divisor.count)
        for byte in data {
            let factor = byte ^ result.removeFirst()
            result.append(0)
            for index in divisor.indices { result[index] ^= product(divisor[index], factor) }
        }
        return result
    }

    private mutating func fix(_ x: Int, _ y: Int, _ isDark: Bool) {
        guard (0..<size).contains(x), (0..<size).contains(y) else { return }
        modules[y * size + x] = isDark
        isFixed[y * size + x] = true
    }

    private mutating func drawFixed(_ version: Int) {
        for index in 0..<size {
            fix(6, index, index.isMultiple(of: 2))
            fix(index, 6, index.isMultiple(of: 2))
        }
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] {
            for index in 0..<81 {
                let (dx, dy) = (index % 9 - 4, index / 9 - 4)
                let ring = max(abs(dx), abs(dy))
                fix(x + dx, y + dy, ring != 2 && ring != 4)
            }
        }
        let places = Self.alignments[version - 1]
        for x in places {
            for y in places where ![[6, 6], [6, size - 7], [size - 7, 6]].contains([x, y]) {
                for index in 0..<25 {
                    let (dx, dy) = (index % 5 - 2, index / 5 - 2)
                    fix(x + dx, y + dy, max(abs(dx), abs(dy)) != 1)
                }
            }
        }
        if version >= 7 { drawVersion(version) }
        drawFormat(0)
    }

    private mutating func drawVersion(_ version: Int) {
        var rest = version
        for _ in 0..<12 { rest = rest << 1 ^ (rest >> 11) * 0x1F25 }
        let bits = version << 12 | rest
        for bit in 0..<18 {
            let (a, b) = (size - 11 + bit % 3, bit / 3)
            fix(a, b, bits >> bit & 1 == 1)
            fix(b, a, bits >> bit & 1 == 1)
        }
    }

    /// Level M is 00.
    private mutating func drawFormat(_ mask: Int) {
        var rest = mask
        for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
        let bits = (mask << 10 | rest) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0..<8 { fix(8, index < 6 ? index : index + 1, bit(index)) }
        fix(7, 8, bit(8))
        for index in 9..<15 { fix(14 - index, 8, bit(index)) }
        for index in 0..<8 { fix(size - 1 - index, 8, bit(index)) }
        for index in 8..<15 { fix(8, size - 15 + index, bit(index)) }
        fix(8, size - 8, true)
    }

    /// In columns of two from the right, up and down by turns; column 6 is left out.
    private mutating func draw(_ codewords: [UInt8]) {
        var index = 0
        for right in [Int](stride(from: size - 1, to: 6, by: -2)) + [5, 3, 1] {
            let isUp = (right + 1) & 2 == 0
            for step in 0..<size {
                let y = isUp ? size - 1 - step : step
                for x in [right, right - 1] where !isFixed[y * size + x] {
                    guard index < codewords.count * 8 else { return }
                    modules[y * size + x] = codewords[index / 8] >> (7 - index % 8) & 1 == 1
                    index += 1
                }
            }
        }
    }

    private func masked(_ mask: Int) -> QRCode {
        var code = self
        for y in 0..<size {
            for x in 0..<size where !isFixed[y * size + x] {
                let turns =
                    switch mask {
                    case 0: (x + y) % 2 == 0
                    case 1: y % 2 == 0
                    case 2: x % 3 == 0
                    case 3: (x + y) % 3 == 0
                    case 4: (x / 3 + y / 2) % 2 == 0
                    case 5: x * y % 2 + x * y % 3 == 0
                    case 6: (x * y % 2 + x * y % 3) % 2 == 0
                    default: ((x + y) % 2 + x * y % 3) % 2 == 0
                    }
                if turns { code.modules[y * size + x].toggle() }
            }
        }
        code.drawFormat(mask)
        return code
    }

    /// How hard it is to read: runs, squares, what looks like a corner, and more of one shade.
    private var penalty: Int {
        var sum = 0
        let columns = (0..<size).map { x in (0..<size).map { modules[$0 * size + x] } }
        let rows = (0..<size).map { Array(modules[$0 * size..<($0 + 1) * size]) }
        let corner = [true, false, true, true, true, false, true]
        for line in rows + columns {
            var run = 0
            for index in line.indices {
                run = index > 0 && line[index] == line[index - 1] ? run + 1 : 1
                if run >= 5 { sum += run == 5 ? 3 : 1 }
            }
            for start in 0...size - 11 {
                let part = Array(line[start..<start + 11])
                let light = [false, false, false, false]
                if part == corner + light || part == light + corner { sum += 40 }
            }
        }
        for y in 0..<size - 1 {
            for x in 0..<size - 1 {
                let square = [rows[y][x], rows[y][x + 1], rows[y + 1][x], rows[y + 1][x + 1]]
                if Set(square).count == 1 { sum += 3 }
            }
        }
        let (dark, all) = (modules.count { $0 } * 20, modules.count)
        return sum + ((abs(dark - all * 10) + all - 1) / all - 1) * 10
    }
}
