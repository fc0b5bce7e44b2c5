import GRDB
import Testing

@testable import Positioning
@testable import SiteModel
@testable import SiteStore
@testable import Registry

/// What was learned of places is kept by revision, and what it was learned from is bounded.
struct ModelTests {
    private let scratch: Scratch
    private let store: Store
    private let ears: [Ear] = [.node(NodeID(1)), .node(NodeID(2))]
    private let atRack = Place(room: hall, station: rack)
    private let inYard = Place(room: yard, station: nil)

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
    }

    private func leg(_ place: Place, _ count: Int, from second: Double = 0) -> SurveyLeg {
        let seconds = (0..<count).map { index in
            let level = RSSI(dBm: -60.5 - Double(index % 7))
            return Survey.Second(
                place: place, at: at(second + Double(index)),
                heard: index % 3 == 2 ? [] : [Survey.Heard(ear: ears[index % 2], level: level)])
        }
        return SurveyLeg(
            place: place, source: .stand, carrier: "b-1", ears: ears, seconds: seconds)
    }

    private func model(_ places: [Place]) -> PlaceModel {
        let levels = ears.map { PlaceModel.Level(ear: $0, median: -60, scale: 4, chance: 0.9) }
        return PlaceModel(
            revision: 0, spots: places.map { .init(place: $0, levels: levels, seconds: 60) },
            fit: .init(usual: 1, strange: 2))
    }

    @Test func `a survey is read as it was stored`() throws {
        var first = leg(atRack, 60)
        var second = leg(inYard, 20, from: 70)
        second.source = .walk
        second.corrections = [3, -1.5]
        #expect(try ModelTable(store).addSurvey([first, second]) == 1)
        #expect(try ModelTable(store).addSurvey([leg(atRack, 5, from: 100)]) == 2)
        (first.stretch, second.stretch) = (1, 1)
        let stored = try ModelTable(store).survey()
        #expect(Array(stored.prefix(2)) == [first, second])
        #expect(stored.map(\.stretch) == [1, 1, 2])
        #expect(try store.load()?.plan.model == nil, "nothing is in force before it is applied")
        #expect(try store.revision() == 1)
    }

    @Test func `a trial is kept with its model, and a model made before there were any loads`()
        throws
    {
        var tried = model([atRack, inYard])
        var result = PlaceModel.Trial.Result(place: atRack)
        (result.seconds, result.levels, result.spots, result.misled) = (60, 20, 50, 7)
        let gone = PlaceModel.Trial.Result(place: Place(room: RoomID(99), station: nil))
        tried.trial = PlaceModel.Trial(results: [result, gone])
        let table = ModelTable(store)
        try table.apply(tried, through: 0, seconds: 120, accuracy: nil, at: at(0))
        let stored = try #require(try store.load()?.plan.model)
        #expect(stored.trial?.results == [result], "places that are gone are left out")
        try table.apply(model([atRack]), through: 0, seconds: 60, accuracy: nil, at: at(1))
        let text = try store.read {
            try String.fetchOne($0, sql: "SELECT model FROM model WHERE state = 'applied'")
        }
        #expect(text?.contains("trial") == false, "written as it was before")
        #expect(try store.load()?.plan.model?.trial == nil)
    }

    @Test func `the newest seconds of a place are kept`() throws {
        for index in 0..<40 {
            try ModelTable(store).addSurvey([leg(atRack, 60, from: Double(index) * 100)])
        }
        try ModelTable(store).addSurvey([leg(inYard, 60, from: 9_000)])
        let counts = try ModelTable(store).survey().reduce(into: [Place: Int]()) {
            $0[$1.place, default: 0] += $1.seconds.count
        }
        #expect(counts[atRack] == ModelTable.surveySecondsKept)
        #expect(counts[inYard] == 60)
        #expect(try ModelTable(store).survey().first?.seconds.first?.at == at(1_000))
    }

    @Test func `an applied model is in force as a revision, and is rolled back`() throws {
        try ModelTable(store).addSurvey([leg(atRack, 60)])
        let first = try ModelTable(store).apply(
            model([atRack]), through: 1, seconds: 60, accuracy: 0.9, at: at(100))
        #expect(first == 1)
        #expect(try store.revision() == 2)
        let loaded = try #require(try store.load()?.plan)
        #expect(loaded.revision == 2)
        #expect(loaded.model?.revision == 1)
        #expect(loaded.model?.spots == model([atRack]).spots)

        let second = try ModelTable(store).apply(
            model([inYard, atRack]), through: 2, seconds: 60, accuracy: nil, at: at(200))
        #expect(second == 2)
        #expect(try store.load()?.plan.model?.spots.count == 2)
        #expect(try ModelTable(store).models().map(\.isApplied) == [true, false])

        #expect(try ModelTable(store).rollBack(to: 1, at: at(300)))
        #expect(try store.load()?.plan.model?.revision == 1)
        #expect(try store.revision() == 4)
        #expect(try ModelTable(store).rollBack(to: 1, at: at(301)))
        #expect(try store.revision() == 4, "what is in force already is no revision")
        #expect(try !ModelTable(store).rollBack(to: 7, at: at(302)))
        #expect(try store.load()?.plan.model?.revision == 1)
        #expect(try ModelTable(store).rollBack(to: 0, at: at(303)))
        #expect(try store.load()?.plan.model == nil)
        #expect(
            try ModelTable(store).apply(
                model([atRack]), through: 2, seconds: 60, accuracy: nil, at: at(400))
                == 3,
            "no revision is given twice")
        #expect(
            try store.texts("SELECT changes FROM revision ORDER BY revision DESC LIMIT 2")
                == ["model 3 applied: 1 places", "rolled back to no model"])
    }

    @Test func `what was gathered since is discarded, what was learned from stays`() throws {
        try ModelTable(store).addSurvey([leg(atRack, 60)])
        try ModelTable(store).apply(
            model([atRack]), through: 1, seconds: 60, accuracy: nil, at: at(100))
        try ModelTable(store).addSurvey([leg(inYard, 30)])
        #expect(try ModelTable(store).discardSurvey() == 30)
        #expect(try ModelTable(store).survey().map(\.place) == [atRack])
        #expect(try ModelTable(store).discardSurvey() == 0)
        #expect(try ModelTable(store).forgetSurvey(of: inYard) == 0)
        #expect(try ModelTable(store).forgetSurvey(of: atRack) == 60)
        #expect(try ModelTable(store).survey() == [])
        #expect(
            try ModelTable(store).addSurvey([leg(atRack, 5)]) == 2,
            "a new stretch is newer than what the model was learned from")
    }

    @Test func `places and nodes that are gone leave the model, and come back`() throws {
        let all = model([atRack, inYard])
        try ModelTable(store).apply(all, through: 1, seconds: 60, accuracy: nil, at: at(100))
        var gym = SiteDocument.gym
        gym.stations.removeAll { $0.slug == "rack" }
        gym.nodes.removeLast()
        try SiteImport(store).importDocument(gym, at: at(200))
        let less = try #require(try store.load()?.plan.model)
        #expect(less.spots.map(\.place) == [inYard])
        #expect(less.spots.map { $0.levels.map(\.ear) } == [[ears[0]]])
        gym.nodes.removeAll()
        try SiteImport(store).importDocument(gym, at: at(250))
        #expect(try store.load()?.plan.model == nil)
        try SiteImport(store).importDocument(.gym, at: at(300))
        #expect(try store.load()?.plan.model?.spots == all.spots)
    }

    @Test func `old models go, the one in force stays`() throws {
        for index in 0..<40 {
            try ModelTable(store).apply(
                model([atRack]), through: 1, seconds: 60, accuracy: nil, at: at(Double(index)))
        }
        #expect(try ModelTable(store).models().count == ModelTable.replacedModelsKept + 1)
        #expect(try ModelTable(store).rollBack(to: 8, at: at(100)))
        try ModelTable(store).apply(
            model([atRack]), through: 1, seconds: 60, accuracy: nil, at: at(200))
        #expect(try ModelTable(store).models().map(\.revision).first == 41)
    }

    @Test func `damaged levels are said, not invented`() throws {
        try ModelTable(store).addSurvey([leg(atRack, 60)])
        for damage in ["x'00'", "x'000000000100FFFF0000'", "x''"] {
            try scratch.execute("UPDATE survey SET levels = \(damage)")
            #expect(throws: StoreError.self) { try ModelTable(store).survey() }
        }
    }

    @Test func `positions and areas are part of the plan`() throws {
        var gym = SiteDocument.gym
        gym.rooms[0].area = Area(low: Position(x: 0, y: 0), high: Position(x: 12, y: 8.5))
        #expect(
            try SiteImport(store).importDocument(gym, at: at(10)).changes.map(\.description)
                == ["room hall changed: area_m none → [0, 0, 12, 8.5]"])
        let plan = try #require(try store.load()?.plan)
        #expect(plan.rooms.map(\.area) == [gym.rooms[0].area, nil])
        #expect(plan.stations.map(\.position) == [Position(x: 1.5, y: 2), nil, nil])
        #expect(plan.nodes.map(\.position) == [nil, Position(x: 0, y: 0.25)])
        #expect(try SiteImport(store).importDocument(gym, at: at(20)).changes == [])
        #expect(try SiteImport(store).document() == gym)
        gym.rooms[0].area = Area(low: Position(x: 0, y: 0), high: Position(x: 0, y: 8.5))
        #expect(throws: StoreError.self) { try SiteImport(store).importDocument(gym, at: at(30)) }
    }
}
