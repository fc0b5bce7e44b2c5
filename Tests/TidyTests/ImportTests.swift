import Foundation
import Testing

/// Imports point down: programs, lab, tools, services, business, shells, core.
struct ImportTests {
    /// The layers of `Sources`, the lowest first.
    static let layers = ["Core", "Shells", "Business", "Services", "Tools", "Lab", "Programs"]

    /// The program that carries the lab; no other does.
    static let labProgram = "mesh-lab"

    /// The core's rooms, each with those below it that it may import. Nothing else: no Foundation.
    static let core: [String: Set<String>] = [
        "Basics": [], "Permissions": ["Basics"],
        "SiteModel": ["Basics"],
        "Scheduling": ["Basics", "SiteModel"],
        "BeaconDecoding": ["Basics", "SiteModel"],
        "Positioning": ["Basics", "SiteModel"],
        "NodeEngine": ["Basics", "SiteModel", "BeaconDecoding"],
        "AnomalyDetection": ["Basics", "SiteModel"],
        "TrainingEngine": ["Basics", "SiteModel"],
        "ActivityEngine": ["Basics", "Scheduling", "SiteModel"],
        "SiteEngine": [
            "Basics", "Scheduling", "SiteModel", "Positioning", "AnomalyDetection",
            "TrainingEngine",
        ],
        "SiteSchema": ["SiteModel", "SiteEngine"],
        "JSON": ["Basics"],
        "Wire": ["Basics", "JSON", "Permissions", "SiteModel"],
        "Operations": ["Basics", "JSON", "Permissions", "SiteModel", "Wire"],
        "NodePipeline": ["Basics", "SiteModel", "BeaconDecoding", "NodeEngine", "JSON", "Wire"],
        "SitePipeline": [
            "Basics", "Permissions", "Scheduling", "SiteModel", "Positioning", "SiteEngine",
            "TrainingEngine",
            "JSON", "Operations", "Wire",
        ],
    ]

    /// Libraries of others that a room of another layer may import. `Foundation`, `Glibc` and
    /// `Synchronization` are free to all of them.
    static let libraries: [String: Set<String>] = [
        "Radio": ["CBlueZ"], "Outbox": [], "Broker": ["CMosquitto"],
        "SiteStore": ["GRDB", "GRDBSQLite"],
        // NIO comes with Hummingbird, whose connections are handled in its terms.
        "WebServer": [
            "CZlib", "Hummingbird", "HummingbirdCore", "NIOCore", "NIOHTTP1", "NIOHTTPTypes",
            "NIOHTTPTypesHTTP1",
        ],
        "Settings": ["Yams"], "Ciphers": ["CCrypto"], "Platform": ["CZlib"],
        "Accounts": ["GRDB"], "Registry": ["GRDB"], "Records": ["GRDB"], "Notifications": ["GRDB"],
        "Reporting": ["GRDB"], "Workouts": ["GRDB"], "Activities": ["GRDB"],
        "BrokerAccess": ["GRDB"], "Detections": ["GRDB"],
        "NodeService": [], "SiteService": [],
        "CoordinatorService": ["Logging"],
        "Scanner": [], "Diagnostics": ["CTimex"], "Simulation": [],
        "Calibration": ["ArgumentParser"], "SiteClient": ["ArgumentParser"], "SurveyFiles": [],
        "Demo": ["ArgumentParser"], "Commands": ["ArgumentParser"], "Logbook": ["ArgumentParser"],
        "LocatingLab": ["ArgumentParser"], "Scenarios": ["ArgumentParser", "CZlib"],
        "Benchmarks": ["ArgumentParser"],
        "beacon-node": [], "beacon-coordinator": [], "beaconmesh": ["ArgumentParser"],
        "mesh-lab": ["ArgumentParser"],
    ]

    /// Rooms of the same layer that a room may import.
    static let neighbours: [String: Set<String>] = [
        "Accounts": ["Records"], "Registry": ["Records"], "Notifications": ["Records"],
        "Reporting": ["Records"], "BrokerAccess": ["Records"],
        "Detections": ["Notifications", "Records", "Reporting"],
        "Workouts": ["Records", "Reporting"],
        "Activities": ["Notifications", "Records", "Reporting"],
        "CoordinatorService": ["SiteService"],
        "Calibration": ["Scanner", "SiteClient", "SurveyFiles"],
        "Demo": ["Simulation"], "Logbook": ["SiteClient"],
        "Scenarios": ["LocatingLab"],
    ]

    /// Imports that the rules forbid.
    static func faults(in files: [Checkout.File], _ rooms: [String: String]) -> [String] {
        files.flatMap { file -> [String] in
            SwiftText.imports(of: file.text).filter { name in
                if file.layer == "Core" { return core[file.module]?.contains(name) != true }
                if ["Foundation", "Glibc", "Synchronization"].contains(name) { return false }
                guard let other = rooms[name] else {
                    return libraries[file.module]?.contains(name) != true
                }
                if other == file.layer {
                    return neighbours[file.module]?.contains(name) != true
                }
                if other == "Lab", file.module != labProgram { return true }
                guard let own = layers.firstIndex(of: file.layer),
                    let below = layers.firstIndex(of: other)
                else { return true }
                return below > own
            }.map { "\(file.path) imports \($0)" }
        }
    }

    /// The layer of each room.
    static func rooms(of files: [Checkout.File]) -> [String: String] {
        Dictionary(files.map { ($0.module, $0.layer) }, uniquingKeysWith: { a, _ in a })
    }

    /// Everything that a room imports, and what that imports.
    static func closure(of room: String, in files: [Checkout.File]) -> Set<String> {
        var direct: [String: Set<String>] = [:]
        for file in files {
            direct[file.module, default: []].formUnion(SwiftText.imports(of: file.text))
        }
        var reached: Set = [room]
        while true {
            let wider = reached.union(reached.flatMap { direct[$0] ?? [] })
            guard wider != reached else { return reached }
            reached = wider
        }
    }

    @Test func `every import points down`() throws {
        let files = try Checkout.swift(in: "Sources")
        #expect(Self.faults(in: files, Self.rooms(of: files)) == [])
    }

    @Test func `every room has its rule`() throws {
        let rooms = Self.rooms(of: try Checkout.swift(in: "Sources"))
        #expect(Set(rooms.keys) == Set(Self.core.keys).union(Self.libraries.keys))
        #expect(Set(rooms.values) == Set(Self.layers))
        for room in Self.core.keys { #expect(rooms[room] == "Core", "\(room)") }
    }

    @Test func `no shell may import another`() throws {
        let rooms = Self.rooms(of: try Checkout.swift(in: "Sources"))
        for (room, layer) in rooms where layer == "Shells" {
            #expect(Self.neighbours[room] == nil, "\(room)")
        }
    }

    @Test func `a node carries neither the site's machines, nor a database, nor a web server`()
        throws
    {
        let reached = Self.closure(of: "beacon-node", in: try Checkout.swift(in: "Sources"))
        let kept: Set = [
            "SiteEngine", "SitePipeline", "Positioning", "SiteStore", "GRDB", "WebServer",
            "Hummingbird", "ArgumentParser", "CoordinatorService",
        ]
        #expect(reached.intersection(kept) == [])
        #expect(reached.contains("CBlueZ"))
    }

    @Test func `a coordinator carries no tool`() throws {
        let files = try Checkout.swift(in: "Sources")
        let reached = Self.closure(of: "beacon-coordinator", in: files)
        let tools = Self.rooms(of: files).filter { $0.value == "Tools" }.keys
        #expect(tools.count > 5)
        #expect(reached.intersection(tools) == [])
        #expect(reached.isDisjoint(with: ["ArgumentParser", "Radio", "CBlueZ", "NodeService"]))
        #expect(reached.contains("GRDB"))
    }

    @Test func `only mesh-lab carries the lab`() throws {
        let files = try Checkout.swift(in: "Sources")
        let rooms = Self.rooms(of: files)
        let lab = rooms.filter { $0.value == "Lab" }.keys
        #expect(lab.count > 2)
        for program in rooms.filter({ $0.value == "Programs" }).keys.sorted() {
            let carried = Self.closure(of: program, in: files).intersection(lab)
            #expect(carried == (program == Self.labProgram ? Set(lab) : []), "\(program)")
        }
    }

    /// The rooms that the package description says a target depends on.
    static func dependencies(in manifest: String) throws -> [String: Set<String>] {
        let target = try Regex(
            #"\.(?:target|executableTarget)\(\s*name: "([^"]+)"(?:,\s*dependencies: \[([\s\S]*?)\])?,\s*path:"#
        )
        var found: [String: Set<String>] = [:]
        for match in manifest.matches(of: target) {
            guard let name = match.output[1].substring else { continue }
            let list = match.output[2].substring ?? ""
            let names = list.matches(of: /"([^"]+)"/).map { String($0.1) }
            found[String(name)] = Set(names)
        }
        return found
    }

    @Test func `the package says of each target what its files import`() throws {
        let files = try Checkout.swift(in: "Sources")
        let said = try Self.dependencies(in: try Checkout.text("Package.swift"))
        let rooms = Self.rooms(of: files)
        for room in rooms.keys {
            let imported = Set(
                files.filter { $0.module == room }.flatMap { SwiftText.imports(of: $0.text) })
            let ours = imported.filter { rooms[$0] != nil }
            #expect(said[room]?.filter { rooms[$0] != nil } == ours, "\(room)")
        }
    }

    @Test(arguments: [
        "import Foundation", "@preconcurrency import Glibc",
        "package import struct SiteStore.Store",
        "  import SiteStore", "import Glibc; import SiteModel", "import NodeEngine",
    ])
    func `an import that points up is noticed`(line: String) {
        let source = "import SiteModel // import Foundation\n/* import Glibc */\n\(line)\n"
        let file = Checkout.File(path: "Sources/Core/Wire/X.swift", text: source)
        let rooms = ["SiteModel": "Core", "NodeEngine": "Core", "SiteStore": "Shells"]
        #expect(Self.faults(in: [file], rooms).count == 1)
        let tool = Checkout.File(
            path: "Sources/Services/CoordinatorService/X.swift", text: "import Demo\n")
        #expect(Self.faults(in: [tool], ["Demo": "Tools"]).count == 1)
        let shell = Checkout.File(path: "Sources/Shells/Radio/X.swift", text: "import Broker\n")
        #expect(Self.faults(in: [shell], ["Broker": "Shells"]).count == 1)
        for (path, faults) in [
            ("Programs/beaconmesh", 1), ("Programs/mesh-lab", 0), ("Tools/Calibration", 1),
        ] {
            let file = Checkout.File(path: "Sources/\(path)/X.swift", text: "import Scenarios\n")
            #expect(Self.faults(in: [file], ["Scenarios": "Lab"]).count == faults, "\(path)")
        }
    }
}
