/// What a node's radio is doing, as far as listening is concerned.
package enum AdapterState: String, Equatable, Sendable, Codable {
    /// It listens.
    case up
    /// It is there and does not listen: switched off, blocked, or refusing the scan.
    case down
    /// It is not there.
    case absent
    /// It played a recording, and the recording is over.
    case ended
    /// The node was told not to listen.
    case stopped
}
