import Simulation

/// A simulated site and what makes it hard to tell where people are.
///
/// Each is harder than what other projects test their locators with: ESPresense-companion's harness
/// has four nodes in 6 by 4 m, 2.5 dB of noise, and neither bodies nor offsets (`presence.md` 0.9).
struct LocatingScenario: Sendable {
    /// What is hard, in a few words.
    var name: String
    var plan: FloorPlan
    /// What the air is like.
    var conditions: Conditions
    /// A receiver that is silent in the walk, though it was there while calibrating.
    var silent: Int?
    /// Whether it is known that the silent receiver does not listen.
    var isKnown = false

    private init(
        _ name: String, _ plan: FloorPlan, silent: String? = nil, isKnown: Bool = false,
        _ change: (inout Conditions) -> Void = { _ in }
    ) {
        self.name = name
        self.plan = plan
        conditions = Conditions()
        change(&conditions)
        self.silent = plan.receivers.firstIndex { $0.id == silent }
        precondition(silent == nil || self.silent != nil, "unknown receiver")
        self.isKnown = isKnown
    }

    /// All scenarios, the easiest first.
    static let all: [LocatingScenario] = [
        LocatingScenario("clean gym", .gym) { air in
            (air.receiverOffset, air.body, air.crowd) = (0, 0, 0)
        },
        LocatingScenario("receiver offsets 6 dB", .hall) { $0.receiverOffset = 6 },
        LocatingScenario("bodies 15 dB", .hall) { air in
            (air.body, air.crowd, air.slowFades) = (15, 5, 0.1)
        },
        LocatingScenario("a packet in 5 s", .hall) { $0.interval = 5 },
        LocatingScenario("dead node, known", .hall, silent: "n6", isKnown: true),
        LocatingScenario("dropped node, unknown", .hall, silent: "n6"),
        LocatingScenario("stations 2.5 m apart", .row),
        LocatingScenario("walls 12 dB", .office),
    ]
}

/// How much is simulated for a report.
enum LocatingSize: String, Codable, Sendable {
    /// A few minutes a scenario, for every build.
    case short
    /// Hours a scenario, for figures that mean something to the point.
    case long

    /// How many people wander about at once.
    var people: Int { self == .short ? 3 : 5 }
    /// How long, in seconds.
    var seconds: Double { self == .short ? 480 : 1200 }
    /// The recordings of a scenario; everything in one follows from its seed.
    var seeds: ClosedRange<UInt64> { self == .short ? 1...2 : 1...4 }
}
