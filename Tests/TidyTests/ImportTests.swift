import Testing

/// Imports point inward: executables, Coordinator, shells, MeshWire, MeshCore.
struct ImportTests {
    /// What a module may import; its folder in `Sources` has its name. One that is not here may not
    /// exist.
    static let allowed: [String: Set<String>] = [
        "MeshCore": [],
        "MeshWire": ["MeshCore"],
        "Reports": ["MeshCore", "Foundation"],
        "Daemon": ["MeshCore", "Glibc", "Synchronization"],
        "Radio": inner.union(["CBlueZ", "Glibc"]),
        "Outbox": ["MeshCore", "Glibc"],
        "Broker": inner.union(["CMosquitto", "Glibc"]),
        "Storage": inner.union(["GRDB", "CCrypto", "Foundation", "Glibc"]),
        "Web": inner.union([
            // NIO comes with Hummingbird, whose connections are handled in its terms.
            "Hummingbird", "HummingbirdCore", "NIOCore", "NIOHTTPTypes", "Glibc",
            "Synchronization",
        ]),
        "MeshSim": inner,
        "Ciphers": ["MeshCore", "CCrypto"],
        "Settings": ["Yams", "Foundation"],
        "Coordinator": inner.union(shells).union([
            "Reports", "ArgumentParser", "Logging", "CCrypto", "CTimex", "CZlib", "Foundation",
            "Glibc",
            "Synchronization",
        ]),
        "beacon-node": inner.union([
            "Radio", "Broker", "Outbox", "Settings", "Ciphers", "Daemon", "Glibc",
        ]),
        "beacon-coordinator": ["Coordinator"],
        "beaconmesh": ["Coordinator"],
    ]
    static let inner: Set = ["MeshCore", "MeshWire"]
    static let shells: Set = [
        "Radio", "Broker", "Outbox", "Storage", "Web", "MeshSim", "Settings", "Ciphers", "Daemon",
    ]

    static func faults(in files: [Checkout.File]) -> [String] {
        files.flatMap { file in
            SwiftText.imports(of: file.text)
                .filter { !(allowed[file.module]?.contains($0) ?? false) }
                .map { "\(file.path) imports \($0)" }
        }
    }

    @Test func `every import points inward`() throws {
        #expect(Self.faults(in: try Checkout.swift(in: "Sources")) == [])
    }

    @Test func `every folder of sources has its rule`() throws {
        let modules = Set(try Checkout.swift(in: "Sources").map(\.module))
        #expect(modules == Set(Self.allowed.keys))
    }

    @Test func `no shell may import another`() {
        for shell in Self.shells {
            #expect(Self.allowed[shell]?.isDisjoint(with: Self.shells) == true, "\(shell)")
        }
    }

    @Test func `a node carries neither a database nor a web server`() {
        var reached: Set = ["beacon-node"]
        while true {
            let wider = reached.union(reached.flatMap { Self.allowed[$0] ?? [] })
            guard wider != reached else { break }
            reached = wider
        }
        let kept: Set = ["Storage", "GRDB", "Web", "Hummingbird", "Coordinator"]
        #expect(reached.isDisjoint(with: kept))
        #expect(reached.contains("CBlueZ"))
    }

    @Test(arguments: [
        "import Foundation", "@preconcurrency import Glibc", "public import struct Storage.Store",
        "  import Storage", "import Glibc; import MeshCore",
    ])
    func `an import that points outward is noticed`(line: String) {
        let source = "import MeshCore // import Foundation\n/* import Glibc */\n\(line)\n"
        let file = Checkout.File(path: "Sources/MeshWire/X.swift", text: source)
        #expect(Self.faults(in: [file]).count == 1)
    }
}
