import Basics
import SiteModel

/// Everything the structures of an advertisement say, for people who look at single packets. A node
/// finds identities without it, by `Identification`.
package struct AdvertisingContents: Equatable, Sendable {
    /// One structure.
    package struct Structure: Equatable, Sendable {
        /// The assigned number of what it holds.
        package var type: UInt8
        /// What follows the type.
        package var payload: [UInt8]
    }

    /// What a device calls itself, up to the first NUL.
    package struct Name: Equatable, Sendable {
        /// The name; what is no UTF-8 is replaced. Hostile text: anybody near can send it.
        package var text: String
        /// Whether it is all of it.
        package var isComplete: Bool

        package init(text: String, isComplete: Bool) {
            self.text = text
            self.isComplete = isComplete
        }
    }

    /// What is said about one service.
    package struct ServiceData: Equatable, Sendable {
        package var service: ServiceUUID
        /// What follows its number.
        package var bytes: [UInt8]
    }

    /// What a manufacturer's structure says.
    package struct ManufacturerData: Equatable, Sendable {
        /// The manufacturer, by Bluetooth's assigned numbers.
        package var company: UInt16
        package var bytes: [UInt8]
    }

    /// In the order sent, up to the end of the data or to a structure that runs past it.
    package private(set) var structures: [Structure] = []
    /// Whether no structure ran past the end and nothing but zeros followed the end.
    package private(set) var isWellFormed = true
    /// The flags, type `01`. Where something is said twice, the last counts.
    package private(set) var flags: UInt8?
    /// The name, types `08` and `09`; a complete one is preferred.
    package private(set) var name: Name?
    /// The power of the sender in dBm, type `0A`.
    package private(set) var txPower: Int8?
    /// What the device looks like, type `19`.
    package private(set) var appearance: UInt16?
    /// The services it offers, types `02` ... `07`, each once, in the order sent.
    package private(set) var services: [ServiceUUID] = []
    /// What it says about services, types `16`, `20`, `21`.
    package private(set) var serviceData: [ServiceData] = []
    /// What manufacturers' structures say, type `FF`, none merged.
    package private(set) var manufacturerData: [ManufacturerData] = []
    /// What is said in beacon formats.
    package private(set) var beacons: [BeaconFrame] = []
    /// What was wrong.
    package private(set) var faults: [DecodingFault] = []

    /// Reads advertising data. `sender` is the address that sent them, if one is known.
    package init(_ data: Span<UInt8>, sender: UInt64?, keys: DecodingKeys) {
        var walk = AdvertisingStructures()
        while let structure = walk.next(in: data) {
            let payload = data.extracting(structure.payload)
            structures.append(Structure(type: structure.type, payload: payload.bytes))
            read(payload, of: structure.type, sender: sender, keys: keys)
        }
        if walk.isOverrun { faults.append(.overrun) }
        if let end = walk.terminator, data.extracting(end..<data.count).hasOtherThanZero {
            faults.append(.dataAfterTerminator)
        }
        isWellFormed = !faults.contains { $0 == .overrun || $0 == .dataAfterTerminator }
    }

    private mutating func read(
        _ payload: Span<UInt8>, of type: UInt8, sender: UInt64?, keys: DecodingKeys
    ) {
        switch type {
        case 0x01:
            if payload.count > 0 { flags = payload[0] } else { faults.append(.badLength) }
        case 0x02, 0x03: readServices(payload, length: 2)
        case 0x04, 0x05: readServices(payload, length: 4)
        case 0x06, 0x07: readServices(payload, length: 16)
        case 0x08, 0x09: readName(payload, isComplete: type == 0x09)
        case 0x0A:
            guard expect(payload.count == 1) else { return }
            txPower = Int8(bitPattern: payload[0])
        case 0x16: readServiceData(payload, length: 2, sender: sender, keys: keys)
        case 0x19:
            guard expect(payload.count == 2) else { return }
            appearance = payload.littleEndian16(at: 0)
        case 0x20: readServiceData(payload, length: 4, sender: sender, keys: keys)
        case 0x21: readServiceData(payload, length: 16, sender: sender, keys: keys)
        case 0xFF: readManufacturerData(payload)
        default: break
        }
    }

    private mutating func expect(_ isSo: Bool) -> Bool {
        if !isSo { faults.append(.badLength) }
        return isSo
    }

    /// An empty list is a list: phones send one to say that they offer no service of that length.
    private mutating func readServices(_ payload: Span<UInt8>, length: Int) {
        _ = expect(payload.count.isMultiple(of: length))
        for index in 0..<payload.count / length {
            let service = ServiceUUID(
                payload.extracting(index * length..<(index + 1) * length))
            if !services.contains(service) { services.append(service) }
        }
    }

    private mutating func readName(_ payload: Span<UInt8>, isComplete: Bool) {
        guard name == nil || (isComplete && name?.isComplete == false) else { return }
        let text = payload.bytes.prefix { $0 != 0 }
        name = Name(text: String(decoding: text, as: UTF8.self), isComplete: isComplete)
    }

    private mutating func readServiceData(
        _ payload: Span<UInt8>, length: Int, sender: UInt64?, keys: DecodingKeys
    ) {
        guard expect(payload.count >= length) else { return }
        serviceData.append(
            ServiceData(
                service: ServiceUUID(payload.extracting(0..<length)),
                bytes: payload.bytes(length..<payload.count)))
        guard length == 2 else { return }
        do throws(DecodingFault) {
            add(try BeaconFrame.beacon(serviceData: payload, sender: sender, keys: keys))
        } catch {
            faults.append(error)
        }
    }

    private mutating func readManufacturerData(_ payload: Span<UInt8>) {
        guard expect(payload.count >= 2) else { return }
        manufacturerData.append(
            ManufacturerData(
                company: payload.littleEndian16(at: 0), bytes: payload.bytes(2..<payload.count)))
        add(BeaconFrame.beacon(manufacturerData: payload))
    }

    private mutating func add(_ beacon: BeaconFrame?) {
        guard let beacon else { return }
        beacons.append(beacon)
        if let fault = beacon.fault, fault != .bthomeNoKey { faults.append(fault) }
    }
}

extension Span where Element == UInt8 {
    fileprivate var hasOtherThanZero: Bool {
        for index in indices where self[index] != 0 { return true }
        return false
    }
}

/// Walks the structures of advertising data: length 1, type 1, payload (Bluetooth Core Supplement,
/// Part A 1). It holds a place, not the bytes; give it the same bytes at each step.
///
/// A length of 0 ends the data, as zero padding does. A structure that runs past the end ends the
/// walk too; what came before it stands.
package struct AdvertisingStructures: Sendable {
    /// One structure.
    package struct Structure: Equatable, Sendable {
        /// The assigned number of what it holds, for instance `FF` for manufacturer's data.
        package var type: UInt8
        /// Where its payload lies in the data.
        package var payload: Range<Int>
    }

    /// Whether the last step met a structure longer than what was left.
    package private(set) var isOverrun = false
    /// Where the length of 0 stands that ended the data, if one did.
    package private(set) var terminator: Int?
    private var offset = 0

    /// Stands before the first structure.
    package init() {}

    /// The next structure of `data`, or `nil` when there are no more.
    package mutating func next(in data: Span<UInt8>) -> Structure? {
        guard offset < data.count else { return nil }
        let length = Int(data[offset])
        guard length > 0 else {
            terminator = offset
            offset = data.count
            return nil
        }
        guard offset + length < data.count else {
            isOverrun = true
            offset = data.count
            return nil
        }
        defer { offset += 1 + length }
        return Structure(
            type: data[offset + 1], payload: offset + 2..<offset + 1 + length)
    }
}

/// The number of a service, in the length it was sent.
package enum ServiceUUID: Hashable, Sendable {
    case short(UInt16)
    case medium(UInt32)
    case long(Identity.Bytes16)

    /// Reads 2, 4 or 16 bytes, least significant first, as advertisements have them.
    package init(_ bytes: Span<UInt8>) {
        switch bytes.count {
        case 2: self = .short(bytes.littleEndian16(at: 0))
        case 4: self = .medium(bytes.littleEndian32(at: 0))
        default:
            let (low, high) = (bytes.bigEndian64(at: 0), bytes.bigEndian64(at: 8))
            self = .long(Identity.Bytes16(high: high.byteSwapped, low: low.byteSwapped))
        }
    }

    /// Reads 4, 8 or 32 hexadecimal digits, most significant first, hyphens left out.
    package init?(text: String) {
        let digits = text.filter { $0 != "-" }
        guard let high = Hex.number(digits.utf8.prefix(16)) else { return nil }
        switch digits.utf8.count {
        case 4: self = .short(UInt16(high))
        case 8: self = .medium(UInt32(high))
        case 32:
            guard let low = Hex.number(digits.utf8.suffix(16)) else { return nil }
            self = .long(Identity.Bytes16(high: high, low: low))
        default: return nil
        }
    }
}

extension Span where Element == UInt8 {
    /// Two bytes, least significant first, as HCI writes numbers. Both must be inside.
    func littleEndian16(at offset: Int) -> UInt16 {
        UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
    }

    /// Two bytes, most significant first, as beacons write numbers. Both must be inside.
    func bigEndian16(at offset: Int) -> UInt16 {
        UInt16(self[offset]) << 8 | UInt16(self[offset + 1])
    }

    /// Four bytes, most significant first. All must be inside.
    func bigEndian32(at offset: Int) -> UInt32 {
        UInt32(bigEndian16(at: offset)) << 16 | UInt32(bigEndian16(at: offset + 2))
    }

    /// Four bytes, least significant first. All must be inside.
    func littleEndian32(at offset: Int) -> UInt32 {
        UInt32(littleEndian16(at: offset)) | UInt32(littleEndian16(at: offset + 2)) << 16
    }

    /// A signed number of two bytes, most significant first. Both must be inside.
    func signed16(at offset: Int) -> Int16 { Int16(bitPattern: bigEndian16(at: offset)) }

    /// A signed level or power, in dBm. It must be inside.
    package func level(at offset: Int) -> RSSI { RSSI(dBm: Double(Int8(bitPattern: self[offset]))) }

    /// A copy of some bytes, which must be inside.
    package func bytes(_ range: Range<Int>) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(range.count)
        for index in range { copy.append(self[index]) }
        return copy
    }

    /// A copy of all bytes.
    package var bytes: [UInt8] { bytes(0..<count) }

    /// Sixteen bytes, most significant first. All must be inside.
    package func bytes16(at offset: Int) -> Identity.Bytes16 {
        Identity.Bytes16(high: bigEndian64(at: offset), low: bigEndian64(at: offset + 8))
    }

    /// A 48-bit device address, which HCI sends least significant byte first. All six bytes must be
    /// inside.
    package func address(at offset: Int) -> UInt64 {
        var address: UInt64 = 0
        for index in 0..<6 { address |= UInt64(self[offset + index]) << UInt64(8 * index) }
        return address
    }

    /// Eight bytes, most significant first. All must be inside.
    func bigEndian64(at offset: Int) -> UInt64 {
        UInt64(bigEndian32(at: offset)) << 32 | UInt64(bigEndian32(at: offset + 4))
    }
}
