import Positioning
import SiteModel
import SiteStore

/// All that was gathered at a site, put together so that it can be learned from, and what of it could
/// not be used.
package struct Gathered {
    /// What a model is learned from.
    package let survey: Survey
    /// The newest stretch.
    package let through: Int64
    /// Whose legs are in the survey.
    package let legs: [SurveyLeg]
    /// What was left out and why, a line each.
    package let notes: [String]

    /// Puts legs together, in the order they were stored.
    ///
    /// The ears are those that listened at the newest leg of each place: who hangs up another node
    /// and stands at each place again has it count. Legs in which one of them did not listen are
    /// left out, for its silence would be taken for distance.
    package init(_ all: [SurveyLeg], at site: CalibrationSite) {
        var notes: [String] = []
        let places = Set(site.places)
        let known = Self.ears(of: site)
        let legs = all.filter { places.contains($0.place) }
        let gone = all.filter { !places.contains($0.place) }.reduce(0) { $0 + $1.seconds.count }
        if gone > 0 { notes.append("\(gone) s at places the site has no more are left out") }
        let (used, other) = Self.byKind(legs)
        if other > 0 {
            notes.append(
                "\(other) s are left out: people with beacons and people with nodes are not mixed")
        }
        var newest: [Place: [Ear]] = [:]
        for leg in used { newest[leg.place] = leg.ears.filter(known.contains) }
        var common: Set<Ear>?
        for ears in newest.values { common = common?.intersection(ears) ?? Set(ears) }
        let ears = (common ?? []).sorted()
        for ear in known.sorted() where !ears.contains(ear) {
            let deaf = newest.filter { !$0.value.contains(ear) }.keys.sorted().map(site.text)
            guard !deaf.isEmpty, deaf.count < newest.count else { continue }
            notes.append(
                "\(site.text(ear)) does not count: it did not listen when \(Self.list(deaf)) "
                    + "was learned last; stand there again")
        }
        let whole = used.filter { leg in ears.allSatisfy(leg.ears.contains) }
        let partial =
            used.reduce(0) { $0 + $1.seconds.count }
            - whole.reduce(0) { $0 + $1.seconds.count }
        if partial > 0 {
            notes.append("\(partial) older s are left out: not all of today's nodes listened then")
        }
        self.legs = ears.isEmpty ? [] : whole
        self.notes = notes
        through = all.last?.stretch ?? 0
        survey = Survey(ears: ears, stretches: Self.stretches(self.legs, ears: Set(ears)))
    }

    /// One stretch for each stand or walk.
    private static func stretches(_ legs: [SurveyLeg], ears: Set<Ear>) -> [[Survey.Second]] {
        var stretches: [[Survey.Second]] = []
        var number: Int64?
        for leg in legs {
            if leg.stretch != number || stretches.isEmpty { stretches.append([]) }
            number = leg.stretch
            stretches[stretches.count - 1] += leg.seconds.map { second in
                var second = second
                second.heard.removeAll { !ears.contains($0.ear) }
                return second
            }
        }
        return stretches
    }

    /// The legs of the kind of ear that most seconds have, and how many seconds the others are.
    private static func byKind(_ legs: [SurveyLeg]) -> (used: [SurveyLeg], other: Int) {
        func isOfNodes(_ leg: SurveyLeg) -> Bool {
            if case .node? = leg.ears.first { true } else { false }
        }
        let nodes = legs.filter(isOfNodes)
        let beacons = legs.filter { !isOfNodes($0) }
        let counts = [nodes, beacons].map { $0.reduce(0) { $0 + $1.seconds.count } }
        return counts[0] >= counts[1] ? (nodes, counts[1]) : (beacons, counts[0])
    }

    private static func ears(of site: CalibrationSite) -> Set<Ear> {
        Set(
            site.plan.nodes.filter { !$0.isMobile }.map { Ear.node($0.id) }
                + site.plan.beacons.filter { $0.anchor != nil }.map { Ear.beacon($0.id) })
    }

    /// A few words of a list, however long it is.
    package static func list(_ words: [String], most: Int = 6) -> String {
        words.prefix(most).joined(separator: ", ")
            + (words.count > most ? " and \(words.count - most) more" : "")
    }
}

extension CalibrationSite {
    /// What an ear is called.
    package func text(_ ear: Ear) -> String {
        switch ear {
        case .node(let node): names.nodes.slug(node)
        case .beacon(let beacon): names.beacons.slug(beacon)
        }
    }
}
