import CZlib
import Glibc
import Platform

/// A file that is written compressed with gzip. The same bytes give the same file: it carries
/// neither a name nor a time.
struct CompressingFile: ~Copyable {
    private static let enough = 1 << 16

    private let path: String
    private let handle: gzFile
    private var bytes: [UInt8] = []
    private var isOpen = true

    /// A new file, in place of what was there. Throws an `Exit` if it cannot be.
    init(path: String) throws {
        guard let handle = gzopen(path, "wb9") else {
            throw Exit(code: 73, text: "cannot write \(path): \(String(cString: strerror(errno)))")
        }
        self.path = path
        self.handle = handle
    }

    deinit { if isOpen { gzclose(handle) } }

    mutating func add(_ text: String) throws {
        bytes.append(contentsOf: text.utf8)
        if bytes.count >= Self.enough { try flush() }
    }

    /// Writes what is left and closes the file: only after this it is whole.
    mutating func finish() throws {
        try flush()
        isOpen = false
        guard gzclose(handle) == Z_OK else { throw failure }
    }

    private mutating func flush() throws {
        guard !bytes.isEmpty else { return }
        guard gzwrite(handle, bytes, UInt32(bytes.count)) == bytes.count else { throw failure }
        bytes.removeAll(keepingCapacity: true)
    }

    private var failure: Exit {
        Exit(code: 74, text: "\(path): \(String(cString: strerror(errno)))")
    }
}
