import Basics
import Foundation
import Platform
import Positioning
import Registry
import Reporting
import SiteModel
import SiteStore
import Wire

/// A site to be calibrated: its database, what is in force, and how people call its places.
package struct CalibrationSite {
    package let store: Store
    package let plan: Plan
    package let names: Names
    /// What is corrected now.
    private let offsets: Offsets

    /// Opens a database that is there and holds a site; throws an `Exit` that says what to do.
    /// `isReading`: for who only reads, beside whoever writes it.
    package init(database: String, isReading: Bool = false) throws {
        guard FileManager.default.fileExists(atPath: database) else {
            throw Exit(
                code: 78,
                text: """
                    \(database): no such file; run calibrate on the coordinator's machine, it works \
                    on its database
                    """)
        }
        do {
            store =
                isReading ? try Store(reading: database) : try Store(existing: database)
            guard let (plan, names, saved) = try store.load() else {
                throw Exit(
                    code: 78,
                    text: "\(database) holds no site yet: run beaconmesh import first")
            }
            (self.plan, self.names) = (plan, names)
            offsets = Offsets(plan: plan, restoring: saved.offsets)
        } catch let error as StoreError {
            throw Exit(code: 78, text: "\(error)")
        }
    }

    /// Where people can be: the rest of each room, and its stations.
    package var places: [Place] {
        (plan.rooms.map { Place(room: $0.id, station: nil) }
            + plan.stations.map { Place(room: $0.room, station: $0.id) }).sorted()
    }

    /// The leg with what is corrected now of what its ears hear of its carrier.
    package func correcting(_ leg: SurveyLeg) -> SurveyLeg {
        var leg = leg
        leg.corrections = corrections(of: leg)
        return leg
    }

    fileprivate func corrections(of leg: SurveyLeg) -> [Double] {
        let carried = names.beacons.id(leg.carrier).flatMap { id in
            plan.beacons.firstIndex { $0.id == id }
        }
        return leg.ears.map { ear in
            switch ear {
            case .node(let id):
                let node = plan.nodes.firstIndex { $0.id == id }
                return (node.map(offsets.correction(node:)) ?? 0)
                    + (carried.map(offsets.correction(beacon:)) ?? 0)
            case .beacon(let id):
                return plan.beacons.firstIndex { $0.id == id }
                    .map(offsets.correction(beacon:)) ?? 0
            }
        }
    }

    /// The place an ear stands for: where a fixed node hangs, or a beacon is fixed; `nil` of others.
    func home(of ear: Ear) -> Place? {
        switch ear {
        case .node(let id): plan.nodes.first { $0.id == id && !$0.isMobile }?.place
        case .beacon(let id): plan.beacons.first { $0.id == id }?.anchor
        }
    }

    /// What a place is called here: the slug of its station, else of its room; told apart where a
    /// station and a room share one.
    package func text(_ place: Place) -> String {
        let room = names.rooms.slug(place.room)
        guard let station = place.station.map({ names.stations.slug($0) }) else {
            return names.stations.id(room) == nil ? room : "room/\(room)"
        }
        return names.rooms.id(station) == nil ? station : "station/\(station)"
    }

    /// The place of a slug, perhaps with `room/` or `station/` before it, or of a name. Throws an
    /// `Exit`.
    package func place(_ text: String) throws -> Place {
        if let place = places.first(where: { self.text($0) == text }) { return place }
        let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
        if parts.count == 2 {
            let found = places.first { place in
                switch parts[0] {
                case "room": place.station == nil && names.rooms.slug(place.room) == parts[1]
                case "station": place.station.map { names.stations.slug($0) } == parts[1]
                default: false
                }
            }
            if let found { return found }
        }
        if places.contains(where: { self.text($0) == "station/\(text)" }) {
            throw Exit(
                code: 64,
                text: "there is a room and a station \(text): room/\(text) or station/\(text)"
            )
        }
        let known = places.map { NameResolver.Thing(id: self.text($0), name: name(of: $0)) }
        let found = try NameResolver(kind: "place", things: known).find(text)
        guard let place = places.first(where: { self.text($0) == found.id }) else {
            preconditionFailure("a place that is none")
        }
        return place
    }

    private func name(of place: Place) -> String {
        let station = place.station.flatMap { names.stations.entry($0)?.name }
        return station ?? names.rooms.entry(place.room)?.name ?? ""
    }

    /// What is followed for a beacon's slug, or for a user: all they carry. Throws an `Exit`.
    package func subjects(beacon: String?, user: String?, at now: Timestamp) throws
        -> [HeardSeconds.Subject]
    {
        if let beacon {
            // Also one that is not registered can be followed.
            if beacon.isSlug { return [.beacon(beacon)] }
            let known = plan.beacons.compactMap { names.beacons.entry($0.id) }
            let registered = NameResolver(
                kind: "beacon", things: known.map { .init(id: $0.slug, name: $0.name) })
            return [.beacon(try registered.find(beacon).id)]
        }
        guard let user else { return [] }
        let found = try stored { try NameResolver.person(user, in: store, isActive: true) }.user
        let beacons = plan.bindings.filter {
            $0.user == found && $0.from <= now && $0.to.map { now < $0 } ?? true
        }.map { HeardSeconds.Subject.beacon(names.beacons.slug($0.beacon)) }
        let nodes = plan.nodes.filter { $0.carrier == found }
            .map { HeardSeconds.Subject.node(names.nodes.slug($0.id)) }
        guard !(beacons + nodes).isEmpty else {
            throw Exit(code: 64, text: "\(user) carries neither a beacon nor a mobile node")
        }
        return beacons + nodes
    }

    /// Runs a call of the database, and turns its faults into an `Exit`.
    package func stored<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as StoreError {
            throw Exit(code: error == .full ? 75 : 78, text: "\(error)")
        }
    }
}

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
        survey = Survey(ears: ears, stretches: Self.stretches(self.legs, ears: Set(ears), at: site))
    }

    /// One stretch for each stand or walk, corrected as what is located was then: a receiver that has
    /// changed since is corrected otherwise now, and comes to the same. Of old and imported legs nobody
    /// knows; they are taken to have been corrected as now.
    private static func stretches(
        _ legs: [SurveyLeg], ears: Set<Ear>, at site: CalibrationSite
    ) -> [[Survey.Second]] {
        var stretches: [[Survey.Second]] = []
        var number: Int64?
        for leg in legs {
            if leg.stretch != number || stretches.isEmpty { stretches.append([]) }
            number = leg.stretch
            let corrections = leg.corrections ?? site.corrections(of: leg)
            stretches[stretches.count - 1] += leg.seconds.map { second in
                var second = second
                second.heard = second.heard.compactMap { heard in
                    guard ears.contains(heard.ear), let ear = leg.ears.firstIndex(of: heard.ear)
                    else { return nil }
                    return Survey.Heard(
                        ear: heard.ear, level: heard.level.corrected(by: corrections[ear]))
                }
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
