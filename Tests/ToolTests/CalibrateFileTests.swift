import Foundation
import Registry
import SiteStore
import Testing

@testable import Calibration
@testable import SiteModel
@testable import Platform

/// Recordings and fingerprints that name our nodes and places are learned from, as if walked.
struct CalibrateFileTests {
    private let scratch: CalibrateScratch
    private var site: CalibrationSite { scratch.site }

    init() throws { scratch = try CalibrateScratch() }

    private func file(_ text: String, _ body: (String) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "calibrate-\(UUID().uuidString).csv"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { unlink(path) }
        try body(path)
    }

    @Test func `a recording with labels becomes legs at our places`() throws {
        var text = "t_seconds,receiver_id,transmitter_id,rssi_dbm,true_zone\n"
        for second in 0..<40 {
            let zone = second < 20 ? "saw" : "lathe"
            text += "\(second).3,n-west,tag,\(second < 20 ? -50 : -70),\(zone)\n"
            text += "\(second).5,pi-7,tag,-66,\(zone)\n"
        }
        text += "41.0,n-west,tag,-60,attic\n43.0,n-west,tag,-60,attic\n"
        try file(text) { path in
            let labelled = try LabelledFiles(aliases: ["pi-7=n-east"], at: site)
            let (legs, warnings) = try labelled.legs(of: path)
            #expect(legs.map { site.text($0.place) } == ["saw", "lathe"])
            #expect(legs.allSatisfy { $0.source == .file && $0.seconds.count == 20 })
            #expect(legs[0].ears == [.node(NodeID(1)), .node(NodeID(2))])
            #expect(legs[1].seconds[5].heard.map(\.level.dBm) == [-70, -66])
            #expect(warnings.count == 1 && warnings[0].contains("“attic”"), "\(warnings)")
            for leg in legs { try ModelTable(site.store).addSurvey([leg]) }
            let report = CalibrationReport(
                Gathered(try ModelTable(site.store).survey(), at: site), at: site)
            #expect(report.learned.map(\.name) == ["saw", "lathe"])
        }
    }

    @Test func `a file of another site is refused`() throws {
        let header = "t_seconds,receiver_id,transmitter_id,rssi_dbm,true_zone\n"
        for text in [header + "1,pi-1,tag,-50,saw\n", header + "1,n-west,tag,-50,attic\n", header] {
            try file(text) { path in
                let error = #expect(throws: Exit.self, "\(text)") {
                    try LabelledFiles(aliases: [], at: site).legs(of: path)
                }
                #expect(error?.code == 78)
            }
        }
        #expect(throws: Exit.self) { try LabelledFiles(aliases: ["x"], at: site) }
    }
}
