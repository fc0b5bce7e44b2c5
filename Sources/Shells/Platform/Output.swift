import Glibc

/// Standard output, written in large pieces.
package struct Output {
    private static let enough = 1 << 16
    private var bytes: [UInt8] = []

    package init() {}

    /// Adds text; writes when there is enough of it.
    ///
    /// - Throws: An `Exit` with 74: standard output is closed, or its disk is full.
    package mutating func add(_ more: [UInt8]) throws {
        bytes += more
        if bytes.count >= Self.enough { try flush() }
    }

    /// Writes what is left.
    ///
    /// - Throws: An `Exit` with 74: standard output is closed, or its disk is full.
    package mutating func flush() throws {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw Exit(code: 74, text: "standard output: \(String(cString: strerror(errno)))")
            }
            start += count
        }
        bytes.removeAll(keepingCapacity: true)
    }
}
