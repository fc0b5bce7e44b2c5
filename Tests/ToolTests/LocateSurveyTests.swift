import Foundation
import Testing

@testable import LocatingLab
@testable import Positioning
@testable import SiteModel
@testable import SurveyFiles

/// What is learned from: seconds of labelled recordings and of fingerprints.
struct LocateSurveyTests {
    /// The survey of some files, by zone and second, and what was told.
    func survey(
        _ files: [String], site change: String? = nil
    ) throws -> (survey: Survey, site: RecordedSite, warnings: [String]) {
        try LocateFolder.with { folder in
            var site = try RecordedSite(path: "\(folder.path)/dataset.json")
            var reader = SurveyReader(site: site)
            for (index, text) in files.enumerated() {
                try reader.read(try folder.write("lesson\(index).csv", text), at: &site)
            }
            return (reader.survey(), site, reader.warnings)
        }
    }

    /// A stretch as text: zone, then what each second heard.
    func words(_ survey: Survey, _ site: RecordedSite) -> [String] {
        survey.stretches.map { stretch -> String in
            let zone = stretch.first.flatMap { site.zone(of: $0.place) }.map { site.zones[$0].id }
            let seconds = stretch.map { second -> String in
                second.heard.map { heard -> String in
                    guard case .node(let node) = heard.ear else { return "?" }
                    return "r\(node.row)\(Int(heard.level.dBm))"
                }.joined(separator: "+")
            }
            return "\(zone ?? "?"): \(seconds.joined(separator: " "))"
        }
    }

    @Test func `a stretch is seconds on end with one label`() throws {
        let rows = [
            "0.5,r1,tag,-60,barn", "0.6,r1,tag,-50,barn", "0.7,r1,tag,-40,barn",
            "0.8,r2,tag,-70,barn", "3.0,r2,tag,-70,barn",  // Second 2 was silent.
            "3.1,r2,tag,-71,barn", "3.2,r2,tag,-72,dairy",  // Between two zones.
            "4.5,r2,tag,-73,dairy", "5.5,r2,tag,-74,", "6.5,r2,tag,-75,dairy",
            "17.5,r2,tag,-76,dairy", "30.5,r2,tag,-77,dairy",  // Ten silent seconds, then twelve.
        ]
        let (survey, site, warnings) = try survey([LocateFolder.text(rows)])
        #expect(
            words(survey, site) == [
                "barn: r1-50+r2-70  r2-70", "dairy: r2-73",
                "dairy: r2-75           r2-76", "dairy: r2-77",
            ])
        #expect(survey.ears == [.node(NodeID(1)), .node(NodeID(2))])
        #expect(warnings.isEmpty)
        let times = survey.stretches[0].map(\.at)
        #expect(times == [1, 2, 3].map { RecordedSite.moment($0) })
    }

    @Test(arguments: [([10, 3, 1, 2], 2.5), ([7], 7), ([1, 3, 2], 2)] as [([Double], Double)])
    func `the level of a second is its median`(levels: [Double], median: Double) {
        #expect(SurveyReader.level(of: levels).dBm == median)
    }

    @Test func `each transmitter and each point is a stretch of its own`() throws {
        let recording = LocateFolder.text(["1,r1,a,-60,barn", "1,r1,b,-61,barn"])
        let points = """
            point_id,x_m,y_m,zone,t_seconds,receiver_id,transmitter_id,rssi_dbm
            p0,1,2,barn,0.00,r1,a,-62
            p0,1,2,barn,0.90,r2,a,-63
            p1,1,2,barn,0.00,r1,a,-64
            p2,1,2,,0.00,r1,a,-65

            """
        let (survey, site, _) = try survey([recording, points])
        #expect(
            words(survey, site) == [
                "barn: r1-60", "barn: r1-61", "barn: r1-62 r2-63", "barn: r1-64",
            ])
    }

    @Test func `a zone the site does not have is added and told`() throws {
        let (survey, site, warnings) = try survey(
            [LocateFolder.text(["1,r1,a,-60,attic", "2,r1,a,-60,attic"])])
        #expect(site.zones.map(\.id) == ["barn", "dairy", "shed", "attic"])
        #expect(words(survey, site) == ["attic: r1-60 r1-60"])
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("line 2: zone attic is not one of the site's") == true)
    }

    @Test func `impossible levels teach nothing, nor do files without labels`() throws {
        let (survey, site, warnings) = try survey(
            [LocateFolder.text(["1,r1,a,42,barn", "1,r1,a,-60,barn", "1,r9,a,-60,barn"])])
        #expect(words(survey, site) == ["barn: r1-60"])
        #expect(warnings.count == 2)
        let (nothing, _, told) = try self.survey([LocateFolder.text(["1,r1,a,-60,"])])
        #expect(nothing.stretches.isEmpty && nothing.ears.isEmpty)
        #expect(told.contains { $0.contains("no reading has a label") })
    }

    @Test func `a lesson without labels or of another kind is refused by column`() throws {
        for (heading, words) in [
            ("t_seconds,receiver_id,transmitter_id,rssi_dbm", "no column true_zone"),
            ("point_id,t_seconds,receiver_id,transmitter_id,rssi_dbm", "no column zone"),
        ] {
            let fault = try LocateFolder.with { folder in
                let lesson = try folder.write("lesson.csv", heading + "\n")
                return LocateFolder.fault {
                    _ = try folder.locate("/dev/null", calibration: [lesson])
                }
            }
            #expect(fault?.code == 78)
            #expect(fault?.text.contains(words) == true, "\(fault?.text ?? "")")
        }
    }

    @Test func `zones taken for each other are told by name`() throws {
        try LocateFolder.with { folder in
            let site = try RecordedSite(path: "\(folder.path)/dataset.json")
            let confusion = Confusion(
                places: [0, 1, 2].map { RecordedSite.place(of: $0) },
                seconds: [[90, 10, 0], [40, 60, 0], [1, 0, 99]])
            let doubts = SiteDoubts(site, model: nil)
            #expect(
                doubts.words(of: confusion) == [
                    "zones barn and dairy cannot be told apart by these receivers (25 % of their "
                        + "seconds are taken for the other)"
                ])
            #expect(doubts.words(of: Confusion(places: [], seconds: [])) == [])
        }
    }

    @Test func `a receiver of no zone speaks for where it is heard loudest`() throws {
        try LocateFolder.with { folder in
            let site = try RecordedSite(path: "\(folder.path)/dataset.json")
            var alone = site
            #expect(alone.settle(with: nil) == [2])
            func spot(_ zone: Int, _ level: Double) -> PlaceModel.Spot {
                PlaceModel.Spot(
                    place: RecordedSite.place(of: zone),
                    levels: [
                        PlaceModel.Level(
                            ear: RecordedSite.ear(of: 2), median: level, scale: 4, chance: 0.9)
                    ], seconds: 60)
            }
            let model = PlaceModel(
                revision: 1, spots: [spot(0, -80), spot(1, -70), spot(2, -60)],
                fit: PlaceModel.Fit(usual: 1, strange: 2))
            var taught = site
            #expect(taught.settle(with: model) == [])
            #expect(taught.receivers[2].zone == 2)
            var hung = site
            hung.receivers[2].position = Position(x: 6, y: 3)
            #expect(hung.settle(with: nil) == [] && hung.receivers[2].zone == 1)
        }
    }
}
