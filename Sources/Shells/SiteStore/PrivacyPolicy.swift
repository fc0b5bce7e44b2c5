/// What a site promises the people it locates.
package struct PrivacyPolicy: Equatable, Sendable, Codable {
    /// Attendance is never kept for less than so many days, nor for more than a hundred years.
    package static let possibleDays = 730...36_525

    /// A beacon stands only for people who agreed to be located.
    package var requiresConsent: Bool
    /// So many days attendance is kept; `nil` is two years.
    package var attendanceDays: Int?

    package init(requiresConsent: Bool = false, attendanceDays: Int? = nil) {
        self.requiresConsent = requiresConsent
        self.attendanceDays = attendanceDays
    }
}
