import Foundation
import SiteModel
import Platform
import SurveyFiles

/// What `mesh-lab locate` was asked for, checked.
struct LocateRequest {
    private let readings: String?
    private let calibration: [String]
    private let warmUp: [String]
    private let policy: LocatingPolicy
    private let thin: Double?
    private let dropped: Set<Int>
    private let dead: Set<Int>
    private let site: RecordedSite
    private let plot: String?
    private let truth: String?

    /// Reads the site and checks the rest against it. Throws `Exit`: 2 for what was asked, 78 for
    /// what the site's file says.
    init(
        site path: String, readings: String? = nil, calibration: [String] = [],
        warmUp: [String] = [],
        method: String = "auto", quickness: Double = 0.5, thin: Double? = nil,
        drop: [String] = [], dead: [String] = [], plot: String? = nil, truth: String? = nil
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
        self.plot = plot
        self.truth = truth
        self.calibration = calibration
        self.warmUp = warmUp
        policy = LocatingPolicy(method: rule, quickness: quickness)
        self.thin = thin
        dropped = try Self.receivers(drop, "--drop", site)
        self.dead = try Self.receivers(dead, "--dead", site)
    }

    /// Locates everything and gives the output piece by piece. `tell` gets what is odd, a line each.
    func run(
        tell: (String) -> Void, progress: (Double) -> Void = { _ in },
        write: ([UInt8]) throws -> Void
    ) throws {
        var site = site
        let warmUp = warmUp.isEmpty ? nil : try WarmUp(warmUp, at: site, tell: tell)
        if let warmUp { tell(warmUp.words(at: site)) }
        let model = try learn(&site, after: warmUp, tell: tell)
        let deaf = site.settle(with: model)
        for receiver in deaf.sorted() {
            tell("warning: receiver \(site.receivers[receiver].id) is left out: of no known zone")
        }
        var heard = try RecordedReadings(path: readings, at: site, areLabelsKept: plot != nil)
        heard.warnings.forEach { tell("warning: \($0)") }
        heard.silence(dropped.union(dead).union(deaf))
        if let thin { heard.thin(to: thin, receivers: site.receivers.count) }
        try write(ZoneRows.heading)
        let rows = ZoneRows(transmitters: heard.transmitters, zones: site.zones.map(\.id))
        var sketch = try plot.map { _ in
            LocateSketch(
                heard, at: site,
                truth: try truth.map { try RecordedTruth(path: $0) }
                    ?? RecordedTruth(labels: heard.labels))
        }
        var run = LocateRun(
            heard, at: site, model: model, policy: policy, dead: dead.union(deaf), warmUp: warmUp)
        try run.run(progress: progress) { row, locating in
            try write(rows.text(row))
            sketch?.add(row, locating)
        }
        if let plot, let sketch { try save(sketch.svg(method: policy.method), to: plot) }
    }

    private func save(_ svg: String, to path: String) throws {
        do {
            try svg.write(toFile: path, atomically: true, encoding: .utf8)
        } catch {
            throw Exit(code: 78, text: "cannot write \(path): \(error.localizedDescription)")
        }
    }

    /// Learns from the calibration files, if there are any, and tells what to expect.
    private func learn(
        _ site: inout RecordedSite, after warmUp: WarmUp?, tell: (String) -> Void
    ) throws -> PlaceModel? {
        var reader = SurveyReader(site: site)
        for path in calibration { try reader.read(path, at: &site) }
        var warnings = reader.warnings
        let taught = reader.survey()
        let survey = warmUp?.corrected(taught) ?? taught
        let model = calibration.isEmpty ? nil : survey.model(revision: 1, homes: site.home)
        let doubts = SiteDoubts(site, model: model)
        if !calibration.isEmpty {
            let unheard = reader.unheard.map { site.receivers[$0].id }
            if !unheard.isEmpty {
                warnings.append(
                    "nothing was learned of \(unheard.joined(separator: ", ")): not heard in any "
                        + "calibration")
            }
            warnings += doubts.words(of: survey.confusion())
        }
        for words in warnings + doubts.words { tell("warning: \(words)") }
        return model
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
