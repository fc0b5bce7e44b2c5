import Foundation
import Platform

/// Where the text of a report goes: standard output, or a file that is whole or not there.
package final class ReportOutput {
    private let path: String?
    private var screen = Output()
    private var file: FileHandle?

    /// A file at `path`, or standard output.
    package init(path: String?) throws {
        self.path = path
        guard let path else { return }
        let partial = path + ".part"
        // It holds names and times of people: nobody else on this machine reads it.
        guard
            FileManager.default.createFile(
                atPath: partial, contents: nil, attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forWritingAtPath: partial)
        else {
            throw Exit(code: 73, text: "\(path): cannot be written")
        }
        file = handle
    }

    /// Writes some text.
    package func write(_ text: String) throws {
        if let file {
            try file.write(contentsOf: Data(text.utf8))
        } else {
            try screen.add(Array(text.utf8))
        }
    }

    /// Nothing more comes. Throws if not all of it could be written.
    package func finish() throws {
        try screen.flush()
        guard let path, let file else { return }
        try file.close()
        guard rename(path + ".part", path) == 0 else {
            throw Exit(code: 73, text: "\(path): \(String(cString: strerror(errno)))")
        }
    }
}
