import BeaconDecoding
import Glibc
import JSON
import Platform
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

/// Cuts standard input into lines. Before it waits for more, it calls `willWait`, so that a client
/// that waits for an answer gets it.
struct LineReader {
    private static let pieceLength = 1 << 16

    /// Calls `body` with each line, without its end, or with `nil` for one longer than `limit`. The
    /// last line may lack its end.
    static func forEachLine(
        limit: Int, willWait: () throws -> Void, _ body: (Span<UInt8>?) -> Void
    ) throws {
        var piece = [UInt8](repeating: 0, count: pieceLength)
        var line: [UInt8] = []
        var isTooLong = false
        while true {
            try willWait()
            let count = piece.withUnsafeMutableBytes { read(0, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw Exit(code: 74, text: "standard input: \(String(cString: strerror(errno)))")
            }
            if count == 0 { break }
            var start = 0
            while let end = piece[start..<count].firstIndex(of: UInt8(ascii: "\n")) {
                if line.isEmpty, !isTooLong, end - start <= limit {
                    body(piece.span.extracting(start..<end))
                } else {
                    line += piece[start..<end]
                    if isTooLong || line.count > limit { body(nil) } else { body(line.span) }
                }
                line.removeAll(keepingCapacity: true)
                isTooLong = false
                start = end + 1
            }
            if !isTooLong { line += piece[start..<count] }
            if line.count > limit {
                isTooLong = true
                line = []
            }
        }
        if isTooLong { body(nil) } else if !line.isEmpty { body(line.span) }
        try willWait()
    }
}
