import Foundation
import Scheduling
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

    private func reading(
        _ node: Int64, _ level: Double?, _ support: Double, _ against: Double, age: Double = 0.4,
        expected: Double? = -60, expectedAtRunnerUp: Double? = -75
    ) -> Reasons.Reading {
        Reasons.Reading(
            ear: .node(NodeID(node)), device: 1, level: level.map { RSSI(dBm: $0) },
            age: .seconds(age), expected: expected, expectedAtRunnerUp: expectedAtRunnerUp,
            support: support, against: against)
    }

    private func reasons(_ rule: Reasons.Rule, from: Place?, to: Place?) -> Reasons {
        Reasons(
            user: UserID(1), at: Timestamp(milliseconds: 0), rule: rule, from: from, to: to,
            runnerUp: from, prior: 0.31, runnerUpPrior: 0.64, probability: 0.93,
            runnerUpProbability: 0.05, spotWeight: 0.85, model: 3,
            readings: to == nil
                ? []
                : [
                    reading(2, nil, 0, 0.7), reading(2, -90, 0, 0, age: 4.2, expected: nil),
                    reading(1, -58.5, 3.26, 0),
                ])
    }

    private func text(_ reasons: Reasons) -> String {
        WhyText(reasons, names: names) { _ in "14:03:05" }.text
    }

    @Test func `a change is told as a sentence, a table and figures`() {
        #expect(
            text(reasons(.margin, from: hall, to: bench)) == """
                Mary moved from The Hall to Bench 1 at 14:03:05, because Bench 1 had become so much \
                likelier that it won.

                who heard         heard                      usual at Bench 1  usual at The Hall  says
                Pi one            −58.5 dBm                  −60.0 dBm         −75.0 dBm          26 \
                times likelier here
                Pi\\u{1B}[31m two  silent                     −60.0 dBm         −75.0 dBm          2.0 \
                times likelier at The Hall
                Pi\\u{1B}[31m two  silent, −90.0 dBm 4 s ago  not taught        −75.0 dBm          nothing

                Bench 1: 31 % the second before, 93 % now
                The Hall, the next likeliest: 64 % the second before, 5 % now
                decided by learned spots 85 %, by the loudest node 15 %; model revision 3
                """)
    }

    @Test func `untaught, levels are compared with the loudest, and five receivers have a row`() {
        var reasons = reasons(.margin, from: hall, to: bench)
        reasons.model = nil
        reasons.readings = [
            reading(1, -58.5, 0, 0.2), reading(2, nil, 0, 0.3), reading(1, -71.4, 1.5, 0),
            reading(2, -58.8, 1.2, 0), reading(1, -90, 0, 0.1), reading(1, -91, 0.4, 0, age: 3.9),
            reading(2, -92, 0, 0),
        ]
        let lines = text(reasons).split(separator: "\n").map(String.init)
        #expect(
            Array(lines[1...7]) == [
                "who heard         heard               compared                 says",
                "Pi one            −71.4 dBm           13 dB below the loudest  4.5 times likelier here",
                "Pi\\u{1B}[31m two  −58.8 dBm           as loud as the loudest   3.3 times likelier here",
                "Pi one            −91.0 dBm, 3 s ago  33 dB below the loudest  1.5 times likelier here",
                "Pi\\u{1B}[31m two  silent              –                        "
                    + "1.3 times likelier at The Hall",
                "Pi one            −58.5 dBm           loudest                  "
                    + "1.2 times likelier at The Hall",
                "2 other receivers: together 1.1 times likelier at The Hall",
            ])
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
