import Foundation
import Glibc
import Testing

@testable import SiteStore

/// A database has one owner at a time.
struct DatabaseLockTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func lock(_ path: String? = nil) throws(StoreError) -> DatabaseLock {
        try DatabaseLock(of: path ?? scratch.path, by: "tests", at: start)
    }

    /// Whether `other` is refused while `path` is locked.
    private func excludes(_ path: String, _ other: String) throws -> Bool {
        let first = try lock(path)
        defer { withExtendedLifetime(first) {} }
        return refusal(other) != nil
    }

    /// Waits until the lock is given: a process that another test starts has our descriptors until
    /// its program begins.
    private func isFree() -> Bool {
        let deadline = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < deadline {
            if refusal() == nil { return true }
            usleep(1000)
        }
        return false
    }

    /// Why the lock is not given, or `nil` if it is.
    private func refusal(_ path: String? = nil) -> StoreError? {
        do throws(StoreError) {
            _ = try lock(path)
            return nil
        } catch {
            return error
        }
    }

    @Test func `the second is told who the first is, and has it when the first has gone`() throws {
        var first: DatabaseLock? = try lock()
        #expect(first?.obstacle == nil)
        guard case .owned(scratch.path, let holder?) = refusal() else {
            Issue.record("\(refusal() as Any)")
            return
        }
        #expect(holder.program == "tests" && holder.pid == getpid())
        #expect(holder.since == "2025-10-09T08:53:20Z" && !holder.host.isEmpty)
        let words = try #require(refusal()).description
        #expect(words.contains("tests, process \(getpid()) on "), "\(words)")
        first = nil
        #expect(isFree())
    }

    @Test func `a database that is not there yet has an owner, too`() throws {
        let first = try lock()
        #expect(!FileManager.default.fileExists(atPath: scratch.path))
        let store = try scratch.store()
        #expect(refusal() != nil, "opening it changes nothing")
        store.close()
        withExtendedLifetime(first) {}
    }

    @Test func `two paths of one file are one lock`() throws {
        try scratch.store().close()
        let files = FileManager.default
        let file = scratch.directory.path + "/link.sqlite"
        let directory = scratch.directory.path + "-link"
        try files.createSymbolicLink(atPath: file, withDestinationPath: scratch.path)
        try files.createSymbolicLink(
            atPath: directory, withDestinationPath: scratch.directory.path)
        defer { _ = Result { try files.removeItem(atPath: directory) } }
        let ways = [
            file, directory + "/site one.sqlite", directory + "/link.sqlite",
            scratch.directory.path + "/../" + scratch.directory.lastPathComponent
                + "/site one.sqlite",
        ]
        for way in ways {
            #expect(try excludes(scratch.path, way), "\(way)")
            #expect(try excludes(way, scratch.path), "\(way)")
        }
        // One that is not there yet.
        let new = "/new.sqlite"
        #expect(try excludes(directory + new, scratch.directory.path + new))
    }

    @Test func `a file left behind shuts nobody out, whatever stands in it`() throws {
        for text in ["", "{\"pid\":1}", String(repeating: "x", count: 9000)] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.path + ".lock"))
            #expect(isFree())
        }
    }

    /// `flock` of util-linux becomes the process that holds the lock.
    @Test func `killed, a process holds nothing any more`() throws {
        let holder = Process()
        holder.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
        let file = scratch.path + ".lock"
        holder.arguments = ["--no-fork", file, "sh", "-c", "echo held; exec sleep 600"]
        let output = Pipe()
        holder.standardOutput = output
        try holder.run()
        #expect(try output.fileHandleForReading.read(upToCount: 4)?.isEmpty == false)
        // It did not say who it is.
        #expect(refusal() == .owned(path: scratch.path, by: nil))
        kill(holder.processIdentifier, SIGKILL)
        holder.waitUntilExit()
        #expect(isFree())
    }

    @Test func `a child process does not keep the lock`() throws {
        var first: DatabaseLock? = try lock()
        var child: pid_t = 0
        var words: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("600"), nil]
        defer { words.forEach { free($0) } }
        #expect(posix_spawnp(&child, "sleep", nil, nil, &words, nil) == 0)
        #expect(first != nil)
        first = nil
        #expect(isFree())
        kill(child, SIGKILL)
        #expect(waitpid(child, nil, 0) == child)
    }

    @Test(arguments: [ENOLCK, EOPNOTSUPP, ENOSYS])
    func `where the file system gives no locks, nobody is shut out`(code: Int32) throws {
        let holder = DatabaseLock.Holder(program: "tests", pid: 1, host: "here", since: "today")
        let first = try DatabaseLock(of: scratch.path, holder: holder) { _ in code }
        let second = try DatabaseLock(of: scratch.path, holder: holder) { _ in code }
        #expect(first.obstacle == String(cString: strerror(code)))
        #expect(second.obstacle == first.obstacle)
    }

    @Test func `a place where no database can be is named`() {
        let missing = scratch.directory.path + "/none"
        #expect(
            refusal(missing + "/a.sqlite")
                == .cannotOpen(
                    path: missing + "/a.sqlite", reason: "the directory \(missing) does not exist"))
    }

    @Test func `a link in the place of the lock is not followed`() throws {
        let victim = scratch.directory.path + "/victim"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: victim))
        let file = scratch.path + ".lock"
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: victim)
        guard case .cannotOpen(file, _) = refusal() else {
            Issue.record("\(refusal() as Any)")
            return
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: victim)) == Data("mine".utf8))
    }
}
