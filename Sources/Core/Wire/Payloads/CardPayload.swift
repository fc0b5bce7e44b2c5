import JSON

/// A card in a payload: `{"id": "rower", "title": "Rowing", "subtitle": "by the window", "language": "en"}`.
package struct CardPayload: Equatable, Sendable {
    /// Its slug.
    package var id: String
    /// What it says. Hostile text: only ever shown as text.
    package var title: String
    package var subtitle: String?
    /// In lines.
    package var text: String?
    /// Where its picture is, below `/api/v1/pictures/`.
    package var picture: String?
    /// A page of the web.
    package var link: String?
    /// Such as `de`; `nil`: whoever reads any language sees it.
    package var language: String?

    package init(_ card: Card) {
        id = card.slug
        title = card.title
        subtitle = card.subtitle
        text = card.text
        picture = card.picture
        link = card.link
        language = card.language
    }

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        id = try object.required("id", json).slug(json)
        title = try object.required("title", json).text(json)
        subtitle = try object.optional("subtitle", json)?.text(json)
        text = try object.optional("text", json)?.text(json)
        picture = try object.optional("picture", json)?.text(json)
        link = try object.optional("link", json)?.text(json)
        language = try object.optional("language", json)?.slug(json)
    }

    static func list(
        of object: JSONObject, in json: Span<UInt8>
    ) throws(PayloadError) -> [CardPayload] {
        guard let value = try object.optional("cards", json) else { return [] }
        return try value.list(json) { (card, json) throws(PayloadError) in
            try CardPayload(try card.object(json), in: json)
        }
    }

    /// Writes the list, where there is anything in it.
    static func write(_ cards: [CardPayload], to writer: inout JSONWriter) {
        guard !cards.isEmpty else { return }
        writer.key("cards")
        writer.beginArray()
        for card in cards { card.write(to: &writer) }
        writer.endArray()
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("title", title)
        if let subtitle { writer.field("subtitle", subtitle) }
        if let text { writer.field("text", text) }
        if let picture { writer.field("picture", picture) }
        if let link { writer.field("link", link) }
        if let language { writer.field("language", language) }
        writer.endObject()
    }
}
