import SiteModel

/// One packet as one node received it.
package struct Emission: Equatable, Sendable {
    /// Who sent it.
    package enum Sender: Equatable, Sendable {
        /// The tag of a person, by index.
        case person(Int)
        /// Somebody's phone, under a resolvable address that changes every quarter of an hour.
        case phone(address: UInt64)
        /// A machine with a public address and no beacon format.
        case machine(address: UInt64)
        /// Nobody: an event no controller should send, made from these bits.
        case broken(UInt64)
    }

    /// The receiving node, an index into the layout's.
    package var node: Int
    package var at: Timestamp
    /// The level as an HCI event carries it: a signed number of dBm.
    package var rssi: UInt8
    /// Who sent it.
    package var sender: Sender

    package init(node: Int, at: Timestamp, rssi: UInt8, sender: Sender) {
        self.node = node
        self.at = at
        self.rssi = rssi
        self.sender = sender
    }

    /// The person whose tag sent it, by index, or `nil`.
    package var person: Int? {
        if case .person(let index) = sender { index } else { nil }
    }

    /// The H4 packet the controller hands up: an LE Advertising Report event with one report.
    ///
    ///     04 3e len 02 01 type kind address(6, low byte first) length data… rssi
    ///
    /// - Parameter people: those the world was made with.
    package func packet(of people: [Person]) -> [UInt8] {
        switch sender {
        case .person(let index):
            report(type: .unconnectable, kind: 1, people[index].address, people[index].data)
        case .phone(let address):
            // Flags, and an Apple “nearby” message as phones send all day long.
            report(
                type: .connectable, kind: 1, address,
                [0x02, 0x01, 0x1A, 0x06, 0xFF, 0x4C, 0x00, 0x10, 0x01, 0x18])
        case .machine(let address):
            // Flags, and the complete list of one 16-bit service: Fitness Machine, 0x1826.
            report(
                type: .connectable, kind: 0, address, [0x02, 0x01, 0x06, 0x03, 0x03, 0x26, 0x18])
        case .broken(let bits): broken(bits)
        }
    }

    private enum EventType: UInt8 {
        case connectable = 0x00
        case unconnectable = 0x03
    }

    private func report(
        type: EventType, kind: UInt8, _ address: UInt64, _ data: [UInt8]
    ) -> [UInt8] {
        var packet: [UInt8] = [
            0x04, 0x3E, UInt8(12 + data.count), 0x02, 0x01, type.rawValue, kind,
        ]
        packet.reserveCapacity(15 + data.count)
        for shift in stride(from: UInt64(0), to: 48, by: 8) {
            packet.append(UInt8(truncatingIfNeeded: address >> shift))
        }
        packet.append(UInt8(data.count))
        packet.append(contentsOf: data)
        packet.append(rssi)
        return packet
    }

    /// A sound report with one thing wrong.
    private func broken(_ bits: UInt64) -> [UInt8] {
        let address = bits >> 16 | 0xC000_0000_0000
        var packet = report(type: .unconnectable, kind: 1, address, [0x02, 0x01, 0x06])
        switch bits % 5 {
        case 0: packet.removeLast(1 + Int(bits >> 8 & 7))  // Ends too early.
        case 1: packet[4] = 0x19  // Says it holds 25 reports.
        case 2: packet[13] = 0xF0  // Says the data is 240 bytes long.
        case 3: packet[2] = 0xFF  // Says the event is 255 bytes long.
        default: packet = Array(packet.prefix(3))  // Nothing after the header.
        }
        return packet
    }
}

extension Person {
    /// Advertising data: flags, then manufacturer data with the iBeacon.
    ///
    ///     02 01 06   1a ff 4c 00 02 15 uuid(16) major(2) minor(2) power
    fileprivate var data: [UInt8] {
        var data: [UInt8] = [0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15]
        data.reserveCapacity(30)
        for half in [Self.uuid.high, Self.uuid.low] {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                data.append(UInt8(truncatingIfNeeded: half >> shift))
            }
        }
        for number in [Self.major, minor] {
            data.append(UInt8(number >> 8))
            data.append(UInt8(number & 0xFF))
        }
        data.append(UInt8(bitPattern: Int8(Self.measuredPower.dBm)))
        return data
    }
}
