import Testing

@testable import Positioning
@testable import SiteModel

/// How seldom somebody is received follows from when they were.
struct CadenceTests {
    /// The patience after receptions at some seconds.
    private func patience(_ seconds: [Double], gaps: [Int] = []) -> Timestamp.Span {
        var cadence = Cadence(gaps: gaps)
        for second in seconds { _ = cadence.receive(at: moment(second)) }
        return cadence.patience
    }

    @Test(arguments: [0.5, 1, 2, 2.5, 3, 4])
    func `a tag that sends every few seconds is not waited for`(interval: Double) {
        let seconds = (0..<40).map { (Double($0) * interval).rounded(.up) }
        #expect(patience(seconds) == .seconds(0))
        // Nor when every other packet is lost, as long as two come in a row now and then.
        let lossy = seconds.enumerated().filter { $0.offset % 3 != 1 }.map(\.element)
        #expect(patience(lossy) == .seconds(0))
    }

    @Test(arguments: [5, 8, 10, 20, 30])
    func `a slower one is waited for over three intervals`(interval: Int) {
        let seconds = (0..<10).map { Double($0 * interval) }
        #expect(patience(seconds) == .seconds(Double(3 * interval)))
        #expect(patience([seconds[0], seconds[1]]) == .seconds(Double(3 * interval)))
        // A lost packet makes one gap of two: the shorter ones count.
        #expect(patience(seconds + [Double(11 * interval)]) == .seconds(Double(3 * interval)))
    }

    @Test func `nobody is waited for over more than a minute and a half`() {
        #expect(patience([0, 59, 118, 177]) == .seconds(90))
    }

    @Test func `one packet that two nodes receive in their own seconds is one`() {
        #expect(patience([0.3, 0.8, 10.3, 10.8, 20.3, 20.8]) == .seconds(27))
    }

    @Test func `an absence is no interval`() {
        #expect(patience([0, 1, 2, 3, 100, 101, 102, 103]) == .seconds(0))
        #expect(patience([0, 100, 200]) == .seconds(0))
        #expect(patience([0, 10, 20, 300, 310]) == .seconds(30))
    }

    @Test func `a tag that begins to send often is not waited for any more`() {
        #expect(patience([0, 10, 20, 30, 31, 32, 33]) == .seconds(0))
        // And one that rests is, after three gaps.
        #expect(patience([0, 1, 2, 3, 13, 23]) == .seconds(0))
        #expect(patience([0, 1, 2, 3, 13, 23, 33]) == .seconds(30))
    }

    @Test func `what was stored counts from the start`() {
        #expect(patience([], gaps: [20, 20, 40]) == .seconds(60))
        #expect(patience([], gaps: [1, 2, 20, 20, 40]) == .seconds(60))
        #expect(patience([], gaps: [-4, .min, .max]) == .seconds(0))
        #expect(patience([], gaps: [.max]) == .seconds(90))
    }

    @Test func `what comes late or twice is no news`() {
        var cadence = Cadence()
        _ = cadence.receive(at: moment(0))
        let news = [10, 10, 4].map { cadence.receive(at: moment($0)) }
        #expect(news == [true, false, false])
        #expect(cadence.gaps == [10])
    }
}
