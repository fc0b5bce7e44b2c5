/// What is asked of a controller to make it scan, one command at a time.
package enum ScanCommand: String, Equatable, Sendable, CaseIterable {
    /// What it can do with Low Energy.
    case features
    /// Which optional commands it knows.
    case supported
    /// Ends any scan. A controller that does not scan may refuse it, and no harm done.
    case disable
    case parameters
    /// Starts the scan.
    case enable
}
