import ArgumentParser
import Basics
import Foundation
import Records

/// `beaconmesh retain`: deletes what is older than it may be.
struct RetainVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retain", abstract: "Deletes what is older than it may be, table by table.",
        discussion: "A coordinator does this by itself every night. Each table leaves a proof row.")

    @Flag(help: "Only show what would go.")
    var dryRun = false

    @OptionGroup var books: BooksOptions

    @OptionGroup var times: TimeOptions

    private struct Line: Encodable {
        var table: String
        var before_ms: Int64
        var deleted: Int
    }

    func run() async throws {
        let now = books.now
        let (proofs, clock) =
            dryRun
            ? try books.read { (try Retention.retainable(on: $0, at: now), try times.clock(of: $0, at: now)) }
            : try books.with {
                (try $0.write(.retain).proofs, try times.clock(of: $0.store, at: now))
            }
        if books.json {
            return try books.print(
                json: proofs.map {
                    Line(table: $0.table, before_ms: $0.before.milliseconds, deleted: $0.deleted)
                })
        }
        var table = TextTable(["table", "from before", dryRun ? "would go" : "deleted"])
        for proof in proofs {
            table.add([proof.table, clock.text(proof.before), "\(proof.deleted)"])
        }
        print(table.text)
        print(clock.line)
    }
}
