import CZlib
import Foundation
import Platform
import Testing

/// Pictures that somebody hands in: what is read of them, what is written, and what is refused.
struct PictureTests {
    /// A PNG, made by hand.
    private struct PNG {
        var width = 3
        var height = 2
        /// 8 bits of red, green, blue.
        var kind: [UInt8] = [8, 2, 0, 0, 0]
        var channels = 3
        /// The way of each line.
        var ways: [UInt8] = [0, 0]
        var more: [(String, [UInt8])] = []
        var unpacked: [UInt8]?

        private static func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
            let named = Array(kind.utf8) + data
            let sum = crc32(0, named, UInt32(named.count))
            return bytes(data.count) + named + bytes(Int(sum))
        }

        private static func bytes(_ number: Int) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }

        var bytes: [UInt8] {
            let lines =
                unpacked
                ?? (0..<height).flatMap { line in
                    let pixels = (0..<width * channels).map { UInt8(($0 * 40 + line * 7) % 256) }
                    return [ways[line]] + pixels
                }
            var count = compressBound(UInt(lines.count))
            var packed = [UInt8](repeating: 0, count: Int(count))
            #expect(compress2(&packed, &count, lines, UInt(lines.count), 9) == Z_OK)
            var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            file += Self.chunk("IHDR", Self.bytes(width) + Self.bytes(height) + kind)
            for (kind, data) in more { file += Self.chunk(kind, data) }
            file += Self.chunk("IDAT", Array(packed.prefix(Int(count))))
            return file + Self.chunk("IEND", [])
        }
    }

    @Test func `what it writes it reads, pixel for pixel`() throws {
        var generator = SystemRandomNumberGenerator()
        for (width, height) in [(1, 1), (7, 5), (64, 3), (300, 200)] {
            let pixels = (0..<width * height * 3).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let picture = Picture(width: width, height: height, pixels: pixels)
            #expect(try Picture(png: picture.png) == picture)
        }
    }

    @Test func `lines packed in any way are the lines`() throws {
        let plain = try Picture(png: PNG().bytes)
        // The same pixels, packed by each way of PNG.
        for way in UInt8(0)...4 {
            var lines: [UInt8] = []
            for line in 0..<2 {
                lines.append(way)
                let own = Array(plain.pixels[line * 9..<line * 9 + 9])
                let above =
                    line == 0 ? [UInt8](repeating: 0, count: 9) : Array(plain.pixels[0..<9])
                for index in own.indices {
                    let a: UInt8 = index < 3 ? 0 : own[index - 3]
                    let b: UInt8 = above[index]
                    let c: UInt8 = index < 3 ? 0 : above[index - 3]
                    let sum = Int(a) + Int(b) - Int(c)
                    // The first of those that are equally near.
                    var nearest = a
                    for one in [b, c] where abs(sum - Int(one)) < abs(sum - Int(nearest)) {
                        nearest = one
                    }
                    let guesses: [UInt8] = [0, a, b, UInt8((Int(a) + Int(b)) / 2), nearest]
                    lines.append(own[index] &- guesses[Int(way)])
                }
            }
            #expect(try Picture(png: PNG(unpacked: lines).bytes) == plain, "way \(way)")
        }
    }

    @Test func `what is not opaque lies on white, and grey is grey`() throws {
        let grey = PNG(
            width: 2, height: 1, kind: [8, 4, 0, 0, 0], channels: 2,
            unpacked: [0, 100, 255, 100, 0])
        #expect(try Picture(png: grey.bytes).pixels == [100, 100, 100, 255, 255, 255])
    }

    @Test func `where it was taken and what else is in it goes`() throws {
        let place = Array("Exif 52.52 N, <script>alert(1)</script>".utf8)
        let told = PNG(more: [("eXIf", place), ("tEXt", place), ("svGx", place)]).bytes
        let kept = try Picture(png: told).png
        #expect(Data(told).range(of: Data("Exif".utf8)) != nil)
        #expect(Data(kept).range(of: Data("Exif".utf8)) == nil)
        #expect(Data(kept).range(of: Data("script".utf8)) == nil)
        #expect(try Picture(png: kept) == Picture(png: PNG().bytes))
    }

    @Test func `what is no such picture is refused`() throws {
        let whole = PNG().bytes
        #expect(throws: Picture.Fault.notPNG) { try Picture(png: Array("<svg onload=a()>".utf8)) }
        #expect(throws: Picture.Fault.notPNG) { try Picture(png: [0xFF, 0xD8, 0xFF, 0xE1]) }
        #expect(throws: Picture.Fault.size(width: 2049, height: 1)) {
            try Picture(png: PNG(width: 2049, height: 1, ways: [0]).bytes)
        }
        #expect(throws: Picture.Fault.size(width: 0, height: 2)) {
            try Picture(png: PNG(width: 0, unpacked: [0, 0]).bytes)
        }
        for kind in [[8, 3, 0, 0, 0], [16, 2, 0, 0, 0], [8, 2, 0, 0, 1], [8, 2, 1, 0, 0]]
            as [[UInt8]]
        {
            #expect(throws: Picture.Fault.kind) { try Picture(png: PNG(kind: kind).bytes) }
        }
        // A bomb: little that becomes much more than its size says; and too little.
        for lines in [[UInt8](repeating: 0, count: 50_000_000), [0, 1, 2]] {
            #expect(throws: Picture.Fault.damaged) { try Picture(png: PNG(unpacked: lines).bytes) }
        }
        #expect(throws: Picture.Fault.damaged) { try Picture(png: PNG(ways: [5, 0]).bytes) }
        #expect(throws: Picture.Fault.damaged) {
            try Picture(png: PNG(more: [("IHDR", Array(repeating: 0, count: 13))]).bytes)
        }
        for length in whole.indices {
            #expect(throws: Picture.Fault.self) { try Picture(png: Array(whole.prefix(length))) }
        }
        for index in whole.indices.dropFirst(8) {
            var wrong = whole
            wrong[index] ^= 0x10
            #expect(throws: Picture.Fault.self, "byte \(index)") { try Picture(png: wrong) }
        }
    }
}
