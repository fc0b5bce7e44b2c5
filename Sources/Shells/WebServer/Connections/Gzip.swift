import CZlib
import Hummingbird

/// Packs bytes as gzip (RFC 1952) does: all at once, or part by part as they come.
final class Gzip {
    /// How well, for what memory.
    struct Effort {
        var level: Int32
        /// The window in powers of two, and how much memory zlib takes for its tables, 1 to 9.
        var window: Int32
        var memory: Int32

        /// As short as it gets, for what is packed once; 256 KB meanwhile.
        static let most = Effort(level: Z_BEST_COMPRESSION, window: 15, memory: 8)
        /// For as long as a page looks: 64 KB (zconf.h: 2^(window + 2) + 2^(memory + 9)). What a stream says
        /// resembles what it said just before.
        static let stream = Effort(level: Z_DEFAULT_COMPRESSION, window: 13, memory: 6)
    }

    /// Added to the window: with the head and the end of gzip.
    private static let gzip: Int32 = 16

    // zlib keeps the address of its state: it may not move.
    private let state: UnsafeMutablePointer<z_stream>

    /// `nil` if memory is lacking.
    init?(_ effort: Effort) {
        let state = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        state.initialize(to: z_stream())
        let result = deflateInit2_(
            state, effort.level, Z_DEFLATED, effort.window + Self.gzip, effort.memory,
            Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard result == Z_OK else {
            // Before `self.state` is set `deinit` does not run.
            state.deallocate()
            return nil
        }
        self.state = state
    }

    deinit {
        deflateEnd(state)
        state.deallocate()
    }

    /// The bytes packed as short as they get; `nil` if zlib fails.
    static func packed(_ bytes: [UInt8]) -> [UInt8]? {
        bytes.withUnsafeBytes { Gzip(.most)?.packed($0, isLast: true) ?? nil }
    }

    /// Whether `gzip` is among the codings that whoever asks takes, and not with the quality 0.
    static func isTaken(by request: Request) -> Bool {
        request.headers[values: .acceptEncoding].joined(separator: ",").lowercased()
            .split(separator: ",").contains { coding in
                let parts = coding.filter { $0 != " " }.split(separator: ";")
                let quality = parts.dropFirst().first { $0.hasPrefix("q=") }
                return parts.first == "gzip" && quality.map { Double($0.dropFirst(2)) ?? 0 } != 0
            }
    }

    /// The next part, packed so that whoever has read all parts so far can unpack them; `nil` if zlib fails.
    func packed(_ part: ByteBuffer) -> ByteBuffer? {
        part.withUnsafeReadableBytes { packed($0, isLast: false) }.map { ByteBuffer(bytes: $0) }
    }

    private func packed(_ part: UnsafeRawBufferPointer, isLast: Bool) -> [UInt8]? {
        // zlib takes a pointer to what it may write, and does not.
        state.pointee.next_in = UnsafeMutablePointer(
            mutating: part.assumingMemoryBound(to: UInt8.self).baseAddress)
        state.pointee.avail_in = UInt32(part.count)
        var packed: [UInt8] = []
        var result = Z_OK
        repeat {
            // A flush adds up to six bytes, to which `deflateBound` does not count.
            let room = Int(deflateBound(state, UInt(state.pointee.avail_in))) + 16
            packed += [UInt8](unsafeUninitializedCapacity: room) { output, count in
                state.pointee.next_out = output.baseAddress
                state.pointee.avail_out = UInt32(room)
                result = deflate(state, isLast ? Z_FINISH : Z_SYNC_FLUSH)
                count = room - Int(state.pointee.avail_out)
            }
        } while result == Z_OK && state.pointee.avail_out == 0
        return result == (isLast ? Z_STREAM_END : Z_OK) ? packed : nil
    }
}
