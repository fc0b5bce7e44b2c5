import Foundation
import Testing

@testable import SiteModel

/// Requests as databases and recordings hold them: those of earlier releases are still read.
struct StoredRequestTests {
    private static let moment = Timestamp(milliseconds: 1_767_225_600_123)

    @Test(
        arguments: [
            (
                #"{"startWorkout":{"_0":7,"_1":3}}"#,
                Request.Verb.training(UserID(7), .start(StationID(3))),
                "workout-start"
            ),
            (#"{"startWorkout":{"_0":7}}"#, .training(UserID(7), .start(nil)), "workout-start"),
            (#"{"pauseWorkout":{"_0":7}}"#, .training(UserID(7), .pause), "workout-pause"),
            (#"{"resumeWorkout":{"_0":7}}"#, .training(UserID(7), .resume), "workout-resume"),
            (
                #"{"completeWorkout":{"_0":7}}"#, .training(UserID(7), .complete()),
                "workout-complete"
            ),
            (
                #"{"checkIn":{"_0":7,"at":1767225600123,"reason":"no tag"}}"#,
                .attendance(UserID(7), .checkIn(at: moment, reason: "no tag")),
                "attendance-check-in"
            ),
            (
                #"{"checkOut":{"_0":7}}"#, .attendance(UserID(7), .checkOut(at: nil, reason: nil)),
                "attendance-check-out"
            ),
        ])
    func `what was stored before there were two levels means the same`(
        text: String, verb: Request.Verb, name: String
    ) throws {
        let request = #"{"client":"kiosk","id":"r-1","verb":\#(text)}"#
        let read = try JSONDecoder().decode(Request.self, from: Data(request.utf8))
        #expect(read == Request(client: "kiosk", id: "r-1", name: name, verb: verb))
        let again = try JSONDecoder().decode(Request.self, from: JSONEncoder().encode(read))
        #expect(again == read)
    }

    @Test(arguments: ["{}", #"{"fly":{"_0":7}}"#, #"{"training":{"_0":7}}"#])
    func `what is no verb is refused`(text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Request.Verb.self, from: Data(text.utf8))
        }
    }
}
