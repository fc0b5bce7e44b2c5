import Glibc
import Platform

/// Cuts standard input into lines. Before it waits for more, it calls `willWait`, so that a client
/// that waits for an answer gets it.
struct LineReader {
    private static let pieceLength = 1 << 16

    /// Calls `body` with each line, without its end, or with `nil` for one longer than `limit`. The
    /// last line may lack its end.
    static func forEachLine(
        limit: Int, willWait: () throws -> Void, _ body: (Span<UInt8>?) -> Void
    ) throws {
        var piece = [UInt8](repeating: 0, count: pieceLength)
        var line: [UInt8] = []
        var isTooLong = false
        while true {
            try willWait()
            let count = piece.withUnsafeMutableBytes { read(0, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw Exit(code: 74, text: "standard input: \(String(cString: strerror(errno)))")
            }
            if count == 0 { break }
            var start = 0
            while let end = piece[start..<count].firstIndex(of: UInt8(ascii: "\n")) {
                if line.isEmpty, !isTooLong, end - start <= limit {
                    body(piece.span.extracting(start..<end))
                } else {
                    line += piece[start..<end]
                    if isTooLong || line.count > limit { body(nil) } else { body(line.span) }
                }
                line.removeAll(keepingCapacity: true)
                isTooLong = false
                start = end + 1
            }
            if !isTooLong { line += piece[start..<count] }
            if line.count > limit {
                isTooLong = true
                line = []
            }
        }
        if isTooLong { body(nil) } else if !line.isEmpty { body(line.span) }
        try willWait()
    }
}
