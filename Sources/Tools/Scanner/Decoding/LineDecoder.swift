import BeaconDecoding
import Wire

/// Answers lines for the decoder, each with one JSON object and the end of a line.
package struct LineDecoder {
    private var number = 0

    /// Before the first line.
    package init() {}

    /// The answer to the next line, given without its end.
    package mutating func answer(to line: Span<UInt8>) -> [UInt8] {
        number += 1
        let request = DecodeRequest(line, number: number)
        return Self.text(
            Self.decode(request), id: request.id, isClassified: request.context.rules != nil)
    }

    /// The answer to a line that was too long to be kept.
    package mutating func answerToOversizeLine() -> [UInt8] {
        number += 1
        var packet = DecodedPacket()
        packet.add(.badHex)
        return Self.text(packet, id: Array("\(number)".utf8), isClassified: false)
    }

    private static func decode(_ request: DecodeRequest) -> DecodedPacket {
        var decoder = AdvertisementDecoder(
            keys: request.context.keys, rules: request.context.rules ?? [])
        var packet = DecodedPacket()
        for piece in request.pieces {
            guard let bytes = piece else {
                packet.add(.badHex)
                continue
            }
            switch request.kind {
            case .data:
                decoder.decode(data: bytes.span, from: request.context.sender, into: &packet)
            case .event: decoder.decode(event: bytes.span, into: &packet, isLast: true)
            case .sequence: decoder.decode(event: bytes.span, into: &packet)
            }
        }
        return packet
    }

    private static func text(
        _ packet: DecodedPacket, id: [UInt8], isClassified: Bool
    ) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("id")
        json.raw(id)
        json.fields(of: packet, isClassified: isClassified)
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }
}
