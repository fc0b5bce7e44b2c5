import Glibc

/// The small files in which the kernel says something.
enum SystemFile {
    /// The first line, at most 4095 bytes of it; `nil` if it cannot be read.
    static func line(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4095)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { return nil }
        return String(
            decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// All of it, at most `limit` bytes; `nil` if it cannot be read. The kernel gives long ones in parts.
    static func text(_ path: String, limit: Int) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while text.count < limit {
            let count = read(file, &part, min(part.count, limit - text.count))
            guard count >= 0 else { return nil }
            guard count > 0 else { break }
            text += part.prefix(count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Writes a text over what is there. Whether that was possible.
    static func write(_ text: String, to path: String) -> Bool {
        let file = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        let bytes = Array(text.utf8)
        return Glibc.write(file, bytes, bytes.count) == bytes.count
    }
}
