/// What counts as one session.
package struct AttendancePolicy: Hashable, Sendable, Codable {
    /// An absence up to this long is none.
    package var mergeGap: Timestamp.Span
    /// An absence up to this long is a break in one session; 0 for never.
    package var longestBreak: Timestamp.Span
    /// A session longer than this needs review.
    package var longestOpen: Timestamp.Span

    /// A policy. The defaults, 5 minutes, no breaks and 14 hours, are those of the attendance products
    /// compared in the design's evidence.
    package init(
        mergeGap: Timestamp.Span = .seconds(300), longestBreak: Timestamp.Span = .seconds(0),
        longestOpen: Timestamp.Span = .seconds(14 * 3600)
    ) {
        self.mergeGap = mergeGap
        self.longestBreak = longestBreak
        self.longestOpen = longestOpen
    }
}
