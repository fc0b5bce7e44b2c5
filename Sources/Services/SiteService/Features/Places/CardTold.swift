import Operations
import WebServer
import Wire

/// A card in an answer.
struct CardTold: Encodable {
    var id: String
    var title: String
    var subtitle: String?
    var text: String?
    var picture: String?
    var link: String?
    var language: String?

    /// Without its text, where many are listed.
    init(brief card: CardPayload) {
        self.init(card)
        text = nil
    }

    init(_ card: CardPayload) {
        id = card.id
        title = card.title
        subtitle = card.subtitle
        text = card.text
        picture = card.picture
        link = card.link
        language = card.language
    }

    static let members: [RouteText.Field] = [
        .always("id", .slug), .always("title", .anyText), .init("subtitle", .anyText),
        .init("text", .anyText, "In lines."),
        .init("picture", .anyText, "Where its picture is, below `/api/v1/pictures/`."),
        .init("link", .anyText), .init("language", .anyText),
    ]
}
