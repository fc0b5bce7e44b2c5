import Foundation
import Glibc
import Platform

/// The directory with the broker's files, which are written together: all of them or none.
package struct BrokerFolder: Sendable {
    /// Where a site of packages has them.
    package static let usual = "/etc/mosquitto/beaconmesh"

    package let path: String

    package init(_ path: String) {
        self.path = URL(fileURLWithPath: path).standardized.path
    }

    /// Throws an `Exit` before anything else is done, with 78 if there is no such directory, with 73 if
    /// files could not be written there.
    package func check(_ names: [String]) throws(Exit) {
        var info = stat()
        guard !path.contains(where: \.isNewline) else {
            throw Self.failure("a path without line breaks is needed", path)
        }
        guard stat(path, &info) == 0 else {
            throw Exit(
                code: 78,
                text: "\(path): \(Self.reason); make it: sudo install -d -o mosquitto \(path)")
        }
        guard info.st_mode & S_IFMT == S_IFDIR else {
            throw Exit(code: 78, text: "\(path): no directory; nothing was written there")
        }
        guard access(path, W_OK | X_OK) == 0 else { throw Self.failure(Self.reason, path) }
        for name in names {
            var info = stat()
            guard lstat(file(name), &info) == 0 else { continue }
            guard info.st_mode & S_IFMT == S_IFREG else {
                throw Self.failure("it is no file of ours", file(name))
            }
        }
    }

    /// Writes them. Each appears whole under its name, after all are on the disk as drafts; if one cannot be
    /// put in its place, those before it are put back. Throws an `Exit` with 73, and nothing is changed then.
    ///
    /// A power cut between two of them leaves the passwords newer than the list, in that order: who has one
    /// of the two only may do nothing.
    package func write(_ files: [BrokerFile]) throws(Exit) {
        try check(files.map(\.name))
        try replace(files)
    }

    /// A file on its way to its place.
    private struct Draft {
        let place: String
        let new: String
        /// The second name of what stood there before.
        let old: String
        var hadOld = false

        init(_ name: String, in path: String, mark: some StringProtocol) {
            place = "\(path)/\(name)"
            new = "\(path)/.\(name).\(mark)"
            old = new + ".old"
        }
    }

    /// The same without looking before.
    func replace(_ files: [BrokerFile]) throws(Exit) {
        var drafts: [Draft] = []
        defer {
            for draft in drafts {
                unlink(draft.new)
                unlink(draft.old)
            }
        }
        let mark = TokenFile.newToken().prefix(16)
        for file in files {
            var draft = Draft(file.name, in: path, mark: mark)
            drafts.append(draft)
            try write(file, as: draft)
            draft.hadOld = link(draft.place, draft.old) == 0
            guard draft.hadOld || errno == ENOENT else {
                throw Self.failure(Self.reason, draft.place)
            }
            drafts[drafts.count - 1] = draft
        }
        for (index, draft) in drafts.enumerated() {
            guard rename(draft.new, draft.place) != 0 else { continue }
            let reason = Self.reason
            for done in drafts[..<index] {
                if done.hadOld { rename(done.old, done.place) } else { unlink(done.place) }
            }
            throw Self.failure(reason, draft.place)
        }
        let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return }
        fsync(directory)
        close(directory)
    }

    /// The file with the broker's authority and what stands in it, if there is one. Throws as `text` does.
    package func authority() throws(Exit) -> (file: String, text: String)? {
        guard let text = try text(of: BrokerFile.authority) else { return nil }
        return (file: file(BrokerFile.authority), text: text)
    }

    /// Those of the files whose texts are others than what is there. Throws as `text` does.
    package func changed(_ files: [BrokerFile]) throws(Exit) -> [BrokerFile] {
        var changed: [BrokerFile] = []
        for file in files where try text(of: file.name) != file.text { changed.append(file) }
        return changed
    }

    /// Whether there is an authority of our own, whose certificates end and are renewed.
    package var hasAuthority: Bool {
        FileManager.default.fileExists(atPath: file(BrokerFile.authorityKey))
    }

    /// Whether the broker may not have read what was written.
    package var isUnread: Bool {
        get { FileManager.default.fileExists(atPath: file(Self.unread)) }
        nonmutating set {
            guard newValue else {
                unlink(file(Self.unread))
                return
            }
            let made = open(file(Self.unread), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            if made >= 0 { close(made) }
        }
    }

    private static let unread = ".unread"

    /// Whether it is said where the broker listens.
    package var hasListener: Bool {
        FileManager.default.fileExists(atPath: file(BrokerFile.configuration))
    }

    /// The text of a file, or `nil` if it is not there. Throws an `Exit` with 77 if it cannot be read.
    func text(of name: String) throws(Exit) -> String? {
        guard FileManager.default.fileExists(atPath: file(name)) else { return nil }
        guard let text = try? String(contentsOfFile: file(name), encoding: .utf8) else {
            throw Exit(code: 77, text: "\(file(name)): it cannot be read by this user")
        }
        return text
    }

    private func file(_ name: String) -> String { path + "/" + name }

    private func write(_ file: BrokerFile, as draft: Draft) throws(Exit) {
        let descriptor = open(
            draft.new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
            file.isSecret ? 0o600 : 0o644)
        guard descriptor >= 0 else { throw Self.failure(Self.reason, draft.place) }
        defer { close(descriptor) }
        let bytes = Array(file.text.utf8)
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            guard count > 0 else { throw Self.failure(Self.reason, draft.place) }
            done += count
        }
        guard fchmod(descriptor, file.isSecret ? 0o600 : 0o644) == 0,
            !file.isForBroker || giveAway(descriptor, for: draft.place), fsync(descriptor) == 0
        else { throw Self.failure(Self.reason, draft.place) }
    }

    /// mosquitto started by root is another user when it reads its files again. Root gives them to the owner
    /// of the file before, else to the user `mosquitto`, if there is one.
    private func giveAway(_ descriptor: Int32, for place: String) -> Bool {
        guard geteuid() == 0 else { return true }
        var info = stat()
        if lstat(place, &info) == 0 { return fchown(descriptor, info.st_uid, info.st_gid) == 0 }
        guard let user = getpwnam("mosquitto") else { return true }
        return fchown(descriptor, user.pointee.pw_uid, user.pointee.pw_gid) == 0
    }

    private static var reason: String { String(cString: strerror(errno)) }

    private static func failure(_ reason: String, _ path: String) -> Exit {
        Exit(code: 73, text: "\(path): \(reason); nothing was written there")
    }
}

/// The mosquitto that runs, by the file with its process id.
package struct RunningBroker: Sendable {
    /// Where Debian's mosquitto writes its process id.
    package static let usual = "/run/mosquitto/mosquitto.pid"

    private let file: String
    private let process: Int32

    /// Throws an `Exit` with 69 unless the process is a mosquitto: a number that was left behind may be
    /// another program's by now.
    package init(pidFile file: String) throws(Exit) {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw Exit(
                code: 69,
                text: "\(file): it cannot be read; is pid_file set, and does mosquitto run?")
        }
        guard let process = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)), process > 1
        else { throw Exit(code: 69, text: "\(file): no process id in it") }
        self.file = file
        self.process = process
        try check()
    }

    /// Has it read passwords and access list again; it cuts off who is not let in any more.
    package func reload() throws(Exit) {
        try check()
        guard kill(process, SIGHUP) == 0 else {
            throw Exit(
                code: 77,
                text: "process \(process) of \(file): \(String(cString: strerror(errno)))")
        }
    }

    private func check() throws(Exit) {
        let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
        guard name == "mosquitto\n" else {
            throw Exit(code: 69, text: "\(file): process \(process) is no mosquitto")
        }
    }
}
