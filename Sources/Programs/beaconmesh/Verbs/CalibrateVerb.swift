import ArgumentParser
import Calibration
import Foundation
import SiteModel
import SiteStore
import Platform

/// `beaconmesh calibrate`: teaches a site its places.
struct CalibrateVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
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
}

extension CalibrateVerb {
    /// `calibrate stand PLACE`
    struct Stand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Listens for a minute while somebody stands at a place.",
            discussion: "Turn round slowly while you stand there, as people do who train.")

        @Argument(
            help: "The station, or the room (its floor away from the stations): its id or its name."
        )
        var place: String

        @OptionGroup var listening: CalibrationListening

        @Option(help: "How long, in seconds.")
        var seconds = 60

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
            for leg in legs { try site.write(.addSurvey([leg])) }
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
            for legs in walks { try site.write(.addSurvey(legs)) }
            var counts: [Place: Int] = [:]
            for leg in walks.joined() { counts[leg.place, default: 0] += leg.seconds.count }
            for place in counts.keys.sorted() {
                print("\(counts[place] ?? 0) s at \(site.text(place)) are stored")
            }
        }
    }

    /// What all that is stored teaches.
    static func report(_ site: CalibrationSite) throws -> CalibrationReport {
        CalibrationReport(
            Gathered(try site.stored { try ModelTable(site.store).survey() }, at: site), at: site)
    }
}
