import Foundation
import Platform
import Registry
import SiteModel
import SiteStore
import SiteService
import Synchronization
import Wire

/// A large site, 10,000 people, 4,000 beacons and 1,000 stations, whose rows are changed over HTTP at a real coordinator:
/// `row-read`, `row-edit` and `row-add`, how long a row takes to be read, a person to be renamed, and a tag to be added
/// with the machines' new plan, each with its 99th percentile; `row-edit-wait`, the longest that a set of somebody waits
/// for its answer meanwhile. Each request has a connection of its own.
enum RowEditBench {
    static let figures = [
        "row-read", "row-read-p99", "row-edit", "row-edit-p99", "row-add", "row-add-p99",
        "row-edit-wait",
    ]

    static func run(_ context: BenchContext) throws -> [Figure] {
        let folder = try context.directory("row-edits")
        let rig = try BenchRig(folder: folder)
        defer { rig.stop() }
        let now = AnchoredClock().now
        let site = try BenchSite(people: 20, seed: context.seed, in: folder, from: now)
        let (people, beacons, stations) = context.amount(
            quick: (980, 400, 100), full: (9980, 4000, 1000))
        let document = grown(site.demo.document, people, beacons, stations)
        let store = try Store(path: site.database)
        try SiteImport(store).importDocument(document, at: now - .seconds(30))
        store.close()
        _ = try rig.startCoordinator(of: site)
        var asker = try SetBench.Asker(site, port: rig.port) { try context.goOn() }
        let user = site.demo.document.users[0].slug
        try asker.ask(.startWorkout, of: user) { _ in }

        let count = context.amount(quick: 20, full: 300)
        let edits = Edits(database: site.database, people: people, count: count)
        asker.lengths = []
        Thread.detachNewThread { edits.run() }
        var number = 0
        while !edits.isOver {
            try context.goOn()
            try asker.ask(.addSet, of: user) { writer in
                writer.key("set")
                writer.beginObject()
                writer.field("id", "00000000-0000-4000-8000-\(200_000_000_000 + number)")
                writer.field("exercise", "bench-press")
                writer.field("reps", 8)
                writer.field("weight_kg", 60)
                writer.endObject()
            }
            number += 1
            try asker.pause(seconds: 0.02)
        }
        let lengths = try edits.lengths()
        func figures(_ name: String, _ lengths: [Double], _ most: Double) -> [Figure] {
            let sorted = lengths.sorted()
            return [
                Figure(name, unit: "ms", Samples(rounds: lengths)),
                Figure(
                    name + "-p99", unit: "ms",
                    Samples(rounds: [sorted[(sorted.count - 1) * 99 / 100]]),
                    bar: context.isQuick ? nil : .atMost(most)),
            ]
        }
        return figures("row-read", lengths.reads, 3) + figures("row-edit", lengths.edits, 20)
            + figures("row-add", lengths.adds, 40) + [
                Figure(
                    "row-edit-wait", unit: "ms", Samples(rounds: [asker.lengths.max() ?? 0]),
                    bar: context.isQuick ? nil : .atMost(50))
            ]
    }

    /// A site with many more people, beacons and stations.
    private static func grown(
        _ document: SiteDocument, _ people: Int, _ beacons: Int, _ stations: Int
    ) -> SiteDocument {
        var document = document
        let room = document.rooms[0].slug
        document.users += (0..<people).map { .init(slug: "u-many-\($0)", name: "Person \($0)") }
        document.stations += (0..<stations).map {
            .init(slug: "many-\($0)", name: "Station \($0)", room: room, slots: 1)
        }
        document.beacons += (0..<beacons).map {
            .init(
                slug: "many-\($0)", title: "Tag \($0)",
                identity: .address(0xC000_0000_0000 + UInt64($0)), user: "u-many-\($0)")
        }
        return document
    }

    /// The edits, on a thread of their own, and how long each took, in milliseconds.
    private final class Edits: Sendable {
        struct Lengths {
            var reads: [Double] = []
            var edits: [Double] = []
            var adds: [Double] = []
        }

        private let database: String
        private let people: Int
        private let count: Int
        private let result = Mutex<Result<Lengths, any Error>?>(nil)

        init(database: String, people: Int, count: Int) {
            self.database = database
            self.people = people
            self.count = count
        }

        var isOver: Bool { result.withLock { $0 != nil } }

        func lengths() throws -> Lengths {
            guard let result = result.withLock({ $0 }) else {
                throw BenchFailure.failed("the edits are not over")
            }
            return try result.get()
        }

        func run() {
            let made = Result {
                var lengths = Lengths()
                for number in 0..<count {
                    let person = number * 7 % people
                    lengths.reads.append(try ask("GET", "users/u-many-\(person)", nil))
                    lengths.edits.append(
                        try ask(
                            "PATCH", "users/u-many-\(person)", "{\"name\":\"Renamed \(number)\"}"))
                }
                for number in 0..<min(count, 50) {
                    let identity = "mac-d\(String(100_000_000_000 + number).dropFirst())"
                    let body =
                        "{\"id\":\"new-\(number)\",\"identity\":\"\(identity)\","
                        + "\"user\":\"u-many-\(people - 1 - number)\"}"
                    lengths.adds.append(try ask("POST", "beacons", body))
                }
                return lengths
            }
            result.withLock { $0 = made }
        }

        private func ask(_ method: String, _ path: String, _ body: String?) throws -> Double {
            let watch = Stopwatch()
            let answer = try SiteAccess.ask(
                database, method, "/api/v1/\(path)", [("Content-Type", "application/json")],
                Data((body ?? "").utf8))
            guard (200..<300).contains(answer.status) else {
                let text = String(decoding: answer.body, as: UTF8.self)
                throw BenchFailure.failed("\(method) \(path): \(answer.status) \(text)")
            }
            return watch.seconds * 1000
        }
    }
}
