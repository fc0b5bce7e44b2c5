import Foundation
import Platform
import SiteModel
import SurveyFiles

/// All rules on all sequences under all conditions.
struct LocateComparison: Sendable {
    /// One run.
    struct Trial: Sendable {
        var place: Int
        var sequence: Int
        var lesson: Lesson
        /// Readings a second that are left of each link, or `nil` for all.
        var rate: Double?
        /// A receiver that is dead and known to be.
        var dead: Int?
        var contender: Contender
    }

    /// How often a tag sends that saves its battery, a second.
    static let thin = 0.5

    private let places: [RecordedPlace]
    private let quickness: Double
    private let models: [Lesson: (site: RecordedSite, model: PlaceModel?)]
    /// By place, what was recorded there before.
    private let warmUps: [WarmUp?]
    /// What is to be run, in the order of the tables.
    let trials: [Trial]

    /// Learns every lesson. `warmUp` are files in the folders of the places, recorded there before; a
    /// sequence that is one of them is not scored. Throws `Exit` for files that cannot be learned from,
    /// and for one of no place.
    init(
        _ places: [RecordedPlace], quickness: Double, warmUp: [String] = [],
        tell: (String) -> Void = { _ in }
    ) throws {
        let paths = warmUp.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath() }
        for (path, name) in zip(paths, warmUp)
        where !places.contains(where: { $0.directory == path.deletingLastPathComponent() }) {
            throw Exit(
                code: 2,
                text: "--warm-up \(name): in none of the folders that are compared")
        }
        let warmUps = try places.map { place -> WarmUp? in
            let own = paths.filter { $0.deletingLastPathComponent() == place.directory }
            guard !own.isEmpty else { return nil }
            let warmUp = try WarmUp(own.map(\.path), at: place.site, tell: tell)
            tell("\(place.site.name): \(warmUp.words(at: place.site))")
            return warmUp
        }
        self.warmUps = warmUps
        self.places = places
        self.quickness = quickness
        var trials: [Trial] = []
        var models: [Lesson: (site: RecordedSite, model: PlaceModel?)] = [:]
        for (number, place) in places.enumerated() {
            for (index, sequence) in place.sequences.enumerated()
            where !sequence.isForTraining
                && !paths.contains(URL(fileURLWithPath: sequence.path).resolvingSymlinksInPath())
            {
                let own = Self.trials(place: number, sequence: index, sequence, at: place)
                trials += own
                for trial in own where models[trial.lesson] == nil && trial.lesson != .none {
                    models[trial.lesson] = try trial.lesson.model(
                        of: place.site, warmUp: warmUps[number])
                }
            }
        }
        self.trials = trials
        self.models = models
    }

    /// Runs one.
    func score(_ trial: Trial) -> ZoneScore {
        let place = places[trial.place]
        let sequence = place.sequences[trial.sequence]
        let (site, model) = models[trial.lesson] ?? (place.site, nil)
        var readings = sequence.recording
        let dead = trial.dead.map { Set([$0]) } ?? []
        readings.silence(dead)
        if let rate = trial.rate { readings.thin(to: rate, receivers: site.receivers.count) }
        let answers = trial.contender.answers(
            to: readings, at: site, model: model, dead: dead, quickness: quickness,
            warmUp: warmUps[trial.place])
        var score = ZoneScore()
        for name in sequence.truth.transmitters {
            let who = readings.transmitters.firstIndex(of: name)
            score.add(
                sequence.truth.visits[name] ?? [], from: who.map { readings.firstSeconds[$0] } ?? 0,
                answers: who.map { answers[$0] } ?? [])
        }
        return score
    }

    /// Runs all, as many at once as there are processors. `progress` is told which share is done.
    func scores(progress: (Double) -> Void) async -> [ZoneScore] {
        var scores = trials.map { _ in ZoneScore() }
        await withTaskGroup(of: (Int, ZoneScore).self) { group in
            var next = 0
            func addNext() {
                guard next < trials.count else { return }
                let (index, trial) = (next, trials[next])
                group.addTask { (index, score(trial)) }
                next += 1
            }
            for _ in 0..<Self.atOnce { addNext() }
            var done = 0
            while let (index, score) = await group.next() {
                scores[index] = score
                done += 1
                progress(Double(done) / Double(trials.count))
                addNext()
            }
        }
        return scores
    }

    /// The title of a trial's table, and of the table of its kind of sequence.
    func titles(of trial: Trial) -> (sequence: String, group: String, place: String) {
        let place = places[trial.place]
        let sequence = place.sequences[trial.sequence]
        return ("\(place.site.name)/\(sequence.id)", sequence.group, place.site.name)
    }

    /// What a dead receiver is called.
    func name(of receiver: Int, in trial: Trial) -> String {
        places[trial.place].site.receivers[receiver].id
    }

    private static let atOnce = 8

    private static func trials(
        place: Int, sequence: Int, _ recorded: RecordedSequence, at recordedPlace: RecordedPlace
    ) -> [Trial] {
        let lessons = Lesson.all(for: recorded, at: recordedPlace)
        func trial(
            _ contender: Contender, _ lesson: Lesson, rate: Double? = nil, dead: Int? = nil
        ) -> Trial {
            Trial(
                place: place, sequence: sequence, lesson: lesson, rate: rate, dead: dead,
                contender: contender)
        }
        var trials = Contender.all.map { trial($0, .none) }
        for lesson in lessons {
            trials += Contender.all.filter(\.learns).map { trial($0, lesson) }
        }
        let best = lessons.first ?? .none
        trials += Contender.all.map { trial($0, best, rate: thin) }
        let receivers = recordedPlace.site.receivers
        for receiver in receivers.indices
        where receivers[receiver].zone != nil && receivers.count > 1 {
            trials += Contender.all.map { trial($0, best, dead: receiver) }
        }
        return trials
    }
}
