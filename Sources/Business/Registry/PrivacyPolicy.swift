/// What a site promises the people it locates.
package struct PrivacyPolicy: Equatable, Sendable, Codable {
    /// The range of days for which attendance is kept.
    package static let possibleDays = 730...36_525

    /// A beacon stands only for people who agreed to be located.
    package var requiresConsent: Bool
    /// How many days attendance is kept; `nil`: two years.
    package var attendanceDays: Int?

    package init(requiresConsent: Bool = false, attendanceDays: Int? = nil) {
        self.requiresConsent = requiresConsent
        self.attendanceDays = attendanceDays
    }
}
