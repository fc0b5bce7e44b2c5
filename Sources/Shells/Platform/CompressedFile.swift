import CZlib
import Glibc

/// A file that may be compressed with gzip; what is not is read as it is.
package struct CompressedFile: ~Copyable {
    /// The file cannot be read on.
    package struct Damage: Error, CustomStringConvertible {
        package let description: String
    }

    private static let pieceLength = 1 << 16

    private let path: String
    private let handle: gzFile

    /// A file that can be opened.
    ///
    /// - Throws: An `Exit` with 78 and the system's reason.
    package init(path: String) throws {
        guard let handle = gzopen(path, "rb") else {
            let reason = String(cString: strerror(errno))
            throw Exit(code: 78, text: "cannot open \(path): \(reason)")
        }
        self.path = path
        self.handle = handle
    }

    /// What an open descriptor gives, which stays open.
    ///
    /// - Throws: An `Exit` with 1 and the system's reason.
    package init(descriptor: Int32, name: String = "standard input") throws {
        let copy = dup(descriptor)
        guard copy >= 0, let handle = gzdopen(copy, "rb") else {
            if copy >= 0 { close(copy) }
            throw Exit(code: 1, text: "cannot read \(name): \(String(cString: strerror(errno)))")
        }
        path = name
        self.handle = handle
    }

    deinit { gzclose(handle) }

    /// The next bytes, or `nil` at the end. Throws `Damage`, after all that could be had.
    package func read() throws -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: Self.pieceLength)
        let count = gzread(handle, &piece, UInt32(piece.count))
        if count > 0 { return Array(piece[..<Int(count)]) }
        var code: Int32 = 0
        let words = gzerror(handle, &code).map { String(cString: $0) } ?? ""
        guard count == 0, code == Z_OK || code == Z_STREAM_END else {
            throw Damage(description: words.hasPrefix(path) ? words : "\(path): \(words)")
        }
        return nil
    }
}
