import ArgumentParser
import Foundation
import Simulation
import Platform

/// `mesh-lab simulate`: recordings with truth, and what rules make of them.
package struct SimulateVerb: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Writes simulated recordings with truth, or scores rules on them.",
        discussion: """
            With --out DIR people stay and walk at a site, and what receivers hear of their tags is \
            written as `locate --compare DIR` reads it: dataset.json, walk.readings.csv.gz, \
            walk.truth.csv, walk.positions.csv.gz, and fingerprints_station.csv.gz, a minute at each \
            spot on another day. Everything follows from the options: the same ones write the same \
            bytes. With --score a table of rules by scenarios is printed instead; with --json it is \
            what Tests/SimulationTests/Baselines/locating.json holds. With --attendance people come to \
            work and to train for a month, at two sites where nodes, brokers, coordinators and the \
            power fail; the sessions are held against the truth, against those of a month in which \
            nothing but the power failed, and against what stored evidence says. With --training \
            members train for a week and touch no phone but to wait for a station; when workouts \
            begin, pause and end by themselves is held against the truth.
            """)

    @Option(help: "The folder to write.")
    package var out: String?

    @Flag(help: "Score rules on the scenarios.")
    package var score = false

    @Flag(help: "Score longer: more people, more time, more seeds.")
    package var long = false

    @Flag(help: "Print the scores as JSON.")
    package var json = false

    @Option(help: "The site: \(FloorPlan.all.map(\.name).joined(separator: ", ")).")
    package var site = "gym"

    @Flag(help: "Simulate a month of attendance at two sites, with outages.")
    package var attendance = false

    @Flag(help: "Simulate a week of workouts that begin, pause and end by themselves.")
    package var training = false

    @Option(help: "How many people there are; 4 who wander about, 60 who attend, 200 who train.")
    package var people: Int?

    @Option(help: "How many days, in October 2026; 30 of attendance, 7 of training.")
    package var days: Int?

    @Option(help: "How long, in minutes.")
    package var minutes = 30.0

    @Option(help: "Everything follows from this number; 7, for attendance and training 1.")
    package var seed: UInt64?

    @OptionGroup package var air: AirOptions

    package func validate() throws {
        guard score || attendance || training || out != nil else {
            throw ValidationError(
                "say where to write with --out DIR, or ask for --score, --attendance or --training")
        }
        guard [score, attendance, training].count(where: { $0 }) < 2 else {
            throw ValidationError(
                "--score, --attendance and --training are three things; ask for one")
        }
        if let days, !(1...120).contains(days) {
            throw ValidationError("--days \(days): not within 1 and 120")
        }
        guard !(score || training) || out == nil else {
            throw ValidationError(
                "--\(score ? "score" : "training") writes no folder; leave out --out")
        }
        guard FloorPlan.all.contains(where: { $0.name == site }) else {
            let known = FloorPlan.all.map(\.name).joined(separator: ", ")
            throw ValidationError("--site \(site): not one of \(known)")
        }
        if let people, !(1...1000).contains(people) {
            throw ValidationError("--people \(people): not within 1 and 1000")
        }
        guard minutes > 0, minutes <= 10_080 else {
            throw ValidationError("--minutes \(minutes): not above 0 and at most a week")
        }
    }

    package func run() async throws {
        if score {
            let report = LocatingReport(size: long ? .long : .short) { name in
                StandardError.line("simulate: \(name)")
            }
            print(json ? report.json : report.table)
            return
        }
        if attendance {
            try attend()
            return
        }
        if training {
            let options = TrainingWeek.Options(
                people: people ?? 200, days: days ?? 7, seed: seed ?? 1)
            let report = try TrainingReport(options) { share in
                StandardError.line("simulate: week \(Int(share * 100)) %")
            }
            print(json ? try report.json : report.text)
            return
        }
        guard let out, let plan = FloorPlan.all.first(where: { $0.name == site }) else { return }
        let conditions = try air.conditions(at: plan)
        let (people, seed) = (people ?? 4, seed ?? 7)
        let walk = SimulatedRecording(
            plan, conditions, people: people, seconds: minutes * 60, seed: seed)
        let stand = SimulatedRecording(
            standing: plan, conditions, seconds: Self.minute, seed: seed)
        try SimulatedFolder(plan, at: out).write(
            walk, standing: stand, seconds: Self.minute, rate: 1 / conditions.interval)
        let visits = walk.visits.map(\.count).reduce(0, +)
        print("\(out): \(walk.readings.count) readings, \(visits) visits, \(people) people")
    }

    /// The month of attendance. Its databases stay where `--out` says.
    private func attend() throws {
        let folder = try MonthFolder(out)
        defer { folder.remove() }
        let options = MonthRun.Options(people: people ?? 60, days: days ?? 30, seed: seed ?? 1)
        let report = try MonthReport(options, in: folder.path) { part, share in
            StandardError.line("simulate: \(part) \(Int(share * 100)) %")
        }
        print(json ? try report.json : report.text)
    }

    private static let minute = 60.0

    package init() {}
}

/// What the air of a simulated recording is like, as options.
package struct AirOptions: ParsableArguments {
    @Option(help: "Seconds between two packets of a tag.")
    var interval: Double?

    @Option(help: "How receivers differ: standard deviation in dB.")
    var offsets: Double?

    @Option(help: "How tags differ: standard deviation in dB.")
    var tags: Double?

    @Option(help: "The chance that a packet is lost whatever its level, 0 ... 1.")
    var loss: Double?

    @Option(help: "What the carrier's body takes, in dB.")
    var body: Double?

    @Option(help: "Slow fades of a link a minute.")
    var fades: Double?

    @Option(help: "How far receivers' clocks are off: standard deviation in seconds.")
    var skew: Double?

    @Option(help: "The chance that a reading comes twice, 0 ... 1.")
    var duplicates: Double?

    @Option(help: "The chance that a reading is 20 dB too strong, 0 ... 1.")
    var spikes: Double?

    @Option(help: "A dead receiver, RECEIVER or RECEIVER:FROM:TO in seconds; may be repeated.")
    var dead: [String] = []

    package init() {}

    /// The conditions; throws a `ValidationError` that names the option.
    func conditions(at plan: FloorPlan) throws -> Conditions {
        var conditions = Conditions()
        func take(
            _ value: Double?, _ name: String, _ range: ClosedRange<Double>,
            _ field: WritableKeyPath<Conditions, Double>
        ) throws {
            guard let value else { return }
            guard range.contains(value) else {
                throw ValidationError(
                    "--\(name) \(value): not within \(range.lowerBound) and \(range.upperBound)")
            }
            conditions[keyPath: field] = value
        }
        try take(interval, "interval", 0.02...3600, \.interval)
        try take(offsets, "offsets", 0...30, \.receiverOffset)
        try take(tags, "tags", 0...30, \.tagOffset)
        try take(loss, "loss", 0...1, \.loss)
        try take(body, "body", 0...40, \.body)
        try take(fades, "fades", 0...60, \.slowFades)
        try take(skew, "skew", 0...10, \.skew)
        try take(duplicates, "duplicates", 0...1, \.duplication)
        try take(spikes, "spikes", 0...1, \.spikes)
        conditions.outages = plan.receivers.map { _ in [] }
        for text in dead {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard let index = plan.receivers.firstIndex(where: { $0.id == parts[0] }) else {
                let known = plan.receivers.map(\.id).joined(separator: ", ")
                throw ValidationError("--dead \(text): not one of \(known)")
            }
            let times = parts.dropFirst().map { Double($0) ?? .nan }
            let (from, to) =
                times.count == 2 ? (times[0], times[1]) : (0, parts.count == 1 ? .infinity : .nan)
            guard from <= to else {
                throw ValidationError("--dead \(text): not RECEIVER or RECEIVER:FROM:TO")
            }
            conditions.outages[index].append(from...to)
        }
        return conditions
    }
}
