import ArgumentParser
import Foundation
import MeshCore
import Storage

/// `beaconmesh retain`: deletes what is older than it may be.
struct RetainVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retain", abstract: "Deletes what is older than it may be, table by table.",
        discussion: "A coordinator does this by itself every night. Each table leaves a proof row.")

    @Flag(help: "Only show what would go.")
    var dryRun = false

    @OptionGroup var books: BooksOptions

    private struct Line: Encodable {
        var table: String
        var before_ms: Int64
        var deleted: Int
    }

    func run() async throws {
        let proofs = try books.with {
            dryRun ? try $0.retainable(at: books.now) : try $0.retain(at: books.now)
        }
        if books.json {
            return try books.print(
                json: proofs.map {
                    Line(table: $0.table, before_ms: $0.before.milliseconds, deleted: $0.deleted)
                })
        }
        var table = TextTable(["table", "from before", dryRun ? "would go" : "deleted"])
        for proof in proofs {
            let date = Date(timeIntervalSince1970: Double(proof.before.milliseconds) / 1000)
            table.add([proof.table, date.formatted(.iso8601), "\(proof.deleted)"])
        }
        print(table.text)
    }
}
