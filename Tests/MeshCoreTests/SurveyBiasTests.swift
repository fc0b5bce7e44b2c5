import Testing

@testable import Positioning
@testable import SiteModel

/// How much louder receivers hear than was taught.
struct SurveyBiasTests {
    /// A visit of a minute in which ear n hears `differences[n]` more than was taught.
    private func visit(_ differences: [Double], seconds: Int = 60, zone: Int = 0)
        -> SurveyBias.Visit
    {
        var visit = SurveyBias.Visit(zone: zone)
        for _ in 0..<seconds {
            for (ear, difference) in differences.enumerated() {
                visit.note(ear: ear, difference: difference)
            }
        }
        return visit
    }

    private func offsets(_ bias: SurveyBias, ears: Int = 2) -> [Double] {
        var offsets = Array(repeating: 0.0, count: ears)
        bias.add(to: &offsets)
        return offsets
    }

    @Test func `what all visits share is a bias`() {
        var bias = SurveyBias(memory: 16)
        for _ in 0..<12 { bias.add(visit([-6, 0])) }
        #expect(bias.trust == 1)
        #expect(abs(offsets(bias)[0] + 6) < 0.5 && offsets(bias)[1] == 0)
    }

    @Test func `of one visit nothing is believed`() {
        var bias = SurveyBias(memory: 16)
        bias.add(visit([-6, 0]))
        #expect(bias.trust == 0 && offsets(bias) == [0, 0])
    }

    @Test func `what changes from place to place is none`() {
        var bias = SurveyBias(memory: 16)
        for number in 0..<20 { bias.add(visit(number.isMultiple(of: 2) ? [6, -6] : [-6, 6])) }
        #expect(bias.trust == 0 && offsets(bias) == [0, 0])
    }

    @Test func `it is forgotten when receivers are as they were`() {
        var bias = SurveyBias(memory: 16)
        for _ in 0..<12 { bias.add(visit([-6, 0])) }
        for _ in 0..<60 { bias.add(visit([0, 0])) }
        #expect(abs(offsets(bias)[0]) < 1)
    }

    @Test func `what the whole site shares is not learned of each user again`() {
        var (site, user) = (SurveyBias(memory: 64), SurveyBias(memory: 16))
        for _ in 0..<40 {
            user.add(visit([-6, 4]), beyond: site)
            site.add(visit([-6, 0]))
        }
        #expect(abs(offsets(site)[0] + 6) < 0.5)
        #expect(abs(offsets(user)[0]) < 1 && abs(offsets(user)[1] - 4) < 1)
    }

    @Test func `nothing that a radio may report makes it more than 12 dB`() {
        var bias = SurveyBias(memory: 16)
        for _ in 0..<30 { bias.add(visit([140, -140])) }
        #expect(offsets(bias) == [12, -12])
        // A single +42 dBm among usual seconds counts 15 dB.
        var odd = visit([0, 0], seconds: 20)
        odd.note(ear: 0, difference: 120)
        var other = SurveyBias(memory: 16)
        for _ in 0..<12 { other.add(odd) }
        #expect(abs(offsets(other)[0]) < 1)
    }

    @Test func `a long visit counts hardly more than one of a minute`() {
        var bias = SurveyBias(memory: 16)
        for _ in 0..<10 { bias.add(visit([-6, 0])) }
        bias.add(visit([6, 0], seconds: 3600))
        #expect(offsets(bias)[0] < -3)
    }
}
