import JSON
import Notifications
import WebServer

/// What a message says, in its reader's language.
enum PushText {
    /// JSON for the page's worker: `title`, `body`, `tag`, and the `path` that a touch leads to.
    static func json(of notice: PushedNotice, in language: PageLanguage) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("title", notice.site)
        writer.field("body", body(of: notice, in: language))
        writer.field("tag", "\(notice.kind.rawValue)-\(notice.id)")
        writer.field("path", path(of: notice))
        writer.endObject()
        return writer.bytes
    }

    /// The words of the page, by the names that the reader may see.
    static func body(of notice: PushedNotice, in language: PageLanguage) -> String {
        let words = Pages.shared.words(in: language)
        let kind = notice.kind.rawValue
        let own = "notice.own.\(kind)"
        let key = notice.isOwn && words.keys.contains(own) ? own : "notice.\(kind)"
        return words[key].replacing("{who}", with: notice.who)
            .replacing("{what}", with: notice.what)
    }

    static func path(of notice: PushedNotice) -> String {
        switch notice.kind {
        case .queueOffer: "/stations/\(notice.subject)"
        case .record where notice.isOwn: "/records"
        case .goal where notice.isOwn, .reminder where notice.isOwn: "/activity"
        case .shareRequest where notice.isOwn: "/me"
        case .tagSeen, .tagGone: "/devices/\(notice.subject)"
        case .deviceSeen: "/discover"
        default: "/notices"
        }
    }
}
