import BeaconDecoding

/// What a radio source has to say beside packets.
package enum RadioEvent: Equatable, Sendable {
    /// The radio began or ceased to listen. Told on change only.
    case adapter(AdapterState)
    /// A sentence for the log: why something failed, or what is tried next.
    case note(String)
}
