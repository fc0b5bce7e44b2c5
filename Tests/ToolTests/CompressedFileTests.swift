import Foundation
import Testing

@testable import Platform

/// A log is the same, compressed or not, and a damaged one is read as far as it goes.
struct CompressedFileTests {
    static let content = [UInt8]((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) })

    /// Everything in a file of these bytes, and how it ended.
    static func read(_ bytes: [UInt8]) throws -> (content: [UInt8], damage: String?) {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "compressed-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let compressed = try CompressedFile(path: file.path)
        var content: [UInt8] = []
        do {
            while let piece = try compressed.read() { content += piece }
        } catch let error as CompressedFile.Damage {
            return (content, error.description)
        }
        return (content, nil)
    }

    /// A gzip file (RFC 1952) whose blocks are stored as they are (RFC 1951, 3.2.4).
    static func gzip(_ content: [UInt8]) -> [UInt8] {
        func number(_ value: UInt32, bytes: Int) -> [UInt8] {
            (0..<bytes).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
        }
        var file: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        for start in stride(from: 0, to: content.count, by: 65_535) {
            let block = content[start..<min(start + 65_535, content.count)]
            let length = number(UInt32(block.count), bytes: 2)
            file += [start + block.count == content.count ? 1 : 0] + length + length.map { ~$0 }
            file += block
        }
        var check: UInt32 = .max
        for byte in content {
            check ^= UInt32(byte)
            for _ in 0..<8 { check = check >> 1 ^ (check & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return file + number(~check, bytes: 4) + number(UInt32(content.count), bytes: 4)
    }

    @Test func `compressed or not, a file has the same content`() throws {
        for bytes in [Self.content, Self.gzip(Self.content)] {
            let (content, damage) = try Self.read(bytes)
            #expect(content == Self.content)
            #expect(damage == nil)
        }
        #expect(try Self.read([]).content == [])
    }

    @Test func `what was cut off is read to the cut, and told`() throws {
        let whole = Self.gzip(Self.content)
        for length in [100_000, whole.count - 9, whole.count - 1] {
            let (content, damage) = try Self.read(Array(whole[..<length]))
            #expect(content == Array(Self.content[..<content.count]))
            #expect(content.count > length / 2)
            #expect(damage != nil, "cut to \(length)")
        }
    }

    @Test func `a wrong checksum is told`() throws {
        var file = Self.gzip(Self.content)
        file[file.count - 5] ^= 1
        #expect(try Self.read(file).damage != nil)
    }

    @Test func `a file that is not there is named`() {
        let error = #expect(throws: Exit.self) {
            _ = try CompressedFile(path: "/nowhere/at/all")
        }
        #expect(error?.text.contains("/nowhere/at/all") == true)
    }
}
