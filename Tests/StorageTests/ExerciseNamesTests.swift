import Testing

@testable import Workouts

/// A name means an exercise of the site if it is one of its names, or if people said so.
struct ExerciseNamesTests {
    private let known: [ExerciseNames.Known] = [
        .init(slug: "bench-press", name: "Bench Press (Barbell)", others: ["Bankdrücken"]),
        .init(slug: "pull-up", name: "Pull-up", others: ["Klimmzug"]),
        .init(slug: "squat", name: "Squat", others: ["Kniebeuge"]),
        .init(slug: "front-squat", name: "Front Squat", others: ["Kniebeuge"]),
    ]

    @Test(
        arguments: [
            ("Bench Press (Barbell)", "bench-press"), ("bench press  [BARBELL] ", "bench-press"),
            ("Bench Press Barbell", "bench-press"), ("bench-press", "bench-press"),
            ("BANKDRÜCKEN", "bench-press"), ("Bankdru\u{308}cken", "bench-press"),
            ("Klimmzug", "pull-up"), ("Pull-Up", "pull-up"),
            // Nearly, in part, or of two: none of these is meant for certain.
            ("Bench Press", nil), ("Pull Up", nil), ("Bench Press (Dumbbell)", nil),
            ("Squats", nil),
            ("Kniebeuge", nil), ("", nil), ("()", nil),
        ] as [(String, String?)])
    func `a name is found whatever its case, blanks and brackets`(
        name: String, slug: String?
    ) throws {
        #expect(try ExerciseNames(known).slug(of: name) == slug)
    }

    @Test func `what people say goes before all names`() throws {
        let names = try ExerciseNames(
            known, map: ["Kniebeuge": "squat", "Pull Up": "pull-up", "Front squat": "squat"])
        #expect(names.slug(of: "kniebeuge") == "squat")
        #expect(names.slug(of: "pull  up") == "pull-up")
        #expect(names.slug(of: "Front Squat") == "squat")
    }

    @Test(arguments: [
        ["Row": "rowing"], ["Row": "squat", "row ": "pull-up"], ["Row": "Squat"],
    ])
    func `a map to what is not there, or to two things, is refused`(map: [String: String]) {
        #expect(throws: HistoryFault.self) { try ExerciseNames(known, map: map) }
    }

    @Test func `unknown names are told once, sorted, with what they may mean`() throws {
        let names = try ExerciseNames(known).unknown(among: [
            "Squat", "Zercher Carry", "Squats", "Pull Up", "Bench Press (Dumbbell)", "squats",
            "Pull Up", "Squat (Front)",
        ])
        #expect(
            names == [
                .init(name: "Bench Press (Dumbbell)", suggestion: "bench-press"),
                .init(name: "Pull Up", suggestion: "pull-up"),
                .init(name: "Squat (Front)", suggestion: "front-squat"),
                .init(name: "Squats", suggestion: "squat"),
                .init(name: "Zercher Carry", suggestion: nil),
            ])
    }

    @Test func `a hostile file gets few suggestions`() throws {
        let many = (1...300).map { "Squat\(1000 + $0)" }
        let unknown = try ExerciseNames(known).unknown(among: many)
        #expect(unknown.count == 300)
        let rest = unknown.dropFirst(ExerciseNames.mostSuggestions)
        #expect(rest.allSatisfy { $0.suggestion == nil })
    }
}
