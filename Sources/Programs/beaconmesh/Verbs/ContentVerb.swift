import ArgumentParser
import Basics
import Foundation
import Operations
import Platform
import Registry
import SiteClient
import SiteService

enum ContentOperations: OperationGroup {
    static let name = "content"
    static let abstract = "Shows where cards are read from, and has it asked."
    static let command = "rows"
    static let beside = ["import", "export", "picture"]
}

enum GroupOperations: OperationGroup {
    static let name = "group"
    static let abstract = "Keeps groups of beacons, by a rule."
}

enum CardOperations: OperationGroup {
    static let name = "card"
    static let abstract = "Keeps what is shown of beacons and stations."
}

/// `beaconmesh content`: lists of cards as files, and their pictures.
struct ContentVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "content",
        abstract: "Reads and writes lists of cards, beacons.json, and pictures.",
        subcommands: [
            OperationVerb<ContentOperations>.self, Import.self, Export.self, PictureOf.self,
        ],
        defaultSubcommand: OperationVerb<ContentOperations>.self)

    fileprivate static func perform(
        _ name: String, _ typed: Given.Texts, _ options: BooksOptions
    ) throws -> [UInt8] {
        guard let operation = SiteService.Operation.named(name) else {
            preconditionFailure("there is \(name)")
        }
        return try options.place.perform(operation, as: options.asker, typed) {
            try operation.meant($0, in: $1)
        }
    }

    /// A group that may be left out.
    fileprivate static func of(_ group: String?) -> Given.Texts {
        group.map { [("group", $0)] } ?? []
    }

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes cards of beacons by their minor those of a file.",
            discussion: """
                The file is JSON: for each minor an object of title, subtitle, description, image and url, at \
                data.beacons, at beacons or at the top. Pictures are looked for in images beside it, as PNG. \
                A card that the file does not name is retired. An address is asked once; to have it asked again \
                and again, set content.source.
                """)

        @Argument(help: "The file, or its address, https://…")
        var file: String

        @Option(help: "The group of beacons whose minors these are: its id or its name.")
        var group: String?

        @OptionGroup var options: BooksOptions

        func run() async throws {
            let isWeb = file.contains("://")
            let bytes = try isWeb ? Self.fetched(file) : Self.read(file)
            let typed =
                [("file", String(decoding: bytes, as: UTF8.self))] + ContentVerb.of(group)
            let json = try ContentVerb.perform("content-import", typed, options)
            let done = try SiteTree(json: String(decoding: json, as: UTF8.self))
            for name in done["missing"]?.items?.compactMap(\.string) ?? [] {
                guard let png = isWeb ? Self.fetchedPicture(name, file) : Self.picture(name, file)
                else { continue }
                _ = try ContentVerb.perform(
                    "picture-put", [("name", name), ("png", Data(png).base64EncodedString())],
                    options)
            }
            guard let operation = SiteService.Operation.named("content-import") else { return }
            try options.show(json, of: operation)
        }

        private static func read(_ path: String) throws -> [UInt8] {
            guard let bytes = FileManager.default.contents(atPath: path) else {
                throw Exit(code: 66, text: "\(TerminalText.harmless(path)) cannot be read")
            }
            guard bytes.count <= ContentFile.largest else {
                throw Exit(
                    code: 65,
                    text: "\(TerminalText.harmless(path)): more than \(ContentFile.largest) bytes")
            }
            return Array(bytes)
        }

        private static func fetched(_ address: String) throws -> [UInt8] {
            switch ContentFetch(allowsPrivate: true).get(address, limit: ContentFile.largest) {
            case .file(let bytes, _): return bytes
            case .same: return []
            case .refused(let why):
                throw Exit(code: 69, text: "\(TerminalText.harmless(address)): \(why)")
            }
        }

        /// The files that a picture may be in.
        private static func files(_ name: String) -> [String] {
            name.contains(".") ? [name] : [name + ".png", name]
        }

        private static func picture(_ name: String, _ file: String) -> [UInt8]? {
            let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
                .appendingPathComponent("images")
            return files(name).lazy.compactMap {
                FileManager.default.contents(atPath: folder.appendingPathComponent($0).path)
                    .flatMap { (try? Picture(png: Array($0)))?.png }
            }.first
        }

        private static func fetchedPicture(_ name: String, _ address: String) -> [UInt8]? {
            guard let base = URL(string: "images/", relativeTo: URL(string: address)) else {
                return nil
            }
            return files(name).lazy.compactMap { file -> [UInt8]? in
                guard
                    case .file(let bytes, _) = ContentFetch(allowsPrivate: true)
                        .get(base.absoluteString + file, limit: ContentFile.largest)
                else { return nil }
                return (try? Picture(png: bytes))?.png
            }.first
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes the cards of beacons by their minor as a file.")

        @Option(help: "The group of beacons whose minors these are: its id or its name.")
        var group: String?

        @OptionGroup var options: BooksOptions

        func run() async throws {
            let json = try ContentVerb.perform(
                "content-export", ContentVerb.of(group), options)
            try FileHandle.standardOutput.write(contentsOf: Data(json))
        }
    }

    struct PictureOf: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "picture", abstract: "Keeps a picture for cards: a PNG.")

        @Argument(help: "What cards call it, such as chapel.png.")
        var name: String

        @Argument(help: "The file.")
        var file: String

        @OptionGroup var options: BooksOptions

        func run() async throws {
            guard let bytes = FileManager.default.contents(atPath: file) else {
                throw Exit(code: 66, text: "\(TerminalText.harmless(file)) cannot be read")
            }
            do throws(Picture.Fault) {
                _ = try Picture(png: Array(bytes))
            } catch {
                throw Exit(
                    code: 65,
                    text:
                        "\(TerminalText.harmless(file)): \(error); the page takes JPEG and WebP, too"
                )
            }
            let json = try ContentVerb.perform(
                "picture-put", [("name", name), ("png", bytes.base64EncodedString())], options)
            guard let operation = SiteService.Operation.named("picture-put") else { return }
            try options.show(json, of: operation)
        }
    }
}
