/// What positions on Earth (WGS 84) may be.
package enum GeoLimits {
    /// In degrees.
    package static let latitudes = -90.0...90.0
    package static let longitudes = -180.0...180.0
    /// In metres.
    package static let accuracies = 0.0...100_000.0
    /// In metres a second.
    package static let speeds = 0.0...1000.0
    /// In degrees.
    package static let headings = 0.0...360.0
}
