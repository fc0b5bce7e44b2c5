import Foundation
import JSON
import Platform
import WebServer
import Wire

/// Where a running coordinator has everybody just now, as it publishes that.
package enum LivePresence {
    /// A coordinator that says nothing for so many seconds is not waited for.
    private static let patience = 5

    /// The presence of each person, by slug. Throws an `Exit` if no coordinator runs the database, or
    /// if it does not answer us.
    package static func all(of database: String) throws -> [String: PresencePayload] {
        let answer = try SiteAccess.ask(
            database, "GET", WebServer.snapshotPath, [], Data(), patience: patience)
        guard answer.status == 200 else {
            throw Exit(
                code: Exit.unfinished, text: "the coordinator answered \(answer.status)")
        }
        let body = Array(answer.body)
        do throws(PayloadError) {
            return try presences(in: body.span)
        } catch {
            throw Exit(
                code: Exit.unfinished, text: "the coordinator's answer cannot be read: \(error)")
        }
    }

    private static func presences(
        in json: Span<UInt8>
    ) throws(PayloadError) -> [String: PresencePayload] {
        let snapshot = try JSONObject(document: json, limit: .max)
        let topics = try snapshot.required("topics", json).object(json, atMost: .max)
        var found: [String: PresencePayload] = [:]
        for member in try topics.all(json) {
            let levels = member.name.split(separator: "/")
            guard levels.count == 6, levels[3] == "user", levels[5] == "presence" else { continue }
            found[String(levels[4])] = try PresencePayload(try member.object(json), in: json)
        }
        return found
    }
}
