import ArgumentParser
import Calibration
import SiteModel
import Platform
import SiteStore

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
                    try site.write(.addSurvey([leg]))
                    counts[leg.place, default: 0] += leg.seconds.count
                }
            }
            for place in counts.keys.sorted() {
                print("\(counts[place] ?? 0) s at \(site.text(place)) are stored")
            }
        }
    }
}
