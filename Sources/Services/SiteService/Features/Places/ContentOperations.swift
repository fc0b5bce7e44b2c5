import Foundation
import Operations
import Platform
import Records
import Registry
import SiteModel
import SiteStore

// What is shown of beacons and stations: pictures by name, and lists of cards as files.

extension Operation {
    private static let picturePath = "/api/v1/pictures"
    private static let contentPath = "/api/v1/content"

    static let content = [
        Operation(
            "picture-list", picturePath, .placesRead, about: .each,
            "The pictures that cards can show.", .of(Nothing.self), answer: .rows("pictures")
        ) { _, _, store in
            try CardPictures(store).all()
        },
        Operation(
            "picture-show", picturePath + "/{name}", .placesRead, about: .each, "A picture.",
            .of(CardPictureAsked.self), answer: .file("image/png"), refusals: [.notFound]
        ) { asked, _, store in
            guard let png = try CardPictures(store).png(of: asked.name) else {
                throw BooksRefusal.noCardPicture
            }
            return NamedFile(name: asked.fileName, bytes: png)
        },
        Operation(
            "picture-put", .put, picturePath + "/{name}", .placesWrite,
            "Keeps a picture for cards, in the place of the one of that name. Its pixels are kept, and nothing else of it.",
            InputForm(NewCardPicture.members, longest: NewCardPicture.longest + 1024) {
                NewCardPicture()
            }, answer: .row
        ) { given, caller, store in
            try CardPictures(store).put(given.png, named: given.name, by: caller.asker)
        },
        Operation(
            "picture-remove", .delete, picturePath + "/{name}", .placesWrite,
            "Takes a picture away; cards that name it show none.", .of(CardPictureNamed.self),
            answer: .nothing, refusals: [.notFound]
        ) { asked, caller, store in
            guard try CardPictures(store).remove(asked.name, by: caller.asker) else {
                throw BooksRefusal.noCardPicture
            }
        },
        Operation(
            "content-export", contentPath, .placesWrite,
            "The cards of beacons by their minor, as the file that makes them: what was read last byte for byte, while the "
                + "cards say the same.",
            .of(OfGroup.self),
            answer: .file(
                "application/json",
                [.init("data", .value, "Where nothing else was read: beacons by their minor.")]),
            refusals: [.notFound]
        ) { asked, _, store in
            NamedFile(
                name: "beacons.json",
                bytes: Array(try ContentImport(store).file(of: asked.group).utf8))
        },
        Operation(
            "content-import", .post, contentPath, .placesWrite,
            "Makes the cards of beacons by their minor those of a file; a card that the file does not name is retired.",
            InputForm(NewContent.members, longest: 2 * ContentFile.largest) { NewContent() },
            answer: .row, refusals: [.notFound]
        ) { given, caller, store in
            try ContentImport(store).perform(
                Array(given.file.utf8), group: given.group, by: caller.asker)
        },
        Operation(
            "content-source", contentPath + "/source", .placesWrite,
            "Where cards are read from by themselves, and what came of it.", .of(Nothing.self),
            answer: .row
        ) { _, _, store in
            try ContentSource(store).state()
        },
        Operation(
            "content-refresh", .post, contentPath + "/refresh", .placesWrite,
            "Has the source of cards asked at once, where one is set.", .of(Nothing.self),
            answer: .taken, refusals: [.badState]
        ) { _, _, store in
            try ContentSource(store).askSoon()
        },
    ]
}

extension BooksRefusal {
    fileprivate static let noCardPicture = BooksRefusal(.notFound, "there is no such picture")
}

extension Form where Value == String {
    /// The name of a picture.
    fileprivate static let pictureName = parsed(
        .text(1...64), upTo: 64, "letters, digits, and -, _ or . between them, such as chapel.png"
    ) { text in
        RowText.isPictureName(text) ? text : nil
    } text: {
        $0
    }
}

private struct CardPictureNamed: OperationInput {
    var name = ""

    static let members: [Member<CardPictureNamed>] = [.needed("name", .pictureName, \.name)]
}

private struct CardPictureAsked: OperationInput {
    var name = ""
    var version: String?

    /// It is a PNG, whatever it is called.
    var fileName: String { name.lowercased().hasSuffix(".png") ? name : name + ".png" }

    static let members: [Member<CardPictureAsked>] = [
        .needed("name", .pictureName, \.name),
        .optional(
            "version", .text(1...64), \.version,
            "Any: another picture has another address by it, so that a page asks for it anew."),
    ]
}

private struct NewCardPicture: OperationInput {
    /// The longest PNG as base64.
    static let longest = (CardPictures.longest + 2) / 3 * 4

    var name = ""
    /// As we write it.
    var png: [UInt8] = []

    private static let file = Form<[UInt8]>.parsed(
        .text(1...longest), upTo: longest,
        "a PNG in base64, of 8 bits a channel, without a palette, not interlaced, at most \(Picture.mostSide) pixels a side "
            + "and 2 MB"
    ) { text in
        guard let bytes = Data(base64Encoded: text),
            let png = (try? Picture(png: Array(bytes)))?.png, png.count <= CardPictures.longest
        else { return nil }
        return png
    } text: {
        Data($0).base64EncodedString()
    }

    static let members: [Member<NewCardPicture>] = [
        .needed("name", .pictureName, \.name), .needed("png", file, \.png),
    ]
}

extension CardPictures.Kept: OperationOutput {
    package static let members: [Member<CardPictures.Kept>] = [
        .told("name", .anyText) { $0.name },
        .told("version", .anyText, "Another picture of the name has another one.") { $0.version },
        .told("bytes", .count) { $0.bytes },
    ]
}

private struct OfGroup: OperationInput {
    var group: String?

    static let members: [Member<OfGroup>] = [
        .optional(
            "group", .reference("groups"), \.group,
            "Of beacons of this group; of all, if it is left out.")
    ]
}

private struct NewContent: OperationInput {
    var file = ""
    var group: String?

    static let members: [Member<NewContent>] = [
        .needed(
            "file", .text(1...ContentFile.largest), \.file,
            "JSON: an object of title, subtitle, description, image and url for each minor, as it is, at beacons or at "
                + "data.beacons."),
        .optional(
            "group", .reference("groups"), \.group,
            "For beacons of this group; for all, if it is left out."),
    ]
}

extension ContentImport.Done: OperationOutput {
    package static let members: [Member<ContentImport.Done>] = [
        .told("added", .count) { $0.added }, .told("changed", .count) { $0.changed },
        .told("retired", .count) { $0.retired }, .told("same", .count) { $0.same },
        .told("notes", .list(.anyText), "What of the file is not shown.") { $0.notes },
        .told("missing", .list(.anyText), "Pictures that cards name and that are not there.") {
            $0.missing
        },
    ]
}

extension ContentSource.State: OperationOutput {
    package static let members: [Member<ContentSource.State>] = [
        .toldIfAny("url", .anyText) { $0.url },
        .toldIfAny("asked_ms", .time, "When it was last asked.") { $0.asked },
        .toldIfAny("read_ms", .time, "When cards were last read from a file.") { $0.read },
        .toldIfAny("fault", .anyText, "What was wrong when it was last asked.") { $0.fault },
    ]
}
