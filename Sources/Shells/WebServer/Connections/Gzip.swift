import CZlib

/// Packs bytes as gzip (RFC 1952) does.
enum Gzip {
    /// 15 bits of window, as deflate has at most; 16 more: with the head and the end of gzip.
    private static let window: Int32 = 15 + 16

    /// The bytes packed as short as they get. Empty if memory is lacking.
    static func packed(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        guard
            deflateInit2_(
                &stream, Z_BEST_COMPRESSION, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY,
                ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return [] }
        defer { deflateEnd(&stream) }
        let most = Int(deflateBound(&stream, UInt(bytes.count)))
        var bytes = bytes
        return bytes.withUnsafeMutableBufferPointer { input in
            [UInt8](unsafeUninitializedCapacity: most) { output, count in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(most)
                count =
                    deflate(&stream, Z_FINISH) == Z_STREAM_END ? most - Int(stream.avail_out) : 0
            }
        }
    }
}
