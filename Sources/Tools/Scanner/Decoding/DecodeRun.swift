import BeaconDecoding
import Ciphers
import Radio
import Platform
import Wire

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
