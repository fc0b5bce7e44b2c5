import Foundation
import Glibc
import Testing

@testable import Basics

/// What anybody can send without end costs little, and everybody else is served meanwhile.
@Suite(.ownThread) struct ProcessFloodTests {
    /// Connections of TCP to the dashboard, closed with this object.
    final class Crowd {
        private var sockets: [Int32] = []

        deinit { sockets.forEach { close($0) } }

        /// Makes connections that say `beginning` and no more.
        func grow(by count: Int, port: Int, saying beginning: String) {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(clamping: port).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            for _ in 0..<count {
                let descriptor = socket(
                    AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
                guard descriptor >= 0 else { continue }
                sockets.append(descriptor)
                let code = withUnsafePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                    }
                }
                guard code == 0 else { continue }
                let bytes = Array(beginning.utf8)
                send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            }
        }
    }

    @Test func `a message of any size reaches nobody and fills no memory`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        // A broker without a limit of its own.
        try site.secure(acl: "user coordinator\ntopic readwrite #\nuser n-press\ntopic readwrite #")
        try site.startCoordinator()
        try site.startNodes(["n-press"])
        let daemons = [site.coordinator, site.nodes["n-press"]].compactMap(\.self)
        let before = daemons.map(\.peakMemory)
        let large = [UInt8](repeating: 0x20, count: 64 << 20)
        for topic in [
            site.topics[.frame, "n-press"], site.topics[.nodeCommand, "n-press"],
            site.topics[.request, "x", "workout-start"],
        ] {
            try site.watcher.publish(topic, large)
        }
        site.air = ["n-press": [0: -50]]
        try site.wait("others are heard") { site.attendance(0)?.state == .checkedIn }
        for (daemon, memory) in zip(daemons, before) {
            #expect(daemon.peakMemory < memory + 16, "\(daemon.name): from \(memory) MiB")
        }
        #expect(try site.metric("mesh_messages_rejected_total{reason=\"oversize\"}") == 0)
    }

    @Test(arguments: ["", "GET / HTTP/1.1\r\nHost: localhost\r\nX-"])
    func `connections without end leave the page and the broker reachable`(
        beginning: String
    ) throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator(descriptors: 160)
        try site.wait("the dashboard") { site.dashboard != nil }
        let port = try #require(site.dashboard.flatMap { URL(string: $0)?.port })
        let crowd = Crowd()
        for _ in 0..<3 {
            crowd.grow(by: 100, port: port, saying: beginning)
            #expect(try site.page("healthz") == "ok\n")
        }
        site.broker.stop()
        try site.wait("the broker is missed") { try site.metric("mesh_mqtt_connected") == 0 }
        crowd.grow(by: 100, port: port, saying: beginning)
        try site.broker.start()
        try site.watchAgain()
        try site.wait("it is back", within: 15) { try site.metric("mesh_mqtt_connected") == 1 }
        #expect(try site.page("").contains("<title>Live · Beaconmesh</title>"))
        #expect(site.coordinator?.errors.contains("Too many open files") == false)
        #expect(try site.metric("mesh_http_connections") <= 64)
    }

    @Test func `what others can cause without end fills no log and draws on no terminal`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes(["n-press"])
        let active = site.topics[.nodeConfigurationActive, "n-row"]
        let before = site.coordinator?.errors.split(separator: "\n").count ?? 0
        let beforeNode = site.nodes["n-press"]?.errors.split(separator: "\n").count ?? 0
        for number in 0..<400 {
            try site.watcher.publish(
                active,
                Array(
                    """
                    {"rev":1,"ok":false,"error":"\u{9B}31m\u{202E}no \(number)\u{2028}","applied_ms":1}
                    """.utf8))
            try site.watcher.publish(
                site.topics[.nodeResponse, "n-row"],
                Array(
                    """
                    {"id":"\(number)","op":"restart","ok":false,"t_ms":1,\
                    "error":{"code":"no","message":"\u{9B}2J"}}
                    """.utf8))
            try site.watcher.publish(
                site.topics[.nodeConfiguration, "n-press"], Array("{\"rev\":7}".utf8))
            try site.watcher.publish(site.topics[.debugLease, "n-press"], Array("{}".utf8))
        }
        try site.wait("all are read") {
            site.coordinator?.errors.contains("127 like it left out") == true
                && site.nodes["n-press"]?.errors.contains("like it left out") == true
        }
        let log = site.coordinator?.errors ?? ""
        #expect(log.split(separator: "\n").count - before <= 30, "\(log.suffix(3000))")
        let nodes = site.nodes["n-press"]?.errors ?? ""
        #expect(nodes.split(separator: "\n").count - beforeNode <= 40, "\(nodes.suffix(3000))")
        for scalar in (log + nodes).unicodeScalars where scalar != "\n" {
            #expect(HarmlessText.isHarmless(scalar), "\(scalar.value)")
        }
        #expect(log.contains("no 0"))
    }

    @Test func `what is kept about people needs the token, also on this machine`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.takeToken()
        try site.startCoordinator()
        for path in [
            "sessions", "corrections", "check-in", "locks", "../reports/attendance-day",
            "../reports/present.csv",
        ] {
            let stranger = try site.post(path, "", token: nil, method: "GET")
            #expect(stranger.status == 401 && stranger.code == "unauthorised", "\(path)")
        }
        #expect(try site.post("sessions", "", method: "GET").status == 200)
        #expect(try site.post("../reports/attendance-day", "", method: "GET").status == 200)
        #expect(try site.page("api/v1/snapshot").contains("\"names\""))
    }
}
