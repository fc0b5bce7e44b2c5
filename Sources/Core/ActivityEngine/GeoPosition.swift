import Basics
import Scheduling
import SiteModel

/// Where somebody's phone was at a moment, on Earth (WGS 84). It is used for one thing: what a detector found that they carry is
/// given the place.
package struct GeoPosition: Equatable, Sendable, Codable {
    /// Older than this it is neither taken nor kept.
    package static let keptDays: Int64 = 7
    /// So long it says where somebody is; afterwards a detection gets none.
    package static let longestAge = Timestamp.Span.seconds(600)

    package var at: Timestamp
    /// In degrees.
    package var latitude: Double
    package var longitude: Double
    /// The radius in which it lies, in metres.
    package var accuracy: Double?
    /// In metres a second.
    package var speed: Double?
    /// In degrees, clockwise from north.
    package var heading: Double?
    /// What they do, as their phone says. Hostile text.
    package var activity: String?

    package init(
        at: Timestamp, latitude: Double, longitude: Double, accuracy: Double? = nil,
        speed: Double? = nil, heading: Double? = nil, activity: String? = nil
    ) {
        self.at = at
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
        self.speed = speed
        self.heading = heading
        self.activity = activity
    }

    /// Why it is not taken at a moment; `nil`: it is.
    package func fault(at now: Timestamp) -> ProblemCode? {
        guard GeoLimits.latitudes.contains(latitude), GeoLimits.longitudes.contains(longitude)
        else {
            return .schema
        }
        guard at <= now + ActivitySample.longestLead,
            at >= now - .seconds(Double(Self.keptDays * 24 * 3600))
        else { return .badTime }
        return nil
    }
}
