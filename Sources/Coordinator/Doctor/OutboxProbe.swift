import Foundation
import Glibc

/// Looks at a node's outbox without changing it.
enum OutboxProbe {
    /// What is at `path`.
    static func outbox(_ path: String) -> Facts.Outbox {
        var information = stat()
        guard stat(path, &information) == 0 else {
            let code = errno
            return Facts.Outbox(
                path: path,
                state: code == ENOENT
                    ? .absent : .unusable(reason: String(cString: strerror(code))))
        }
        guard information.st_mode & S_IFMT == S_IFREG else {
            return Facts.Outbox(path: path, state: .unusable(reason: "it is no file"))
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            return Facts.Outbox(
                path: path, state: .unusable(reason: String(cString: strerror(errno))))
        }
        close(descriptor)
        let size = information.st_size / 1_000_000
        return Facts.Outbox(path: path, state: .sound(text: "\(size) MB"))
    }
}
