import ArgumentParser
import Foundation
import Platform
import Records
import Registry
import SiteService
import Reporting
import SiteClient

/// `beaconmesh export USER`: everything that is held about a person.
struct ExportVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes everything that is held about a person.",
        discussion: """
            One JSON document, on standard output or in a folder, there with a CSV file for each \
            table. The export is noted in the audit and carries the audit's head.

            With a name that ends in .yaml the site is written as the file that makes it.

            beaconmesh export site.yaml --database iron-works.sqlite
            beaconmesh export "Paul R." --out paul --database iron-works.sqlite
            """)

    @Argument(help: "Whom: their id (u-…) or their name; or a file *.yaml for the whole site.")
    var user: String

    @Option(help: "A folder to write into; made if it is not there.")
    var out: String?

    @OptionGroup var separator: SeparatorOptions

    @OptionGroup var books: BooksOptions

    func run() async throws {
        if user.hasSuffix(".yaml") {
            let text = try books.read { store in
                guard let (tree, _) = try SiteRows(store).file() else {
                    throw Exit(code: 78, text: "the database holds no site yet")
                }
                return tree.file
            }
            do {
                try Self.write(Data(text.utf8), to: URL(fileURLWithPath: user))
            } catch {
                throw Exit(code: 1, text: "\(user): \(error.localizedDescription)")
            }
            return print("the site is written to \(user); beaconmesh import takes it as it is")
        }
        let export = try books.with { site in
            try site.write(.export(try NameResolver.person(user, in: site.store).slug)).export
        }
        guard let out else {
            FileHandle.standardOutput.write(Data(export.json + [0x0A]))
            return
        }
        do {
            let folder = URL(fileURLWithPath: out, isDirectory: true)
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try Self.write(
                Data(export.json), to: folder.appendingPathComponent("\(export.user).json"))
            for table in export.tables {
                try Self.write(
                    Data(PersonTableText(table, separator.separator).csv.utf8),
                    to: folder.appendingPathComponent("\(table.name).csv"))
            }
        } catch {
            throw Exit(code: 1, text: "\(out): \(error.localizedDescription)")
        }
        let rows = export.tables.reduce(0) { $0 + $1.rows.count }
        print("\(rows) rows of \(export.tables.count) tables written to \(out)")
    }

    /// Only its owner may read it.
    private static func write(_ data: Data, to file: URL) throws {
        try data.write(to: file, options: .atomic)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: file.path)
    }
}

/// A table of an export as CSV: RFC 4180 with a line of headings.
struct PersonTableText {
    /// The text, lines ended by CR LF.
    let csv: String

    init(_ table: PersonExport.Table, _ separator: CSVText.Separator = .comma) {
        let lines =
            [table.columns.map(CSVText.safe)]
            + table.rows.map { $0.map { Self.text($0, separator) } }
        csv = lines.map { CSVText.line($0, separator) }.joined()
    }

    private static func text(_ cell: PersonExport.Cell, _ separator: CSVText.Separator) -> String {
        switch cell {
        case .none: ""
        case .integer(let number): "\(number)"
        case .number(let number): CSVText.number("\(number)", separator)
        case .text(let value): CSVText.safe(value)
        }
    }
}
