/// What is wrong with an advertisement, by the code that `beaconmesh decode` prints.
package enum DecodingFault: String, Error, Sendable, CaseIterable {
    /// The text is no hexadecimal, or no line we understand.
    case badHex = "bad-hex"
    /// The packet is of another type than an event.
    case notHCIEvent = "not-hci-event"
    /// Fewer bytes than the packet's header says.
    case truncatedEvent = "truncated-event"
    /// More bytes than the packet's header says.
    case trailingBytes = "trailing-bytes"
    /// The event announces no report.
    case noReports = "no-reports"
    /// A report runs past the end of its event.
    case truncatedReport = "truncated-report"
    /// Bytes are left after the announced reports.
    case extraReportBytes = "extra-report-bytes"
    /// A type of advertisement that is not defined.
    case badEventType = "bad-event-type"
    /// A type of address that is not defined.
    case badAddressType = "bad-address-type"
    /// More than 31 bytes in a legacy report.
    case legacyDataTooLong = "legacy-data-too-long"
    /// A structure runs past the end of the data.
    case overrun = "ad-overrun"
    /// Something stands behind the length of 0 that ends the data.
    case dataAfterTerminator = "ad-data-after-terminator"
    /// A structure is too short for its type, or no multiple of its element.
    case badLength = "ad-bad-length"
    case eddystoneTruncated = "eddystone-truncated"
    /// The scheme of a web address is none of the four.
    case eddystoneScheme = "eddystone-url-scheme"
    /// A byte of a web address stands for nothing.
    case eddystoneCharacter = "eddystone-url-byte"
    /// Telemetry of a version that is not defined.
    case eddystoneVersion = "eddystone-tlm-version"
    /// BTHome of another version than 2.
    case bthomeVersion = "bthome-version"
    case bthomeTruncated = "bthome-truncated"
    /// An object whose length nobody knows, so that the rest cannot be read.
    case bthomeUnknownObject = "bthome-unknown-object"
    /// The key does not fit, or the message was changed.
    case bthomeBadCheck = "bthome-bad-mic"
    /// Encrypted, and there is no key: nothing wrong with the advertisement.
    case bthomeNoKey = "bthome-no-key"
    case ruuviTruncated = "ruuvi-truncated"
    /// A format of RuuviTag that is not assigned.
    case ruuviFormat = "ruuvi-format"
    /// An advertisement in parts was given up: too long, or too many at once.
    case reassemblyOverflow = "reassembly-overflow"
}
