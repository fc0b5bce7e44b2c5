import SiteModel

/// BTHome 2, in service data of UUID `D2 FC`: information 1 (bit 0 encrypted, bit 1 address follows,
/// bit 2 sent on a trigger, bits 5 to 7 version), perhaps address 6 (least significant byte first),
/// objects. Encrypted, the objects are followed by counter 4 (little-endian) and check 4, and
/// stand under AES-CCM with the nonce address (most significant byte first), `D2 FC`, information,
/// counter.
package struct BTHome: Equatable, Sendable {
    /// Whether it was sent because something happened, and not at intervals.
    package var isTriggered: Bool
    /// The sender's address, if the advertisement has it.
    package var address: UInt64?
    /// What only encrypted advertisements have.
    package var encryption: Encryption?
    /// What is measured, in the order sent, as far as it could be read.
    package var objects: [BTHomeObject] = []
    /// Why the rest could not be read.
    package var fault: DecodingFault?

    /// What only encrypted advertisements have.
    package struct Encryption: Equatable, Sendable {
        /// Goes up with each advertisement.
        package var counter: UInt32
        /// Whether a key opened it.
        package var isDecrypted = false
    }

    /// The number that repetitions of an advertisement share.
    package var packet: UInt8? {
        for object in objects {
            if object.id == 0, case .number(let number) = object.value { return UInt8(number) }
        }
        return nil
    }

    /// Reads what follows the UUID, at least one byte. `sender` is the address that sent it.
    package static func beacon(
        in data: Span<UInt8>, sender: UInt64?, keys: DecodingKeys
    ) -> BeaconFrame {
        let information = data[0]
        guard information >> 5 == 2 else { return .unreadable(.bthome, .bthomeVersion) }
        let start = information & 2 == 0 ? 1 : 7
        let isEncrypted = information & 1 != 0
        guard data.count >= start + (isEncrypted ? 8 : 0) else {
            return .unreadable(.bthome, .bthomeTruncated)
        }
        var bthome = BTHome(isTriggered: information & 4 != 0)
        if start == 7 { bthome.address = data.address(at: 1) }
        let payload = data.extracting(start..<data.count)
        if isEncrypted {
            bthome.open(payload, information, sender: sender, keys: keys)
        } else {
            (bthome.objects, bthome.fault) = BTHomeObject.objects(in: payload)
        }
        return .bthome(bthome)
    }

    private mutating func open(
        _ payload: Span<UInt8>, _ information: UInt8, sender: UInt64?, keys: DecodingKeys
    ) {
        let end = payload.count - 8
        encryption = Encryption(counter: payload.littleEndian32(at: end))
        let found = [address, sender].lazy.compactMap { $0 }.compactMap { keys.sensors[$0] }.first
        guard let key = found, let maker = address ?? sender else {
            fault = .bthomeNoKey
            return
        }
        var nonce = (0..<6).map { UInt8(truncatingIfNeeded: maker >> UInt64(40 - 8 * $0)) }
        nonce += [0xD2, 0xFC, information] + payload.bytes(end..<end + 4)
        let sealed = Cryptography.Sealed(
            ciphertext: payload.bytes(0..<end), tag: payload.bytes(end + 4..<end + 8),
            nonce: nonce)
        guard let opened = keys.cryptography.open(sealed, key) else {
            fault = .bthomeBadCheck
            return
        }
        encryption?.isDecrypted = true
        (objects, fault) = BTHomeObject.objects(in: opened.span)
    }
}
