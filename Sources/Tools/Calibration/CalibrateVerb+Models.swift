import ArgumentParser
import Basics
import Foundation
import SiteModel
import Platform
import Registry
import SiteClient
import SiteStore

/// What needs no broker: looking at what was gathered, and putting models in force.
extension CalibrateVerb {
    /// `calibrate show`
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows what is gathered, and how well the places can be told apart by it.")

        @OptionGroup var from: DatabaseOptions

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            let site = try from.site(isReading: true)
            defer { site.store.close() }
            let report = try CalibrateVerb.report(site)
            if json {
                print(try report.json)
                return
            }
            print(report.text)
            let known = Set(report.learned.map { CalibrateVerb.slug(of: $0.place, at: site) })
            let document = try site.stored { try SiteImport(site.store).document() }
            let lines = document.map { SiteWarnings.of($0, learned: known) } ?? []
            for line in lines { print("! \(line)") }
        }
    }

    /// `calibrate apply`
    struct Apply: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Learns a model from all that is gathered and puts it in force.")

        @OptionGroup var from: DatabaseOptions

        func run() async throws {
            let site = try from.site()
            defer { site.store.close() }
            let gathered = Gathered(
                try site.stored { try ModelTable(site.store).survey() }, at: site)
            let report = CalibrationReport(gathered, at: site)
            for warning in report.warnings { print("! \(warning)") }
            guard let model = report.model, !model.spots.isEmpty else {
                throw Exit(
                    code: Exit.unfinished,
                    text: "nothing is learned: use beaconmesh calibrate stand first")
            }
            let revision = try site.write(
                .models(
                    .apply(
                        model, through: gathered.through, seconds: report.seconds,
                        accuracy: report.accuracy))
            ).number
            print(
                "model \(revision) is in force: \(report.learned.count) places; \(report.promise)"
            )
        }
    }

    /// `calibrate discard`
    struct Discard: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Drops what was gathered since the model in force was learned.")

        @OptionGroup var from: DatabaseOptions

        func run() async throws {
            let site = try from.site()
            defer { site.store.close() }
            let seconds = try site.write(.models(.discardSurvey)).number
            print(seconds == 0 ? "there was nothing to discard" : "\(seconds) s are discarded")
        }
    }

    /// `calibrate rollback REVISION`
    struct Rollback: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Puts an older model back in force; 0 is none.")

        @Argument(help: "Its revision, as `calibrate list` shows it.")
        var revision: Int64

        @OptionGroup var from: DatabaseOptions

        func run() async throws {
            let site = try from.site()
            defer { site.store.close() }
            _ = try site.write(.models(.rollBack(revision)))
            print(revision == 0 ? "no model is in force" : "model \(revision) is in force")
        }
    }

    /// `calibrate list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the models, newest first.")

        @OptionGroup var from: DatabaseOptions

        @Flag(help: "Print JSON.")
        var json = false

        @OptionGroup var times: TimeOptions

        private struct Line: Encodable {
            var revision: Int64
            var at_ms: Int64
            var in_force: Bool
            var places: Int
            var seconds: Int
            var expected_accuracy: Double?
        }

        func run() async throws {
            let site = try from.site(isReading: true)
            defer { site.store.close() }
            let rows = try site.stored { try ModelTable(site.store).models() }
            if json {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys]
                let lines = rows.map {
                    Line(
                        revision: $0.revision, at_ms: $0.at.milliseconds, in_force: $0.isApplied,
                        places: $0.places, seconds: $0.seconds, expected_accuracy: $0.accuracy)
                }
                print(String(decoding: try encoder.encode(lines), as: UTF8.self))
                return
            }
            guard !rows.isEmpty else { return print("no model was ever applied") }
            let clock = try site.stored {
                try times.clock(of: site.store, at: AnchoredClock().now)
            }
            var table = TextTable(["model", "learned", "places", "seconds", "expected", ""])
            for row in rows {
                table.add([
                    "\(row.revision)", clock.text(row.at), "\(row.places)", "\(row.seconds)",
                    row.accuracy.map(CalibrationReport.percent) ?? "–",
                    row.isApplied ? "in force" : "",
                ])
            }
            print(table.text)
            print(clock.line)
        }
    }

    /// `calibrate forget PLACE`
    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Drops what was gathered at one place; the model in force stays.")

        @Argument(help: "The station or room: its id or its name.")
        var place: String

        @OptionGroup var from: DatabaseOptions

        func run() async throws {
            let site = try from.site()
            defer { site.store.close() }
            let place = try site.place(place)
            let seconds = try site.write(.models(.forgetSurvey(place))).number
            print("\(seconds) s at \(site.text(place)) are forgotten; apply puts that in force")
        }
    }

    private static func slug(of place: Place, at site: CalibrationSite) -> String {
        place.station.map { site.names.stations.slug($0) } ?? site.names.rooms.slug(place.room)
    }
}
