import SiteModel
import Wire

/// Something stored that people are to be told of, before anybody is.
package struct Occasion {
    var kind: NotificationPayload.Kind
    /// What it stems from: of one cause there is one notification at most.
    var cause: String
    /// The row of whom it is about, or `nil` if it is about nobody.
    var user: Int64?
    /// The row or slug of what it is about.
    var subject: String
    /// When it happened.
    var at: Timestamp
    /// A few words.
    var title: String
    /// A sentence. Pseudonyms only.
    var body: String
}

extension SiteCalendar {
    /// Hours and minutes, `08:02`.
    func clock(_ moment: Timestamp) -> String {
        String(local(moment).time.withSeconds.dropLast(3))
    }
}
