import ArgumentParser
import Foundation
import Records
import SiteModel
import SiteStore
import Platform

/// `beaconmesh attendance`: what people are paid by.
struct AttendanceVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attendance",
        abstract: "Checks people in and out; lists, reports, corrects and locks what is recorded.",
        discussion: """
            A correction is asked for with a reason, then approved or refused with one; old and new \
            are kept. A locked period stands as it is: late evidence about it becomes a correction \
            that somebody decides.
            """,
        subcommands: [
            CheckIn.self, CheckOut.self, List.self, Report.self, Correct.self, Corrections.self,
            Approve.self, Refuse.self, Lock.self, Waiting.self, Excuse.self,
        ])

    /// Asks the books for something and shows what they did.
    static func perform(_ call: BooksCall, _ books: BooksOptions) throws {
        switch try books.with({ try $0.write(.books(call)).outcome }) {
        case .correction(let row):
            if books.json { return try books.print(json: row) }
            print("correction \(row.id): \(row.state.rawValue)")
        case .lock(let row):
            if books.json { return try books.print(json: row) }
            let was = row.isUnchanged == true ? " already, nothing was changed" : ""
            print("locked through \(row.throughDate)\(was)")
        case .excuse(let row):
            if books.json { return try books.print(json: row) }
            print(
                row.endedAt == nil
                    ? "nobody waits for \(row.node) until it tells something again"
                    : "\(row.node) is waited for")
        }
    }

    /// The site's clocks.
    static func clocks(of store: Store, at now: Timestamp) throws -> StatedMoment {
        do {
            return try StatedMoment(site: store, at: now)
        } catch let error as StoreError {
            throw error
        } catch {
            throw Exit(code: 1, text: "\(error)")
        }
    }
}
