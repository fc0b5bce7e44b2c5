import Foundation
import Testing

@testable import Diagnostics
@testable import SiteModel
@testable import Wire

/// What `beaconmesh why` prints.
struct WhyTextTests {
    let hall = Place(room: RoomID(1), station: nil)
    let bench = Place(room: RoomID(1), station: StationID(1))

    private func table<Of>(_ things: [(slug: String, name: String)]) -> NameTable<Of> {
        NameTable(
            things.enumerated().map {
                .init(id: ID(Int64($0.offset + 1)), slug: $0.element.slug, name: $0.element.name)
            })
    }

    private var names: Names {
        Names(
            site: "gym", siteName: "Gym", timeZone: "UTC", isDemo: false,
            rooms: table([("hall", "The Hall")]), stations: table([("bench", "Bench 1")]),
            nodes: table([("n-1", "Pi one"), ("n-2", "Pi\u{1B}[31m two")]),
            beacons: table([("tag", "Red tag")]), users: table([("u-mary", "Mary")]))
    }

    private func reasons(_ rule: Reasons.Rule, from: Place?, to: Place?) -> Reasons {
        func reading(
            _ node: Int64, _ level: Double?, _ support: Double, _ against: Double
        ) -> Reasons.Reading {
            Reasons.Reading(
                ear: .node(NodeID(node)), device: 1, level: level.map { RSSI(dBm: $0) },
                age: .milliseconds(400), expected: level.map { _ in -60 }, support: support,
                against: against)
        }
        return Reasons(
            user: UserID(1), at: Timestamp(milliseconds: 0), rule: rule, from: from, to: to,
            runnerUp: from, prior: 0.31, runnerUpPrior: 0.64, probability: 0.93,
            runnerUpProbability: 0.05, spotWeight: 0.85, model: 3,
            readings: to == nil
                ? []
                : [reading(1, -58.5, -1, -4.26), reading(2, nil, -0.7, 0), reading(2, -90, 0, 0)])
    }

    private func text(_ reasons: Reasons) -> String {
        WhyText(reasons, names: names) { _ in "14:03:05" }.text
    }

    @Test func `a change is told as a sentence, a table and figures`() {
        #expect(
            text(reasons(.margin, from: hall, to: bench)) == """
                Mary moved from The Hall to Bench 1 at 14:03:05, because Bench 1 had become so much \
                likelier that it won.

                who heard         heard      age    usual at Bench 1  says
                Pi one            −58.5 dBm  0.4 s  −60.0 dBm         Bench 1, 26 times likelier
                Pi\\u{1B}[31m two  nothing    –      –                 The Hall, 2.0 times likelier
                Pi\\u{1B}[31m two  −90.0 dBm  0.4 s  −60.0 dBm         nothing

                Bench 1: 31 % the second before, 93 % now
                The Hall, the next likeliest: 64 % the second before, 5 % now
                decided by learned spots 85 %, by the loudest node 15 %; model revision 3
                """)
    }

    @Test func `each rule has its sentence`() {
        let sentences = [
            text(reasons(.first, from: nil, to: bench)),
            text(reasons(.lost, from: hall, to: bench)),
            text(reasons(.silent, from: bench, to: nil)),
        ].map { String($0.prefix { $0 != "\n" }) }
        #expect(
            sentences == [
                "Mary came to Bench 1 at 14:03:05, because nothing had been decided before.",
                "Mary moved from The Hall to Bench 1 at 14:03:05, because The Hall was not heard any"
                    + " more.",
                "Mary was not at Bench 1 any more at 14:03:05, because nobody heard anything any"
                    + " more.",
            ])
    }
}

/// Moments as people write them.
struct WhyMomentTests {
    /// 2026-11-21T14:03:30Z
    let now = Timestamp(milliseconds: 1_795_269_810_000)

    private func parse(_ text: String) -> Int64? {
        WhyMoment.parse(text, now: now, calendar: SiteCalendar(.utc, dayStart: .midnight))
            .map { $0.second - now.second }
    }

    @Test(
        arguments: [
            ("14:03:05", -25), ("14:03", 29), ("14:04", -86_400 + 89), ("14:03:31", -86_400 + 1),
            ("00:00:00", -50_610), ("2026-11-21T14:03:00Z", -30), ("1795269800000", -10),
        ] as [(String, Int64)])
    func `the latest such moment is meant, its last second included`(text: String, offset: Int64) {
        #expect(parse(text) == offset)
    }

    @Test(arguments: [
        "", "now", "24:00", "14:60", "14:03:60", "1:2:3:4", "-1", "14:", ":03", "+1:02",
        "99999999999999999999", "253402300800000", "2026-13-01T00:00:00Z",
    ])
    func `anything else is refused`(text: String) {
        #expect(parse(text) == nil)
    }
}
