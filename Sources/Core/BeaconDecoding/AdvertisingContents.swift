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
