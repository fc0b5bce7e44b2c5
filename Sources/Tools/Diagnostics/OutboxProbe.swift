import Foundation
import Glibc

/// Looks at a node's outbox without changing it, also while a node uses it.
enum OutboxProbe {
    /// What the two copies of an outbox's head begin with, and where they are.
    private static let magic = Array("BMRING 1".utf8)
    private static let heads: [off_t] = [0, 4_096]

    /// What is at `path`.
    static func outbox(_ path: String) -> Facts.Outbox {
        Facts.Outbox(path: path, state: state(path))
    }

    private static func state(_ path: String) -> Facts.Outbox.State {
        var information = stat()
        guard stat(path, &information) == 0 else {
            let code = errno
            return code == ENOENT
                ? .absent : .unusable(reason: String(cString: strerror(code)))
        }
        guard information.st_mode & S_IFMT == S_IFREG else {
            return .unusable(reason: "it is no file")
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            return .unusable(reason: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        let isOutbox = heads.contains { offset in
            var bytes = [UInt8](repeating: 0, count: magic.count)
            return pread(descriptor, &bytes, bytes.count, offset) == bytes.count && bytes == magic
        }
        guard isOutbox else { return .unusable(reason: "it is no outbox") }
        let aside = setAside(path)
        guard aside == 0 else {
            return .damaged(reason: "\(aside) unreadable pieces lie beside it")
        }
        return .sound(text: "\(information.st_size >> 20) MiB")
    }

    /// How many pieces a node could not read and kept beside its outbox, as `….damaged-N`.
    private static func setAside(_ path: String) -> Int {
        let file = URL(fileURLWithPath: path)
        let stem = file.deletingPathExtension().lastPathComponent + ".damaged-"
        let entries = try? FileManager.default.contentsOfDirectory(
            atPath: file.deletingLastPathComponent().path)
        return (entries ?? []).count { $0.hasPrefix(stem) }
    }
}
