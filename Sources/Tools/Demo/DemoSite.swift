import Foundation
import Glibc
import Platform
import Registry
import Simulation
import SiteModel
import SiteStore

/// The demonstration gym as a document to import, and the rows its parts got.
package struct DemoSite {
    package let layout = Layout.gym
    package let people: [Person]
    package let document: SiteDocument

    /// The node that plays a recorded log, if one was asked for.
    static let captureNode = "n-capture"

    /// A gym with so many people. With `hasCapture` it has one node more, and publishes what is
    /// not registered.
    package init(people count: Int, seed: UInt64, hasCapture: Bool) {
        let layout = Layout.gym
        let people = Layout.people(count: count, seed: seed)
        self.people = people
        var nodes = layout.nodes.map { node in
            SiteDocument.Node(
                slug: node.slug, name: node.name, room: layout.rooms[node.room].slug,
                station: node.station.map { layout.stations[$0].slug }, x: node.position.x,
                y: node.position.y)
        }
        if hasCapture {
            nodes.append(
                SiteDocument.Node(
                    slug: Self.captureNode, name: "Recorded log", room: layout.rooms[0].slug))
        }
        var document = SiteDocument(
            slug: layout.slug, name: layout.name, timeZone: layout.timeZone, isDemo: true,
            rooms: layout.rooms.map {
                SiteDocument.Room(
                    slug: $0.slug, name: $0.name,
                    area: Area(
                        low: Position(x: $0.low.x, y: $0.low.y),
                        high: Position(x: $0.high.x, y: $0.high.y)))
            },
            stations: layout.stations.map {
                SiteDocument.Station(
                    slug: $0.slug, name: $0.name, room: layout.rooms[$0.room].slug,
                    slots: $0.slots, x: $0.position.x, y: $0.position.y)
            },
            nodes: nodes,
            users: people.map { SiteDocument.User(slug: $0.slug, name: $0.name) },
            beacons: people.map {
                SiteDocument.Beacon(
                    slug: $0.beaconSlug, title: "Tag \($0.minor)", identity: $0.identity,
                    user: $0.slug)
            },
            policy: Policy(publishesUnregistered: hasCapture))
        document.content["exercises"] = StarterExercises.rows
        for index in document.stations.indices {
            guard let use = Self.uses[document.stations[index].slug] else { continue }
            document.stations[index].use.kind = use.kind
            document.stations[index].use.equipment = use.equipment
            document.stations[index].use.exercises = use.exercises
        }
        self.document = document
    }

    /// What each station of the layout is used for.
    var offered: [[DemoTrainer.Offered]] {
        let known = Dictionary(
            StarterExercises.rows.compactMap { row in
                DemoTrainer.Offered(row).map { ($0.exercise.slug, $0) }
            }, uniquingKeysWith: { first, _ in first })
        return layout.stations.map { station in
            (Self.uses[station.slug]?.exercises ?? []).compactMap { known[$0] }
        }
    }

    /// What the stations of the demonstration are for.
    private static let uses:
        [String: (kind: StationKind, equipment: String?, exercises: [String])] =
            [
                "treadmill": (.cardio, nil, ["treadmill-run"]),
                "rower": (.cardio, nil, ["rowing-ergometer"]),
                "bike": (.cardio, nil, ["exercise-bike"]),
                "bench-press": (
                    .bench, "Bar and plates", ["bench-press", "incline-bench-press"]
                ),
                "squat-rack": (
                    .rack, "Bar and plates",
                    ["back-squat", "front-squat", "overhead-press", "deadlift"]
                ),
                "dumbbells": (.other, "2 to 40 kg", ["dumbbell-bench-press"]),
                "mats": (.mat, nil, ["plank", "push-up"]),
                "cable-tower": (.cable, nil, ["triceps-pushdown", "face-pull", "cable-fly"]),
            ]
}

/// The files of a demonstration. A temporary folder goes away with it.
struct DemoFolder {
    let path: String
    private let isTemporary: Bool

    /// Takes a directory, emptied of an earlier demonstration, or makes one, which is its owner's alone: the
    /// log has the code that claims the site.
    init(_ given: String?) throws {
        let files = FileManager.default
        if let given {
            path = URL(fileURLWithPath: given).path
            isTemporary = false
            try files.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            for name in ["site.sqlite", "site.sqlite-wal", "site.sqlite-shm", "state"] {
                let old = path + "/" + name
                if files.fileExists(atPath: old) { try files.removeItem(atPath: old) }
            }
        } else {
            path = NSTemporaryDirectory() + "beaconmesh-demo-\(getpid())"
            isTemporary = true
            try files.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
    }

    /// The site's database.
    var database: String { path + "/site.sqlite" }

    func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file that only its owner may read.
    func write(_ text: String, to name: String) throws {
        let file = file(name)
        guard
            FileManager.default.createFile(
                atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        else { throw Exit(code: 1, text: "\(file): cannot be written") }
    }

    /// Removes a temporary folder.
    func remove() {
        guard isTemporary else { return }
        // Nothing is lost if it stays: the system clears its temporary directory.
        _ = try? FileManager.default.removeItem(atPath: path)
    }
}

/// What `--json` writes: where everything of a demonstration is.
struct DemoDescription: Encodable {
    struct Address: Encodable {
        var host = "127.0.0.1"
        var port: Int

        enum CodingKeys: String, CodingKey {
            case host, port, websocket_port, username, password_file
        }

        /// The keys without a value are written as null: they are part of the promise.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(host, forKey: .host)
            try container.encode(port, forKey: .port)
            try container.encodeNil(forKey: .websocket_port)
            try container.encodeNil(forKey: .username)
            try container.encodeNil(forKey: .password_file)
        }
    }

    struct Part: Encodable {
        var name: String
        var pid: Int32
    }

    var version = 1
    var site: String
    var broker: Address
    var dashboard: String
    var api_token_file: String
    var database: String
    var processes: [Part]
    var seed: UInt64
}
