import Foundation
import Glibc
import TestSupport
import Testing

@testable import SiteModel
@testable import Platform

/// What systemd hears over a datagram socket that is as real as its own.
struct ServiceManagerTests {
    let now = Timestamp(milliseconds: 1_790_000_000_000)

    private func manager(_ socket: NotifySocket, _ more: [String: String] = [:]) -> ServiceManager {
        let environment = more.merging(["NOTIFY_SOCKET": socket.name]) { $1 }
        return ServiceManager { environment[$0] }
    }

    @Test(arguments: [false, true])
    func `ready is said once, and so is each new state`(isAbstract: Bool) throws {
        let socket = try NotifySocket(isAbstract: isAbstract)
        var manager = manager(socket)
        #expect(manager.isThere)
        manager.say("scanning")
        manager.ready()
        manager.ready()
        manager.say("scanning")
        manager.say("two\nlines")
        manager.stopping()
        #expect(
            socket.received == ["STATUS=scanning", "READY=1", "STATUS=two lines", "STOPPING=1"])
    }

    @Test func `a watchdog is fed three times an interval`() throws {
        let socket = try NotifySocket(isAbstract: true)
        var manager = manager(socket, ["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "\(getpid())"])
        for second in 0..<30 { manager.feed(at: now + .seconds(Double(second))) }
        #expect(socket.received == ["WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"])
    }

    @Test(arguments: [["WATCHDOG_USEC": "0"], ["WATCHDOG_USEC": "x"], [:]])
    func `nobody is fed who does not watch`(environment: [String: String]) throws {
        let socket = try NotifySocket(isAbstract: true)
        var manager = manager(socket, environment)
        manager.feed(at: now)
        manager.ready()
        #expect(socket.received == ["READY=1"])
    }

    @Test func `a watchdog of another process is not fed`() throws {
        let socket = try NotifySocket(isAbstract: true)
        var manager = manager(socket, ["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"])
        manager.feed(at: now)
        #expect(socket.received == [])
    }

    @Test(arguments: [
        nil, "", "/", "relative", "/" + String(repeating: "x", count: 200), "/nowhere/at/all",
    ])
    func `without systemd nothing happens`(name: String?) {
        var manager = ServiceManager { $0 == "NOTIFY_SOCKET" ? name : nil }
        manager.ready()
        manager.feed(at: now)
        #expect(manager.isThere == (name == "/nowhere/at/all"))
    }
}
