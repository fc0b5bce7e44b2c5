import Foundation
import Glibc

/// Reads secrets from files.
package enum Secret {
    /// The first line of the file, or `nil` without a file. Refuses one that others may read, and an
    /// empty one.
    ///
    /// - Throws: An `Exit` with 78 that names the file and says what to do.
    package static func read(_ path: String?) throws -> String? {
        guard let path else { return nil }
        switch look(at: path) {
        case .success(let line): return line
        case .failure(let fault): throw Exit(code: 78, text: "\(path): \(fault.text)")
        }
    }

    /// Why nothing can be taken from the file, or `nil`.
    package static func fault(in path: String) -> String? {
        if case .failure(let fault) = look(at: path) { fault.text } else { nil }
    }

    private struct Fault: Error { var text: String }

    private static func look(at path: String) -> Result<String, Fault> {
        var info = stat()
        guard stat(path, &info) == 0, let data = FileManager.default.contents(atPath: path) else {
            let reason = String(cString: strerror(access(path, R_OK) == 0 ? EISDIR : errno))
            return .failure(Fault(text: "cannot be read: \(reason)"))
        }
        guard info.st_mode & 0o077 == 0 else {
            return .failure(Fault(text: "others may read this secret; run chmod 600 \(path)"))
        }
        let line = String(decoding: data, as: UTF8.self)
            .split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)[0]
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return line.isEmpty ? .failure(Fault(text: "its first line is empty")) : .success(line)
    }
}
