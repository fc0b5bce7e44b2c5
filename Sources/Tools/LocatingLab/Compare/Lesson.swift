import SiteModel

/// What rules may learn from before they locate a sequence.
struct Lesson: Hashable, Sendable {
    var name: String
    var files: [String]

    /// Nothing.
    static let none = Lesson(name: "no calibration", files: [])

    /// What there is to learn from for a sequence of a place: its fingerprints, its sequences for
    /// training; without either, its other sequences, and those of other transmitters alone.
    static func all(for sequence: RecordedSequence, at place: RecordedPlace) -> [Lesson] {
        // The nearest to the test first: `fingerprints_station` says more of stations than others.
        var lessons = place.fingerprints.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }.map {
            Lesson(name: "on \(Self.stem($0))", files: [$0])
        }
        let training = place.sequences.filter { $0.isForTraining }
        if !training.isEmpty {
            lessons.append(Lesson(name: "on train", files: training.map(\.path)))
        }
        guard lessons.isEmpty else { return lessons }
        let others = place.sequences.filter { $0.id != sequence.id }
        if !others.isEmpty {
            lessons.append(Lesson(name: "leave one run out", files: others.map(\.path)))
        }
        let strange = others.filter { Set($0.transmitters).isDisjoint(with: sequence.transmitters) }
        if !strange.isEmpty {
            lessons.append(Lesson(name: "on other carriers", files: strange.map(\.path)))
        }
        return lessons
    }

    /// What is learned, and the site with what labels add to it. `nil` for no lesson.
    func model(of site: RecordedSite) throws -> (site: RecordedSite, model: PlaceModel?) {
        guard !files.isEmpty else { return (site, nil) }
        var site = site
        var reader = SurveyReader(site: site)
        for file in files { try reader.read(file, at: &site) }
        return (site, reader.survey().model(revision: 1))
    }

    private static func stem(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.split(separator: ".").first.map(String.init) ?? name
    }
}
