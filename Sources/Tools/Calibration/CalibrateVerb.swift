import Registry
import ArgumentParser
import Broker
import CoordinatorService
import Foundation
import Platform
import Scanner
import SiteClient
import SiteModel
import SiteStore
import SiteService

/// `beaconmesh calibrate`: teaches a site its places.
package struct CalibrateVerb: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Teaches a site its places: stand at each for a minute, look, apply.",
        discussion: """
            stand and walk listen to the site while it runs and store what they heard; nothing \
            changes by that. show says how well the places can be told apart. apply learns a model \
            from all that is stored and puts it in force; a running coordinator takes it at \
            once. rollback puts an older one back.

            beaconmesh calibrate stand bench-1 --user "Emre K." --config coordinator.yaml
            beaconmesh calibrate show --config coordinator.yaml
            beaconmesh calibrate apply --config coordinator.yaml

            It works on the site's database, so run it on the coordinator's machine.
            """,
        subcommands: [
            Stand.self, Walk.self, Import.self, Show.self, Apply.self, Discard.self, Rollback.self,
            List.self,
            Forget.self,
        ])

    package init() {}
}

extension CalibrateVerb {
    /// `calibrate stand PLACE`
    struct Stand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Listens for a minute while somebody stands at a place.",
            discussion: """
                Turn round slowly while you stand there, as people do who train. If a node of \
                another place was clearly louder than those of this one, or those hardly heard you, \
                it says so, stores nothing and ends with 75.
                """)

        @Argument(
            help: "The station, or the room (its floor away from the stations): its id or its name."
        )
        var place: String

        @OptionGroup var listening: CalibrationListening

        @Option(help: "How long, in seconds.")
        var seconds = 60

        @Flag(help: "Store also what is doubted.")
        var force = false

        func validate() throws {
            guard (10...ModelTable.surveySecondsKept).contains(seconds) else {
                throw ValidationError("--seconds: 10 to \(ModelTable.surveySecondsKept)")
            }
        }

        func run() async throws {
            var following = try listening.follow()
            let site = following.site
            defer {
                following.listener.end()
                site.store.close()
            }
            let line = StatusLine()
            let stand = Calibration.Stand(
                place: try site.place(place), seconds: seconds, say: line.show)
            let legs: [SurveyLeg]
            do {
                defer { line.end() }
                legs = try stand.run(&following)
            }
            let doubts = StandDoubts(at: site).lines(about: legs)
            for line in doubts { StandardError.write("! \(line)\n") }
            guard doubts.isEmpty || force else {
                throw Exit(
                    code: Exit.unfinished,
                    text: "nothing is stored; if it is right all the same, repeat it with --force")
            }
            for leg in legs { try site.write(.models(.addSurvey([site.correcting(leg)]))) }
            let count = legs.reduce(0) { $0 + $1.seconds.count }
            print("\(count) s at \(site.text(stand.place)) are stored")
            let taught = try CalibrationSite(database: site.store.path, isReading: true)
            defer { taught.store.close() }
            let report = try CalibrateVerb.report(taught)
            for warning in report.warnings { print("! \(warning)") }
            print("beaconmesh calibrate apply puts what is learned in force")
        }
    }

    /// `calibrate walk`
    struct Walk: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Listens while somebody walks by places and says where they are.",
            discussion: """
                Without --route, type a place and press return when you get there, return alone \
                when you leave it, and “.” at the end.
                """)

        @OptionGroup var listening: CalibrationListening

        @Option(help: "A CSV file of t,place: seconds since the start, and a place or nothing.")
        var route: String?

        @Option(help: "How long at most, in seconds.")
        var seconds = 1800

        func validate() throws {
            guard (10...7200).contains(seconds) else {
                throw ValidationError("--seconds: 10 to 7200")
            }
        }

        func run() async throws {
            var following = try listening.follow()
            let site = following.site
            defer {
                following.listener.end()
                site.store.close()
            }
            let line = StatusLine()
            let steps = try route.map { file in
                guard let data = FileManager.default.contents(atPath: file) else {
                    throw Exit(code: 78, text: "\(file): cannot be read")
                }
                return try Route(
                    csv: String(decoding: data, as: UTF8.self), named: file, at: site)
            }
            let walk = Calibration.Walk(route: steps, seconds: seconds, say: line.show)
            let walks: [[SurveyLeg]]
            do {
                defer { line.end() }
                walks = try walk.run(&following)
            }
            guard !walks.isEmpty else {
                throw Exit(
                    code: Exit.unfinished, text: "nothing was heard at any place; nothing is stored"
                )
            }
            for legs in walks { try site.write(.models(.addSurvey(legs.map(site.correcting)))) }
            var counts: [Place: Int] = [:]
            for leg in walks.joined() { counts[leg.place, default: 0] += leg.seconds.count }
            for place in counts.keys.sorted() {
                print("\(counts[place] ?? 0) s at \(site.text(place)) are stored")
            }
            for line in StandDoubts(at: site).lines(about: Array(walks.joined())) {
                print("! \(line)")
            }
        }
    }

    /// What all that is stored teaches.
    static func report(_ site: CalibrationSite) throws -> CalibrationReport {
        CalibrationReport(
            Gathered(try site.stored { try ModelTable(site.store).survey() }, at: site), at: site)
    }
}

extension DatabaseOptions {
    /// Opens the site that is to be calibrated; `isReading`: only looked at.
    func site(isReading: Bool = false) throws -> CalibrationSite {
        let path = try path()
        return try isReading
            ? CalibrationSite(database: path, isReading: true) : CalibrationSite(writing: path)
    }
}

extension CalibrationSite {
    /// Opens a site that is written later: whoever cannot write learns that before they walk about.
    init(writing database: String) throws {
        if FileManager.default.fileExists(atPath: database) {
            try Self.with(database) { _ in }
        }
        try self.init(database: database, isReading: true)
    }

    /// Writes, and returns after it is stored; the site as it is read here may be what it was before.
    @discardableResult
    func write(_ write: SiteWrite) throws -> SiteWritten {
        try Self.with(store.path) { try $0.write(write) }
    }

    private static func with<Value>(
        _ database: String, _ body: (SiteAccess) throws -> Value
    ) throws -> Value {
        do {
            return try SiteAccess.with(database, as: NSUserName(), body)
        } catch let fault as WriteFault {
            let code: Int32 =
                switch fault.kind {
                case .full, .unanswered: Exit.unfinished
                case .database: 78
                case .refused: fault.code
                }
            throw Exit(code: code, text: fault.text)
        } catch let error as StoreError {
            throw Exit(code: error == .full ? Exit.unfinished : 78, text: "\(error)")
        }
    }
}

/// Whom to follow at a running site.
struct CalibrationListening: ParsableArguments {
    @OptionGroup var coordinator: ConfigurationOptions

    @Option(help: "The beacon that is carried: its id or its name.")
    var beacon: String?

    @Option(help: "Whose beacons are carried: their id (u-…) or their name.")
    var user: String?

    func validate() throws {
        guard (beacon == nil) != (user == nil) else {
            throw ValidationError("give one of --beacon and --user")
        }
    }

    /// Opens the site and begins to listen.
    func follow() throws -> Following {
        StopSignal.install()
        guard let settings = try coordinator.settings() else {
            throw Exit(
                code: 64,
                text: "give --config: there is no \(ConfigurationOptions.usual) on this machine")
        }
        let site = try CalibrationSite(writing: settings.sites[0].database)
        let clock = AnchoredClock()
        let subjects = try site.subjects(beacon: beacon, user: user, at: clock.now)
        let address = BrokerAddress(
            settings.broker, password: try Secret.read(settings.broker.passwordFile))
        return try Following(subjects, at: site, address: address, clock: clock)
    }
}

/// A line on standard error that is written over on a terminal.
struct StatusLine {
    private let terminal = Terminal(descriptor: 2)

    func show(_ line: String) {
        guard let terminal else {
            StandardError.write(line + "\n")
            return
        }
        StandardError.write("\r" + String(line.prefix(terminal.size.columns - 1)) + "\u{1B}[K")
    }

    /// Leaves the line.
    func end() { if terminal != nil { StandardError.write("\n") } }
}

extension CalibrateVerb {
    /// `calibrate import FILE…`
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reads recordings with `true_zone`, or fingerprints with `zone`.",
            discussion: """
                CSV, perhaps with gzip: t_seconds,receiver_id,transmitter_id,rssi_dbm,true_zone, or \
                point_id,zone,t_seconds,receiver_id,transmitter_id,rssi_dbm. Receivers are our \
                nodes, zones our stations and rooms, by slug.
                """)

        @Argument(help: "The files.")
        var files: [String]

        @Option(help: "How the files call a node or place: NAME=SLUG; may be given again.")
        var name: [String] = []

        @OptionGroup var from: DatabaseOptions

        func run() async throws {
            let site = try from.site()
            defer { site.store.close() }
            let labelled = try LabelledFiles(aliases: name, at: site)
            var counts: [Place: Int] = [:]
            // All are read before anything is stored.
            let found = try files.map { try labelled.legs(of: $0) }
            for (legs, warnings) in found {
                for line in warnings { StandardError.write("! \(line)\n") }
                for leg in legs {
                    try site.write(.models(.addSurvey([leg])))
                    counts[leg.place, default: 0] += leg.seconds.count
                }
            }
            for place in counts.keys.sorted() {
                print("\(counts[place] ?? 0) s at \(site.text(place)) are stored")
            }
        }
    }
}
