/// How much of a name a screen on the wall shows.
package enum WallNames: String, Sendable, Codable, CaseIterable {
    case none
    /// The first letters of its words.
    case initials
    /// Its first word.
    case first

    /// `nil`: nothing.
    package func shown(of name: String) -> String? {
        let words = name.split(separator: " ")
        guard let first = words.first else { return nil }
        return switch self {
        case .none: nil
        case .initials: words.prefix(3).compactMap(\.first).map { "\($0)." }.joined(separator: " ")
        case .first: String(first)
        }
    }
}

/// What a site promises the people it locates.
package struct PrivacyPolicy: Equatable, Sendable, Codable {
    /// The range of days for which attendance is kept.
    package static let possibleDays = 730...36_525

    /// A beacon stands only for people who agreed to be located.
    package var requiresConsent: Bool
    /// How many days attendance is kept; `nil`: two years.
    package var attendanceDays: Int?
    /// What a screen on the wall shows of who is at a station and lets others see it.
    package var wallNames: WallNames

    package init(
        requiresConsent: Bool = false, attendanceDays: Int? = nil, wallNames: WallNames = .none
    ) {
        self.requiresConsent = requiresConsent
        self.attendanceDays = attendanceDays
        self.wallNames = wallNames
    }
}
