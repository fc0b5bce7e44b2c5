@testable import Basics
@testable import CoordinatorService
@testable import Notifications
@testable import Platform
@testable import Records
@testable import Registry
@testable import SiteModel
@testable import SiteStore
@testable import WebServer
import Foundation
import GRDB
import Glibc
import Scheduling
import Synchronization
import Testing
@testable import SiteService

/// One way to write: through the coordinator that runs, else as the owner of the file.
final class SiteAccessTests {
    private let folder = NSTemporaryDirectory() + "access-\(UUID().uuidString)"
    private let database: String
    private let start = Timestamp(milliseconds: 1_760_000_000_000)

    init() throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        database = folder + "/site.sqlite"
        let store = try Store(path: database)
        try SiteImport(store).importDocument(Self.document, at: start)
        store.close()
    }

    deinit { _ = Result { try FileManager.default.removeItem(atPath: folder) } }

    private static let document = SiteDocument(
        slug: "gym", name: "Gym", timeZone: "Europe/Berlin",
        rooms: [.init(slug: "hall", name: "Hall")], stations: [], nodes: [],
        users: [.init(slug: "u-ann", name: "Ann \"<b>")], beacons: [])

    /// Adds a shift, as it is typed.
    @discardableResult
    private static func add(
        _ slug: String, _ site: SiteAccess
    ) throws -> String {
        guard let operation = SiteService.Operation.all.first(where: { $0.name == "shift-add" })
        else { throw WriteFault(.refused, code: 1, "no operation") }
        let answer = try site.perform(
            operation, [("id", slug), ("start", "22:00"), ("end", "06:00")])
        return String(decoding: answer, as: UTF8.self)
    }

    private func audit() throws -> [String] {
        let store = try Store(reading: database)
        defer { store.close() }
        return try store.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT value || ' ' || via || ' ' || entity
                    FROM audit_log JOIN audit_value ON audit = id AND side = 'actor' ORDER BY id
                    """)
        }
    }

    @Test func `a verb asks the coordinator that has the database`() async throws {
        let coordinator = try LocalCoordinator(of: database)
        let database = database
        try await coordinator.running {
            try SiteAccess.with(database, as: "ann") { site in
                #expect(throws: StoreError.self, "only the coordinator writes") {
                    try ModelTable(site.store).discardSurvey()
                }
                let added = try Self.add("night", site)
                #expect(added.contains(#""id":"night","name":"night""#))
                #expect(throws: WriteFault(.refused, code: 4, Self.twice)) {
                    try Self.add("night", site)
                }
            }
        }
        #expect(try audit().last == "ann cli shift")
    }

    private static let twice =
        "overlap: " + RosterError.shiftExists("night").text

    @Test func `without one it writes itself, and says the same`() throws {
        try SiteAccess.with(database, as: "ann") { site in
            let added = try Self.add("night", site)
            #expect(added.contains(#""id":"night","name":"night""#))
            #expect(throws: WriteFault(.refused, code: 4, Self.twice)) {
                try Self.add("night", site)
            }
            #expect(throws: StoreError.self, "a coordinator that starts waits") {
                try DatabaseLock(of: database, by: "beacon-coordinator", at: start)
            }
        }
        #expect(try audit().last == "ann cli shift")
        _ = try DatabaseLock(of: database, by: "beacon-coordinator", at: start)
    }

    @Test func `two verbs at once come one after the other`() async throws {
        let database = database
        try await withThrowingTaskGroup(of: Void.self) { group in
            for slug in ["early", "late", "night"] {
                group.addTask {
                    try await withCheckedThrowingContinuation { continuation in
                        Thread.detachNewThread {
                            continuation.resume(
                                with: Result {
                                    try SiteAccess.with(database, as: "ann") {
                                        _ = try Self.add(slug, $0)
                                    }
                                })
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let store = try Store(reading: database)
        defer { store.close() }
        #expect(try Roster(store).shifts(removed: false).count == 3)
    }

    @Test func `a coordinator without a socket is named, and what to do`() throws {
        let lock = try DatabaseLock(of: database, by: "beacon-coordinator", at: start)
        defer { withExtendedLifetime(lock) {} }
        let fault = #expect(throws: Exit.self) {
            try SiteAccess.with(database, as: "ann", patience: 0.2) { _ in }
        }
        #expect(fault?.code == 75)
        let text = fault?.text ?? ""
        for part in ["beacon-coordinator, process \(getpid())", ".sqlite.sock", "older release"] {
            #expect(text.contains(part), "\(text)")
        }
        #expect(throws: StoreError.missing(path: folder + "/none")) {
            try SiteAccess.with(folder + "/none", as: "ann") { _ in }
        }
        #expect(!FileManager.default.fileExists(atPath: folder + "/none.lock"))
    }

    @Test func `only the owner may connect, over a path of any length`() async throws {
        let deep = folder + String(repeating: "/a-long-name", count: 10)
        try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
        let far = deep + "/site.sqlite"
        try FileManager.default.copyItem(atPath: database, toPath: far)
        let coordinator = try LocalCoordinator(of: far)
        try await coordinator.running {
            var status = stat()
            #expect(lstat(far + ".sock", &status) == 0)
            #expect(status.st_mode == S_IFSOCK | 0o600)
            try SiteAccess.with(far, as: "Ånn\r\nX: y") { _ = try Self.add("night", $0) }
        }
        #expect(PeerWatch.isWelcome(geteuid()) && PeerWatch.isWelcome(0))
        #expect(!PeerWatch.isWelcome(1001, own: 1000))
        #expect(throws: LocalSocket.Fault.self) {
            try LocalSocket(deep + "/" + String(repeating: "n", count: 100))
        }
    }

    @Test func `a socket that was left behind gives way, another file does not`() throws {
        let socket = try LocalSocket(folder + "/left.sock")
        try Data().write(to: URL(fileURLWithPath: socket.path))
        socket.removeSocket()
        #expect(FileManager.default.fileExists(atPath: socket.path))
    }

    @Test func `what is malformed, foreign or too long is refused and counted`() async throws {
        let coordinator = try LocalCoordinator(of: database)
        let good = try String(
            decoding: JSONEncoder().encode(
                LocalRequest(asker: "ann", write: .models(.discardSurvey))),
            as: UTF8.self)
        try await coordinator.running {
            func expect(
                _ status: Int, _ body: String, host: String = "localhost", more: String = ""
            ) throws {
                let answer = try coordinator.post(body, host: host, more: more)
                #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(body.prefix(80)): \(answer)")
            }
            try expect(200, good)
            let bad = [
                "", "{", "[]", #"{"asker":"ann"}"#, #"{"asker":"ann","write":{"format":{}}}"#,
                good.replacing("\"ann\"", with: "\"\""),
                good.replacing("ann", with: String(repeating: "a", count: 300)),
                #"{"asker":"ann","write":{"models":{"_0":"u-ann","_1":"9999-99-99"}}}"#,
            ]
            for body in bad { try expect(400, body) }
            for length in 1..<good.utf8.count {
                try expect(400, String(decoding: good.utf8.prefix(length), as: UTF8.self))
            }
            let refused = coordinator.status.metrics.split(separator: "\n")
                .last { $0.hasPrefix("mesh_local_requests_rejected_total") }
            #expect(
                refused == "mesh_local_requests_rejected_total \(bad.count + good.utf8.count - 1)")
            try expect(403, good, host: "evil.example")
            try expect(403, good, more: "Origin: http://localhost\r\n")
            try expect(413, String(repeating: " ", count: LocalRequest.longest + 1))
            try expect(200, good)
        }
    }

    @Test func `retention is done in slices`() throws {
        let store = try Store(path: database)
        defer { store.close() }
        var run = WriteRun(.retain, by: "ann")
        var slices = 1
        while try run.step(on: store, at: start) == nil { slices += 1 }
        #expect(slices > 5, "a table at least is a transaction of its own")
        var impossible = WriteRun(.erase("u-none", reason: "", options: .init()), by: "ann")
        #expect(throws: (any Error).self) { try impossible.step(on: store, at: start) }
    }
}
