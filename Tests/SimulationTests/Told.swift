import Foundation
import Scheduling
import SiteStore
@testable import Operations
@testable import SiteEngine
@testable import SiteModel
@testable import SitePipeline
@testable import TrainingEngine

extension SimulatedSite {
    /// What a verb is asked with; a set is that of a request before, now and then.
    static func arguments(
        of verb: Verb, user: String, station: String, number: Int
    ) -> [UInt8] {
        let key = "\"00000000-0000-4000-8000-\(100_000_000_000 + number / 3)\""
        var members = ["\"user\":\"\(user)\""]
        switch verb.name {
        case "workout-start", "workout-move", "queue-join", "queue-leave", "offer-accept":
            members.append("\"station\":\"\(station)\"")
        // No row that there is: a restarted site may count its rows otherwise.
        case "workout-reopen": members.append("\"id\":\(900_000 + number)")
        case "set-add":
            members.append(
                "\"set\":{\"id\":\(key),\"exercise\":\"plank\",\"duration_s\":\(number % 90 + 1)}")
        case "set-change": members += ["\"set\":{\"id\":\(key),\"rir\":1}", "\"rev\":1"]
        case "set-delete": members.append("\"set\":\(key)")
        case "station-service":
            members = ["\"station\":\"\(station)\"", "\"out_of_order\":\(number % 2 == 0)"]
        default: break
        }
        return Array("{\(members.joined(separator: ","))}".utf8)
    }

    /// Copies the database, as somebody does who stops the coordinator for it.
    mutating func backUp() throws -> String {
        let copy = path + ".backup"
        store.close()
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        store = try Store(path: path)
        return copy
    }

    /// What the pipeline was told, to be told again to another one.
    enum Told {
        case message(topic: String, payload: [UInt8], isRetained: Bool, at: Timestamp)
        case tick(at: Timestamp)
        case recalled([Recalled]?, at: Timestamp)
        case overrides(Overrides, at: Timestamp)
    }
}

extension [Pipeline.Effect] {
    /// Whether something is to be stored.
    var hasCommit: Bool { contains { if case .commit = $0 { true } else { false } } }
}
