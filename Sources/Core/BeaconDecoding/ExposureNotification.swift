import SiteModel

/// What phones sent to record who met whom, in service data of UUID `6F FD`: identifier 16,
/// encrypted metadata 4.
package struct ExposureNotification: Equatable, Sendable {
    /// The rolling proximity identifier.
    package var identifier: Identity.Bytes16
    /// The associated encrypted metadata.
    package var metadata: UInt32

    /// Reads what follows the UUID; `nil` if it is too short.
    init?(data: Span<UInt8>) {
        guard data.count >= 20 else { return nil }
        identifier = data.bytes16(at: 0)
        metadata = data.bigEndian32(at: 16)
    }
}
