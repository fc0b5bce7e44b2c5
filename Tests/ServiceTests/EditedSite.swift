import Foundation
import Operations
import SiteClient
import Testing

@testable import Records
@testable import Registry
@testable import SiteService
@testable import SiteModel
@testable import SiteStore

/// A site in a database of its own, whose rows are changed as verbs change them.
final class EditedSite {
    static let now = Timestamp(milliseconds: 1_780_000_000_000)

    private let folder: URL
    let store: Store

    init(_ text: String = SiteFileWriterTests.site) throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "edited-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = try Store(path: folder.appending(path: "site.sqlite").path)
        try SiteImport(store).importDocument(
            SiteFile(text: text, named: "site").document, at: Self.now)
    }

    deinit {
        store.close()
        _ = Result { try FileManager.default.removeItem(at: folder) }
    }

    @discardableResult
    func edit(_ edit: RowEdit, ifMatch tag: String? = nil) throws -> [RowEdit.Changed] {
        try RowEditor(store).perform(
            edit, ifMatch: tag, by: Asker(name: "ada", via: .cli, at: Self.now))
    }

    func add(
        _ kind: SiteCollection, _ id: String, _ members: [(key: String, value: String?)]
    ) throws {
        var row = SiteTree.section([("id", .text(id))])
        for member in try read(members, of: kind) { row.set(member.key, member.value) }
        try edit(.add(kind, row))
    }

    @discardableResult
    func change(
        _ kind: SiteCollection, _ text: String, _ members: [(key: String, value: String?)]
    ) throws -> String {
        let id = try SiteRows(store).find(kind, text)
        try edit(.patch(kind, id, .section(try read(members, of: kind))))
        return id
    }

    private func read(
        _ typed: [(key: String, value: String?)], of kind: SiteCollection
    ) throws -> [(key: String, value: SiteTree)] {
        let change = try #require(SiteService.Operation.named("\(kind.one)-change"))
        return try change.meant(typed.map { ($0.key, $0.value ?? "") }, in: store).map {
            key, value in
            let member = kind.members.first { $0.name == key }
            return (key, SiteTree(typed: value, as: member?.kind ?? .anyText))
        }
    }

    func row(_ kind: SiteCollection, _ id: String) throws -> SiteTree? {
        try SiteRows(store).row(kind, id)
    }

    func document() throws -> SiteDocument {
        guard let document = try SiteImport(store).document() else {
            preconditionFailure("imported before")
        }
        return document
    }

    /// The words of a refusal, `nil` if it is done.
    func refusal(_ body: (EditedSite) throws -> Void) -> BooksRefusal? {
        do {
            try body(self)
            return nil
        } catch {
            return error as? BooksRefusal
        }
    }
}
