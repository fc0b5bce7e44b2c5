import Basics

/// Which adapter of a machine is meant. Adapters are numbered in the order in which they appear, so
/// one that is pulled out may return under another number.
package enum AdapterName: Hashable, Sendable, CustomStringConvertible {
    /// `hciN`. Once it was there, its address is remembered, and it is found under another number
    /// while no adapter has this one.
    case index(UInt16)
    /// The one with this address, most significant byte first in the low 48 bits.
    case address(UInt64)
    /// The one with the lowest number.
    case any

    /// An adapter that is there.
    package struct Present: Equatable, Sendable {
        /// Its number, as in `hciN`.
        package var index: UInt16
        /// Its address, or `nil` while the system has not asked it yet.
        package var address: UInt64?

        package init(index: UInt16, address: UInt64?) {
            self.index = index
            self.address = address
        }
    }

    /// The adapter that is meant, if it is there.
    ///
    /// - Parameters:
    ///   - present: the adapters of the machine, in any order.
    ///   - taken: numbers that are not to be had, because another scanner has them.
    ///   - remembered: the address of the adapter that was last found by this name.
    package func choose(
        from present: [Present], taken: [UInt16] = [], remembered: UInt64? = nil
    ) -> Present? {
        let free = present.filter { !taken.contains($0.index) }
            .sorted { $0.index < $1.index }
        switch self {
        case .index(let index):
            return free.first { $0.index == index }
                ?? remembered.flatMap { address in free.first { $0.address == address } }
        case .address(let address): return free.first { $0.address == address }
        case .any:
            // The one we had, wherever it is now, before one we do not know.
            return remembered.flatMap { address in free.first { $0.address == address } }
                ?? free.first
        }
    }

    /// As in the configuration: `hci0`, `00:1B:DC:00:00:01`, `any`.
    package var description: String {
        switch self {
        case .index(let index): "hci\(index)"
        case .address(let address): Hex.text(address: address).uppercased()
        case .any: "any"
        }
    }
}
