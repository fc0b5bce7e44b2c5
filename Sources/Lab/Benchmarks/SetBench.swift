import Basics
import JSON
import Operations
import Platform
import Records
import Scheduling
import SiteModel
import SiteStore
import TrainingEngine
import Wire
import Workouts

/// Sets of a gym: `set-answer` and `set-answer-p99`, how long two hundred members who log wait until a set is
/// stored and answered, through a real broker and a real coordinator; `records` and `records-exercise`, what a person
/// of ten years has reached, and `set-recall`, what is looked up for one more set of theirs.
enum SetBench {
    static let figures = [
        "set-answer", "set-answer-p99", "records", "records-exercise", "set-recall",
    ]
    private static let members = 200
    private static let client = "bench"

    static func run(_ context: BenchContext) throws -> [Figure] {
        try answers(context) + records(context)
    }

    // MARK: Answers

    private static func answers(_ context: BenchContext) throws -> [Figure] {
        let folder = try context.directory("sets")
        let rig = try BenchRig(folder: folder)
        defer { rig.stop() }
        let site = try BenchSite(
            people: members, seed: context.seed, in: folder, from: AnchoredClock().now)
        _ = try rig.startCoordinator(of: site)
        var asker = try Asker(site, port: rig.port) { try context.goOn() }
        for user in site.demo.document.users {
            try asker.ask(.startWorkout, of: user.slug) { _ in }
        }
        asker.lengths = []
        let watch = Stopwatch()
        let (rate, seconds) = (50.0, context.amount(quick: 1.0, full: 20.0))
        var number = 0
        while watch.seconds < seconds {
            let early = Double(number) / rate - watch.seconds
            if early > 0 { try asker.pause(seconds: early) }
            let user = site.demo.document.users[number % members].slug
            try asker.ask(.addSet, of: user) { writer in
                writer.key("set")
                writer.beginObject()
                writer.field("id", key(number))
                writer.field("exercise", "bench-press")
                writer.field("reps", 8)
                writer.field("weight_kg", 60 + number % 40)
                writer.endObject()
            }
            number += 1
        }
        let sorted = asker.lengths.sorted()
        let worst = sorted[(sorted.count - 1) * 99 / 100]
        return [
            Figure("set-answer", unit: "ms", Samples(rounds: asker.lengths)),
            Figure(
                "set-answer-p99", unit: "ms", Samples(rounds: [worst]), bar: .atMost(20)),
        ]
    }

    private static func key(_ number: Int) -> String {
        "00000000-0000-4000-8000-\(100_000_000_000 + number)"
    }

    /// A client that waits for each answer.
    struct Asker {
        private final class Answers {
            var last: ResponsePayload?
            var isReady = false
        }

        private let topics: SiteTopics
        private let mqtt: BenchClient
        private let answers = Answers()
        private var count = 0
        /// How long each answer took, in milliseconds.
        var lengths: [Double] = []

        init(_ site: BenchSite, port: Int, goOn: @escaping () throws -> Void) throws {
            topics = site.topics
            mqtt = try BenchClient(client, port: port, goOn: goOn)
            let status = "mesh/v1/core/\(BenchRig.coordinator)/status"
            mqtt.onMessage = { [answers] topic, payload in
                if topic == status {
                    let told = try? CoreStatusPayload(json: payload)
                    answers.isReady = told?.state == .online
                } else {
                    answers.last = try? ResponsePayload(json: payload)
                }
            }
            try mqtt.subscribe([topics.root + "res/\(client)/+", status])
            try mqtt.wait(seconds: 10, for: "coordinator") { [answers] in answers.isReady }
        }

        /// Asks for something about somebody, and waits until it is done.
        mutating func ask(
            _ verb: Verb, of user: String, _ more: (inout JSONWriter) -> Void
        ) throws {
            count += 1
            var writer = JSONWriter()
            writer.beginObject()
            writer.field("user", user)
            more(&writer)
            writer.endObject()
            answers.last = nil
            let watch = Stopwatch()
            try mqtt.publish(
                topics.message(
                    .request, client, verb.name,
                    saying: RequestPayload(id: "b\(count)", json: writer.bytes)))
            try mqtt.wait(seconds: 10, for: "answer to \(verb.name)") { answers.last != nil }
            lengths.append(watch.seconds * 1000)
            if case .error(let code, let message) = answers.last?.outcome {
                throw BenchFailure.failed("\(verb.name): \(code): \(message)")
            }
        }

        func pause(seconds: Double) throws {
            let watch = Stopwatch()
            while watch.seconds < seconds {
                try mqtt.turn(milliseconds: Int64(max(1, (seconds - watch.seconds) * 1000)))
            }
        }
    }

    // MARK: Records

    /// Ten years of training four days a week: 150,000 sets of 25 exercises. A quick run has a tenth of them.
    private static func records(_ context: BenchContext) throws -> [Figure] {
        let folder = try context.directory("records")
        let site = try BenchSite(
            people: 1, seed: context.seed, in: folder, from: BenchContext.start)
        let store = try Store(path: site.database)
        defer { store.close() }
        let user = site.demo.document.users[0].slug
        let lifts = site.plan.exercises.filter { $0.measure == .reps }.prefix(25).map(\.slug)
        let file = try file(of: lifts, count: context.amount(quick: 300, full: 3000))
        var taking = HistoryImport(file.workouts, of: user, file.layout)
        let asker = Records.Asker(name: client, via: .cli, at: BenchContext.start)
        while try taking.step(on: store, by: asker) == nil { try context.goOn() }
        let statistics = TrainingStatistics(store)
        let recall = Recall(user: UserID(1), exercise: lifts[0])
        let (rounds, isLimited) = (context.amount(quick: 3, full: 20), !context.isQuick)
        func milliseconds(_ body: () throws -> Void) throws -> Samples {
            try body()
            return Samples(
                rounds: try (0..<rounds).map { _ in
                    try context.goOn()
                    let watch = Stopwatch()
                    try body()
                    return watch.seconds * 1000
                })
        }
        let all = try milliseconds { _ = try statistics.records(of: user) }
        let one = try milliseconds { _ = try statistics.records(of: user, in: lifts[0]) }
        let looked = try milliseconds { _ = try store.recall([recall]) }
        return [
            Figure("records", unit: "ms", all),
            Figure(
                "records-exercise", unit: "ms", one, bar: isLimited ? .atMost(20) : nil),
            Figure("set-recall", unit: "ms", looked, bar: isLimited ? .atMost(20) : nil),
        ]
    }

    /// So many workouts of fifty sets, as a file has them.
    private static func file(of lifts: [String], count: Int) throws -> HistoryFile {
        var csv =
            "workout,started_ms,ended_ms,title,set,exercise,kind,reps,weight_kg,duration_s,distance_m,"
            + "rir,station,at_ms,note\n"
        for number in 0..<count {
            let days = Double(count - number) * 3650 / 3000
            let from = (BenchContext.start - .seconds(days * 86_400)).milliseconds
            for index in 0..<50 {
                let kind = index % 10 == 0 ? "warm-up" : "working"
                let lift = lifts[(number + index / 2) % lifts.count]
                csv +=
                    "\(number),\(from),\(from + 3_600_000),,\(key(number * 50 + index)),\(lift),\(kind),"
                csv +=
                    "\(5 + index % 8),\(40 + number / 50 + index % 5 * 2),,,,,\(from + Int64(index) * 60_000),\n"
            }
        }
        return try HistoryFile.read(
            Array(csv.utf8), in: SiteCalendar(zone: "Etc/UTC"), now: BenchContext.start)
    }
}
