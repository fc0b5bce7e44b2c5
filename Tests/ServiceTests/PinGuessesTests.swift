import SiteModel
import Testing

@testable import SiteService

/// Who tries PINs waits; who mistypes does not.
struct PinGuessesTests {
    private let guesses = PinGuesses()

    private func at(_ seconds: Double) -> Timestamp {
        Timestamp(milliseconds: 1_760_000_000_000) + .seconds(seconds)
    }

    @Test func `a thousand that are tried one after the other are few that are looked at`() {
        var looked = 0
        for second in 0..<3600 {
            guard guesses.pause(of: "door", at: at(Double(second))) == nil else { continue }
            looked += 1
            guesses.note(isRight: false, at: "door", at: at(Double(second)))
        }
        #expect((5...20).contains(looked), "\(looked)")
        #expect(guesses.pause(of: "door", at: at(3600)) ?? 0 <= 900)
        #expect(guesses.pause(of: "gate", at: at(3600)) == nil, "another kiosk goes on")
    }

    @Test func `a day of people who mistype one in ten times stops nobody`() {
        for minute in 0..<1440 {
            let moment = at(Double(minute) * 60)
            #expect(guesses.pause(of: "door", at: moment) == nil, "\(minute)")
            guesses.note(isRight: minute % 10 != 3, at: "door", at: moment)
        }
    }

    @Test func `whoever waits long enough may try again, and a right one makes good`() {
        for _ in 0..<7 { guesses.note(isRight: false, at: "door", at: at(0)) }
        #expect(guesses.pause(of: "door", at: at(0)) == 40)
        #expect(guesses.pause(of: "door", at: at(41)) == nil)
        guesses.note(isRight: true, at: "door", at: at(41))
        #expect(guesses.pause(of: "door", at: at(42)) == nil)
    }
}
