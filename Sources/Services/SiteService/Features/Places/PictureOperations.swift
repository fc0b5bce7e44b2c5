import Foundation
import Operations
import Platform
import Records
import Registry
import SiteModel
import SiteStore

// Pictures under the plan, one a storey.

extension Operation {
    private static let path = "/api/v1/plan/pictures"

    static let pictures = [
        Operation(
            "plan-pictures", path, .placesRead, about: .each,
            "The pictures that lie under the plan, and where.", .of(Nothing.self),
            answer: .rows("pictures")
        ) { _, _, store in
            try PlanPictures(store).all().map(PlacedPicture.init)
        },
        Operation(
            "plan-picture", path + "/{storey}", .placesRead, about: .each,
            "The picture that lies under the plan of a storey.", .of(PictureAsked.self),
            answer: .file("image/png"), refusals: [.notFound]
        ) { asked, _, store in
            guard let png = try PlanPictures(store).png(of: asked.storey) else {
                throw BooksRefusal.noPicture
            }
            return NamedFile(name: "plan-\(asked.storey).png", bytes: png)
        },
        Operation(
            "plan-picture-set", .put, path + "/{storey}", .placesWrite,
            "Lays a picture under the plan of a storey, in the place of the one before. Its pixels are kept, and nothing else "
                + "of it.",
            InputForm(NewPicture.members, longest: NewPicture.longest + 1024) { NewPicture() },
            answer: .row
        ) { given, caller, store in
            try put(given.png, given.storey, given.x, given.y, given.width, caller, store)
        },
        Operation(
            "plan-picture-move", .patch, path + "/{storey}", .placesWrite,
            "Moves or scales the picture under the plan of a storey.", .of(MovedPicture.self),
            answer: .row, refusals: [.notFound]
        ) { given, caller, store in
            guard
                let known = try PlanPictures(store).all().first(where: { $0.storey == given.storey }
                )
            else { throw BooksRefusal.noPicture }
            return try put(
                nil, given.storey, given.x ?? known.x, given.y ?? known.y,
                given.width ?? known.width, caller, store)
        },
        Operation(
            "plan-picture-remove", .delete, path + "/{storey}", .placesWrite,
            "Takes the picture under the plan of a storey away.", .of(OfStorey.self),
            answer: .nothing, refusals: [.notFound]
        ) { asked, caller, store in
            guard try PlanPictures(store).remove(of: asked.storey, by: caller.asker) else {
                throw BooksRefusal.noPicture
            }
        },
    ]

    private static func put(
        _ png: [UInt8]?, _ storey: Int64, _ x: Double, _ y: Double, _ width: Double,
        _ caller: Caller, _ store: Store
    ) throws -> PlacedPicture {
        let plan = -10_000.0...10_000
        guard plan.contains(x), plan.contains(y), (0.1...10_000).contains(width) else {
            throw BooksRefusal(
                .schema, "x_m, y_m: -10000 to 10000 expected; width_m: 0.1 to 10000")
        }
        let placed = try PlanPictures(store).put(
            png, of: storey, x: x, y: y, width: width, by: caller.asker)
        guard let placed else { throw BooksRefusal.noPicture }
        return PlacedPicture(placed)
    }
}

extension BooksRefusal {
    fileprivate static let noPicture = BooksRefusal(
        .notFound, "there is no picture under that storey")
}

extension Form where Value == Int64 {
    fileprivate static let storey = integer(-9...99)
}

private struct OfStorey: OperationInput {
    var storey: Int64 = 0

    static let members: [Member<OfStorey>] = [.needed("storey", .storey, \.storey)]
}

private struct PictureAsked: OperationInput {
    var storey: Int64 = 0
    var version: String?

    static let members: [Member<PictureAsked>] = [
        .needed("storey", .storey, \.storey),
        .optional(
            "version", .text(1...64), \.version,
            "Any: another picture has another address by it, so that a page asks for it anew."),
    ]
}

private struct NewPicture: OperationInput {
    /// The longest PNG, in bytes: backups hold it, too.
    private static let longestFile = 4 << 20
    /// The same as base64.
    static let longest = (longestFile + 2) / 3 * 4

    var storey: Int64 = 0
    /// As we write it.
    var png: [UInt8] = []
    var x = 0.0
    var y = 0.0
    var width = 20.0

    private static let file = Form<[UInt8]>.parsed(
        .text(1...longest), upTo: longest,
        "a PNG in base64, of 8 bits a channel, without a palette, not interlaced, at most \(Picture.mostSide) pixels a side "
            + "and 4 MB"
    ) { text in
        guard let bytes = Data(base64Encoded: text),
            let png = (try? Picture(png: Array(bytes)))?.png, png.count <= longestFile
        else { return nil }
        return png
    } text: {
        Data($0).base64EncodedString()
    }

    static let members: [Member<NewPicture>] = [
        .needed("storey", .storey, \.storey), .needed("png", file, \.png),
        .preset("x_m", .number, \.x, "Where its upper left corner lies."),
        .preset("y_m", .number, \.y), .preset("width_m", .number, \.width),
    ]
}

private struct MovedPicture: OperationInput {
    var storey: Int64 = 0
    var x: Double?
    var y: Double?
    var width: Double?

    static let members: [Member<MovedPicture>] = [
        .needed("storey", .storey, \.storey),
        .optional("x_m", .number, \.x, "Where its upper left corner lies."),
        .optional("y_m", .number, \.y), .optional("width_m", .number, \.width),
    ]
}

private struct PlacedPicture: OperationOutput {
    var placed: PlanPictures.Placed

    init(_ placed: PlanPictures.Placed) { self.placed = placed }

    static let members: [Member<PlacedPicture>] = [
        .told("storey", .storey) { $0.placed.storey },
        .told("x_m", .number, "Where its upper left corner lies.") { $0.placed.x },
        .told("y_m", .number) { $0.placed.y },
        .told("width_m", .number) { $0.placed.width },
        .told("height_m", .number) {
            $0.placed.width * Double($0.placed.pixels.height)
                / Double(max($0.placed.pixels.width, 1))
        },
        .told("version", .anyText, "Another picture has another one.") { $0.placed.version },
    ]
}
