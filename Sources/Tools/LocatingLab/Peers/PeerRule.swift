/// Rules of other projects, written from the descriptions of how they work. What a description
/// leaves open is said where it was filled in.
package enum PeerRule: String, CaseIterable, Sendable {
    /// The receiver with the strongest latest reading.
    case nearest
    /// The strongest exponential mean, with a margin.
    case ewmaMargin = "ewma-margin"
    case bermuda
    case roomAssistant = "room-assistant"
    /// As habluetooth chooses the owner of an address.
    case habluetooth

    /// A rule for one transmitter that has heard nothing.
    ///
    /// - Parameter zoneOfReceiver: by receiver, the index of its zone.
    package func make(zoneOfReceiver: [Int]) -> any ZoneRule {
        switch self {
        case .nearest: NearestRule(zoneOfReceiver: zoneOfReceiver)
        case .ewmaMargin: MarginRule(zoneOfReceiver: zoneOfReceiver)
        case .bermuda: BermudaRule(zoneOfReceiver: zoneOfReceiver)
        case .roomAssistant: RoomAssistantRule(zoneOfReceiver: zoneOfReceiver)
        case .habluetooth: HabluetoothRule(zoneOfReceiver: zoneOfReceiver)
        }
    }
}
