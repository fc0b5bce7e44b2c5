/// Why a person should look at a session before anybody is paid by it. Its times stay what the
/// evidence says; none is invented.
package enum Review: String, Sendable, Codable, CaseIterable, Comparable {
    /// It is longer than anybody stays: a tag left behind, or a check-out forgotten.
    case tooLong = "too-long"
    /// Nobody listened when it began or ended, or for long in between: it may have been longer, or
    /// two.
    case coverageGap = "coverage-gap"
    /// They were heard for longer than what was stated.
    case heardOutside = "heard-outside"
    /// They were unheard, and that was listened to, long before they were said to have left.
    case silentBeforeOut = "silent-before-out"
    /// It was ended before it began by the coordinator's clock, which had been set back.
    case wrongClock = "wrong-clock"
    /// They were heard at another site at the same time.
    case twoSites = "two-sites"
    /// Their beacon was strong at two far places at once.
    case twoPlaces = "two-places"
    /// They moved faster than people do.
    case speed
    /// Their beacon sent more often than it does.
    case rate
    /// Their beacon appeared in the middle of the building.
    case teleport
    /// Something else sends under their beacon's name.
    case fingerprint
    /// They were there and never did anything.
    case inactive

    /// By code.
    package static func < (a: Review, b: Review) -> Bool { a.rawValue < b.rawValue }
}
