import CZlib

/// A picture of 8-bit red, green and blue, read from a PNG of somebody and written as one of ours, in which pixels are and
/// nothing else: neither where it was taken, nor what a program could mistake for one.
///
/// PNG is ISO/IEC 15948. Only what browsers write is read: 8 bits a channel, no palette, not interlaced.
package struct Picture: Equatable, Sendable {
    /// Why it is refused.
    package enum Fault: Error, Hashable, CustomStringConvertible {
        case notPNG
        /// What of PNG is not read.
        case kind
        case size(width: Int, height: Int)
        case damaged

        package var description: String {
            switch self {
            case .notPNG: "no PNG"
            case .kind: "a PNG with a palette, interlaced, or not of 8 bits a channel"
            case .size(let width, let height):
                "\(width) × \(height) pixels, at most \(Picture.mostSide) a side"
            case .damaged: "a damaged PNG"
            }
        }
    }

    /// The most pixels of a side: a plan is read at that, and all its pixels are 12 MB.
    package static let mostSide = 2048
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// Bytes of a pixel by the colour type of a PNG: grey, red-green-blue, each without and with how opaque it is.
    private static let channels: [UInt8: Int] = [0: 1, 2: 3, 4: 2, 6: 4]

    /// Pixels a line, 1 to `mostSide`.
    package let width: Int
    /// Lines, 1 to `mostSide`.
    package let height: Int
    /// Red, green and blue of each pixel, line by line from the top.
    package let pixels: [UInt8]

    package init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(pixels.count == width * height * 3)
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// Reads a PNG. What is not opaque lies on white. Nothing is unpacked beyond what its size says.
    package init(png: [UInt8]) throws(Fault) {
        guard png.starts(with: Self.signature) else { throw .notPNG }
        var header: [UInt8]?
        var packed: [UInt8] = []
        var position = Self.signature.count
        var isWhole = false
        while !isWhole {
            let (kind, data) = try Self.chunk(of: png, at: &position)
            switch kind {
            case "IHDR" where header == nil && data.count == 13: header = Array(data)
            case "IHDR": throw .damaged
            case "IDAT": packed += data
            case "IEND": isWhole = true
            default: break
            }
            guard header != nil else { throw .damaged }
        }
        guard let header else { throw .damaged }
        let (width, height) = (Self.number(header[0..<4]), Self.number(header[4..<8]))
        let sides = 1...Self.mostSide
        guard sides.contains(width), sides.contains(height) else {
            throw .size(width: width, height: height)
        }
        guard header[8] == 8, let channels = Self.channels[header[9]], header[10...] == [0, 0, 0]
        else { throw .kind }
        let length = width * channels
        var lines = [UInt8](repeating: 0, count: (length + 1) * height)
        var count = UInt(lines.count)
        guard uncompress(&lines, &count, packed, UInt(packed.count)) == Z_OK, count == lines.count
        else { throw .damaged }
        guard Self.restore(&lines, length: length, step: channels) else { throw .damaged }
        self.init(
            width: width, height: height,
            pixels: Self.colours(lines, length: length, channels: channels, count: width * height))
    }

    /// A PNG of it.
    package var png: [UInt8] {
        let length = width * 3
        var lines: [UInt8] = []
        lines.reserveCapacity((length + 1) * height)
        for line in 0..<height {
            let own = pixels[line * length..<(line + 1) * length]
            let left = [0, 0, 0] + own.dropLast(3)
            let above =
                line == 0
                ? [UInt8](repeating: 0, count: length)
                : Array(pixels[(line - 1) * length..<line * length])
            // As it is, less its left or less its upper neighbour: what is nearest to nothing packs shortest.
            let ways = [
                Array(own), zip(own, left).map { $0 &- $1 }, zip(own, above).map { $0 &- $1 },
            ]
            let sums = ways.map { $0.reduce(0) { $0 + min(Int($1), 256 - Int($1)) } }
            let best = sums.firstIndex(of: sums.min() ?? 0) ?? 0
            lines.append(UInt8(best))
            lines += ways[best]
        }
        var count = compressBound(UInt(lines.count))
        var packed = [UInt8](repeating: 0, count: Int(count))
        // It fails for lack of memory or of room, and there is as much as it may need.
        guard compress2(&packed, &count, lines, UInt(lines.count), 6) == Z_OK else { return [] }
        let header = Self.bytes(width) + Self.bytes(height) + [8, 2, 0, 0, 0]
        return Self.signature + Self.chunk("IHDR", header)
            + Self.chunk("IDAT", packed.prefix(Int(count))) + Self.chunk("IEND", [])
    }

    /// The next chunk, whose sum is right.
    private static func chunk(
        of png: [UInt8], at position: inout Int
    ) throws(Fault) -> (kind: String, data: ArraySlice<UInt8>) {
        guard png.count - position >= 12 else { throw .damaged }
        let count = number(png[position..<position + 4])
        guard count <= png.count - position - 12 else { throw .damaged }
        let named = png[position + 4..<position + 8 + count]
        guard sum(named) == number(png[position + 8 + count..<position + 12 + count]) else {
            throw .damaged
        }
        position += 12 + count
        return (String(decoding: named.prefix(4), as: UTF8.self), named.dropFirst(4))
    }

    private static func chunk(_ kind: String, _ data: some Collection<UInt8>) -> [UInt8] {
        let named = Array(kind.utf8) + data
        return bytes(data.count) + named + bytes(sum(named[...]))
    }

    private static func sum(_ bytes: ArraySlice<UInt8>) -> Int {
        let bytes = Array(bytes)
        return Int(crc32(0, bytes, UInt32(bytes.count)))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    private static func bytes(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// Undoes what PNG does to lines before it packs them. Whether each is one of its five ways.
    private static func restore(_ lines: inout [UInt8], length: Int, step: Int) -> Bool {
        let stride = length + 1
        for line in 0..<lines.count / stride {
            let start = line * stride
            let way = lines[start]
            guard way <= 4 else { return false }
            guard way > 0 else { continue }
            for index in start + 1..<start + stride {
                let isFirst = index - start <= step
                let left = isFirst ? 0 : lines[index - step]
                let above = line == 0 ? 0 : lines[index - stride]
                let beyond = isFirst || line == 0 ? 0 : lines[index - stride - step]
                let guess: UInt8 =
                    switch way {
                    case 1: left
                    case 2: above
                    case 3: UInt8((Int(left) + Int(above)) / 2)
                    default: paeth(left, above, beyond)
                    }
                lines[index] &+= guess
            }
        }
        return true
    }

    /// Which of three neighbours is nearest to left + above − beyond (ISO/IEC 15948, 9.4).
    private static func paeth(_ left: UInt8, _ above: UInt8, _ beyond: UInt8) -> UInt8 {
        let guess = Int(left) + Int(above) - Int(beyond)
        let far = (abs(guess - Int(left)), abs(guess - Int(above)), abs(guess - Int(beyond)))
        if far.0 <= far.1, far.0 <= far.2 { return left }
        return far.1 <= far.2 ? above : beyond
    }

    private static func colours(
        _ lines: [UInt8], length: Int, channels: Int, count: Int
    ) -> [UInt8] {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(count * 3)
        for start in Swift.stride(from: 1, to: lines.count, by: length + 1) {
            for pixel in Swift.stride(from: start, to: start + length, by: channels) {
                let opacity = channels % 2 == 0 ? Int(lines[pixel + channels - 1]) : 255
                for colour in 0..<3 {
                    let value = Int(lines[channels > 2 ? pixel + colour : pixel])
                    pixels.append(UInt8((value * opacity + 255 * (255 - opacity)) / 255))
                }
            }
        }
        return pixels
    }
}
