import Foundation
import Glibc

/// Reads secrets from files.
enum Secret {
    /// The first line of the file, or `nil` without a file. Refuses one that others may read.
    static func read(_ path: String?) throws -> String? {
        guard let path else { return nil }
        var info = stat()
        guard stat(path, &info) == 0, let data = FileManager.default.contents(atPath: path) else {
            throw Exit(code: 78, text: "\(path): cannot be read")
        }
        guard info.st_mode & 0o077 == 0 else {
            throw Exit(
                code: 78, text: "\(path): others may read this secret; run chmod 600 \(path)")
        }
        let text = String(decoding: data, as: UTF8.self)
        return text.split(separator: "\n", maxSplits: 1).first.map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }
}
