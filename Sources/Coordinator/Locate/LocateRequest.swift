import Foundation
import MeshCore

/// What `beaconmesh locate` was asked for, checked.
struct LocateRequest {
    private let readings: String?
    private let calibration: [String]
    private let policy: LocatingPolicy
    private let thin: Double?
    private let dropped: Set<Int>
    private let dead: Set<Int>
    private let site: RecordedSite

    /// Reads the site and checks the rest against it. Throws `Exit`: 2 for what was asked, 78 for
    /// what the site's file says.
    init(
        site path: String, readings: String? = nil, calibration: [String] = [],
        method: String = "auto", quickness: Double = 0.5, thin: Double? = nil,
        drop: [String] = [], dead: [String] = []
    ) throws {
        guard let rule = LocatingPolicy.Method(rawValue: method) else {
            let known = LocatingPolicy.Method.allCases.map(\.rawValue).joined(separator: ", ")
            throw Exit(code: 2, text: "--method \(method): not one of \(known)")
        }
        guard (0...1).contains(quickness) else {
            throw Exit(code: 2, text: "--quickness \(quickness): not within 0 and 1")
        }
        if let thin, !(thin > 0 && thin.isFinite) {
            throw Exit(code: 2, text: "--thin \(thin): not a rate above 0")
        }
        let site = try RecordedSite(path: path)
        self.site = site
        self.readings = readings
        self.calibration = calibration
        policy = LocatingPolicy(method: rule, quickness: quickness)
        self.thin = thin
        dropped = try Self.receivers(drop, "--drop", site)
        self.dead = try Self.receivers(dead, "--dead", site)
    }

    /// Locates everything and gives the output piece by piece.
    func run(
        warn: (String) -> Void, progress: (Double) -> Void = { _ in },
        write: ([UInt8]) throws -> Void
    ) throws {
        var site = site
        let model = try learn(&site, warn: warn)
        var heard = try RecordedReadings(path: readings, at: site)
        heard.warnings.forEach(warn)
        heard.silence(dropped.union(dead))
        if let thin { heard.thin(to: thin, receivers: site.receivers.count) }
        try write(ZoneRows.heading)
        let rows = ZoneRows(transmitters: heard.transmitters, zones: site.zones.map(\.id))
        var run = LocateRun(heard, at: site, model: model, policy: policy, dead: dead)
        try run.run(progress: progress) { row, _ in try write(rows.text(row)) }
    }

    /// Learns from the calibration files, if there are any.
    private func learn(
        _ site: inout RecordedSite, warn: (String) -> Void
    ) throws -> PlaceModel? {
        guard !calibration.isEmpty else { return nil }
        var reader = SurveyReader(site: site)
        for path in calibration { try reader.read(path, at: &site) }
        reader.warnings.forEach(warn)
        let unheard = reader.unheard.map { site.receivers[$0].id }
        if !unheard.isEmpty {
            warn("not heard in any calibration: \(unheard.joined(separator: ", "))")
        }
        return reader.survey().model(revision: 1)
    }

    private static func receivers(
        _ names: [String], _ option: String, _ site: RecordedSite
    ) throws -> Set<Int> {
        try names.reduce(into: []) { set, name in
            guard let index = site.receiver(named: name) else {
                let known = site.receivers.map(\.id).joined(separator: ", ")
                throw Exit(code: 2, text: "\(option) \(name): not one of \(known)")
            }
            set.insert(index)
        }
    }
}
