import SiteModel

/// Every name in an advertisement that can identify its sender, found in one walk. Allocates
/// nothing.
package struct AdvertisedNames {
    /// A changing name, which only the holder of its key can read.
    package struct Ephemeral {
        package var name: UInt64
        /// The level at 1 m the sender claims to have.
        package var measuredPower: RSSI

        package init(name: UInt64, measuredPower: RSSI) {
            self.name = name
            self.measuredPower = measuredPower
        }
    }

    /// What the sender calls itself.
    package struct Name {
        /// Where it lies in the data; never empty.
        package var place: Range<Int>
        /// Whether it is all of it.
        package var isComplete: Bool

        package init(place: Range<Int>, isComplete: Bool) {
            self.place = place
            self.isComplete = isComplete
        }
    }

    /// The first iBeacon, else the first AltBeacon, else the first Eddystone UID.
    package private(set) var beacon: Identified?
    /// The first Eddystone EID.
    package private(set) var ephemeral: Ephemeral?
    /// The first complete name, else the first shortened one.
    package private(set) var name: Name?
    /// The first that the sender says about itself.
    package private(set) var telemetry: Telemetry?
    /// A number made of the types of the structures and whose they are, in the order sent.
    package private(set) var shape: UInt32 = 0

    /// Reads advertising data.
    package init(_ data: Span<UInt8>) {
        var iBeacon: Identified?
        var altBeacon: Identified?
        var eddystone: Identified?
        var structures = AdvertisingStructures()
        while let structure = structures.next(in: data) {
            shape = shape &* 16_777_619 ^ UInt32(structure.type)
            switch structure.type {
            case 0xFF:
                let payload = data.extracting(structure.payload)
                add(owner: payload)
                telemetry = telemetry ?? Telemetry.telemetry(manufacturerData: payload)
                iBeacon = iBeacon ?? IBeacon(manufacturerData: payload)?.identified
                altBeacon = altBeacon ?? AltBeacon(manufacturerData: payload)?.identified
            case 0x16:
                let payload = data.extracting(structure.payload)
                add(owner: payload)
                telemetry = telemetry ?? Telemetry.telemetry(serviceData: payload)
                eddystone = eddystone ?? EddystoneUID(serviceData: payload)?.identified
                ephemeral = ephemeral ?? EddystoneEID.ephemeral(serviceData: payload)
            case 0x08, 0x09:
                read(structure.payload, of: data, isComplete: structure.type == 0x09)
            default:
                break
            }
        }
        beacon = iBeacon ?? altBeacon ?? eddystone
    }

    /// Whose a structure is: the company or service, and of Eddystone's which frame.
    private mutating func add(owner payload: Span<UInt8>) {
        guard payload.count >= 2 else { return }
        let owner = payload.littleEndian16(at: 0)
        shape = shape &* 16_777_619 ^ UInt32(owner)
        if owner == 0xFEAA, payload.count > 2 {
            shape = shape &* 16_777_619 ^ UInt32(payload[2])
        }
    }

    private mutating func read(_ payload: Range<Int>, of data: Span<UInt8>, isComplete: Bool) {
        guard name == nil || (isComplete && name?.isComplete == false) else { return }
        var end = payload.lowerBound
        while end < payload.upperBound, data[end] != 0 { end += 1 }
        guard end > payload.lowerBound else { return }
        name = Name(place: payload.lowerBound..<end, isComplete: isComplete)
    }
}

/// An address that changes and that only the holder of a key can recognise (Bluetooth Core 5.4, Vol 6
/// Part B 1.3.2.2): two bits `01`, 22 random bits, then 24 bits of their encryption.
package enum PrivateAddress {
    /// The label of the first key that made `address`, a random one; `nil` if none did.
    package static func owner(of address: UInt64, keys: DecodingKeys) -> String? {
        guard isResolvable(address) else { return nil }
        return keys.resolving.first { made(address, by: $0.key, keys.cryptography) }?.label
    }

    /// Whether a random address is one that a key can recognise.
    package static func isResolvable(_ address: UInt64) -> Bool { address >> 46 == 0b01 }

    /// Whether the holder of `key` made a resolvable address.
    package static func made(
        _ address: UInt64, by key: Identity.Bytes16, _ cryptography: Cryptography
    ) -> Bool {
        // A key of zeros says that its owner has none (Vol 3 Part H 2.4.2.1).
        guard key != Identity.Bytes16(high: 0, low: 0) else { return false }
        let block = Identity.Bytes16(high: 0, low: address >> 24)
        return cryptography.encrypt(block, key).low & 0xFF_FFFF == address & 0xFF_FFFF
    }
}
