import BeaconDecoding
import Ciphers
import JSON
import Platform
import Radio
import SiteModel
import Wire

/// One line for the decoder, understood as far as it can be.
struct DecodeRequest {
    /// What the bytes are.
    enum Kind: String {
        /// One H4 event.
        case event = "hci-event"
        /// Bare advertising data.
        case data = "ad"
        /// Several events, whose parts are joined.
        case sequence = "hci-sequence"
    }

    /// The longest line read.
    static let longest = 4 << 20

    /// What the answer is called: the JSON text of the line's `id`, or the line's number.
    var id: [UInt8]
    /// What the bytes are.
    var kind: Kind
    /// The bytes, or `nil` for what is no hexadecimal.
    var pieces: [[UInt8]?]
    /// What else is known.
    var context = DecodeContext()

    /// Reads a line; whatever is in it, something comes of it. `number` counts from 1.
    init(_ line: Span<UInt8>, number: Int) {
        id = Array("\(number)".utf8)
        let text = line.trimmed
        guard line.count > text.lowerBound, line[text.lowerBound] == UInt8(ascii: "{") else {
            let bytes = HexText.bytes(text.map { line[$0] })
            pieces = [bytes]
            kind = Self.kind(of: bytes)
            return
        }
        pieces = [nil]
        kind = .data
        let json = line.extracting(text)
        do throws(PayloadError) {
            try read(json)
        } catch {
            pieces = [nil]
        }
    }

    private mutating func read(_ json: Span<UInt8>) throws(PayloadError) {
        let object = try JSONObject(document: json, limit: Self.longest)
        if let id = try object.optional("id", json) {
            let range = try id.range(json)
            self.id = range.map { json[$0] }
        }
        guard let hex = try object.optional("hex", json) else { return }
        switch try hex.kind(json) {
        case .array:
            pieces = try hex.list(json) { (piece, json) throws(PayloadError) in
                try Self.bytes(piece, json)
            }
            kind = .sequence
        default:
            pieces = [try Self.bytes(hex, json)]
            kind = Self.kind(of: pieces[0])
        }
        if let value = try object.optional("kind", json), try value.kind(json) == .string,
            let named = Kind(rawValue: try value.text(json))
        {
            kind = named
        }
        if let value = try object.optional("context", json), try value.kind(json) == .object {
            context = try DecodeContext(try value.object(json), json)
        }
    }

    private static func bytes(
        _ value: JSONValue, _ json: Span<UInt8>
    ) throws(PayloadError) -> [UInt8]? {
        guard try value.kind(json) == .string else { return nil }
        return HexText.bytes(Array(try value.text(json).utf8))
    }

    /// What bytes are of which nobody said it.
    private static func kind(of bytes: [UInt8]?) -> Kind {
        bytes?.starts(with: [0x04, 0x3E]) == true ? .event : .data
    }
}

extension Span where Element == UInt8 {
    /// Where the line is without the white space around it.
    fileprivate var trimmed: Range<Int> {
        var (start, end) = (0, count)
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        while start < end, [0x20, 0x09, 0x0D].contains(self[end - 1]) { end -= 1 }
        return start..<end
    }
}

/// Runs of the decoder, from a source to standard output.
package enum DecodeRun {
    /// Answers the lines of standard input. Throws only when reading or writing fails.
    package static func lines() throws {
        var decoder = LineDecoder()
        var output = Output()
        var fault: (any Error)?
        try LineReader.forEachLine(limit: DecodeRequest.longest) {
            if let fault { throw fault }
            try output.flush()
        } _: { line in
            let answer =
                if let line { decoder.answer(to: line) } else { decoder.answerToOversizeLine() }
            do { try output.add(answer) } catch let error { fault = error }
        }
    }

    /// Writes an object for each packet of an HCI log, its number, from 1, as its id. A damaged log
    /// is read as far as it goes, and then an `Exit` says where that is.
    package static func capture(_ path: String) throws {
        let file = try CompressedFile(path: path)
        var reader = CaptureReader()
        var decoder = AdvertisementDecoder(
            keys: DecodingKeys(cryptography: LibCrypto.cryptography))
        var output = Output()
        var number = 0
        var damage: String?
        do {
            while let piece = try file.read() {
                reader.feed(piece.span)
                while let packet = try reader.next() {
                    number += 1
                    try output.add(text(packet, number: number, &decoder))
                }
            }
            try reader.end()
        } catch let error as CaptureError {
            damage = "\(path): \(error)"
        } catch let error as CompressedFile.Damage {
            damage = "\(error)"
        }
        try output.flush()
        if let damage { throw Exit(code: 1, text: "\(damage), after \(number) packets") }
    }

    private static func text(
        _ packet: CapturedPacket, number: Int, _ decoder: inout AdvertisementDecoder
    ) -> [UInt8] {
        var decoded = DecodedPacket()
        switch packet.bytes.first {
        // Commands and data are well-formed and not about advertisements.
        case 0x01, 0x02, 0x03, 0x05: break
        default: decoder.decode(event: packet.bytes.span, into: &decoded)
        }
        var json = JSONWriter()
        json.beginObject()
        json.field("id", number)
        json.field("at_ms", packet.at.milliseconds)
        json.fields(of: decoded, isClassified: false)
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }
}
