/// What a site shows to whoever passes by, and where it is read from.
package struct ContentSettings: Equatable, Sendable, Codable {
    /// Whether anybody who scans the code at a station sees its card and whether it is free, without an account.
    package var visitors = false
    /// The address of a list of cards; `nil`: none is read.
    package var source: String?
    /// The group that the list is of; `nil`: all beacons.
    package var group: String?
    /// Whether that may be a machine of our own network.
    package var isPrivate = false

    package init() {}
}
