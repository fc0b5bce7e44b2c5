import Testing

@testable import JSON
@testable import Operations

/// A set in one short word.
struct SetTextTests {
    private func json(_ text: String) -> String? {
        guard let set = SetText(text) else { return nil }
        var writer = JSONWriter()
        writer.beginObject()
        set.writeMembers(to: &writer)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("8x80", #"{"reps":8,"weight_kg":80}"#), ("8×82,5kg", #"{"reps":8,"weight_kg":82.5}"#),
        ("5x225lb", #"{"reps":5,"weight_kg":102.058}"#),
        ("8X80@2", #"{"reps":8,"weight_kg":80,"rir":2}"#), ("12", #"{"reps":12}"#),
        ("12@0", #"{"reps":12,"rir":0}"#), ("8x0", #"{"reps":8,"weight_kg":0}"#),
        ("90s", #"{"duration_s":90}"#), ("1:30", #"{"duration_s":90}"#),
        ("500m", #"{"distance_m":500}"#), ("2.5km", #"{"distance_m":2500}"#),
        ("1mi", #"{"distance_m":1609}"#),
    ])
    func `what people type is a set`(text: String, said: String) {
        #expect(json(text) == said)
    }

    @Test(arguments: [
        "", "x", "8x", "x80", "8x80x2", "8x80.0005", "8xnan", "8x1e3", "8x-80", "8x80@", "@2",
        "8x80@two", "1:99", "m", "km", "s", "1.5", "8x80 kg", "８x80",
    ])
    func `what is none is refused`(text: String) {
        #expect(json(text) == nil)
    }
}
