@testable import SiteModel
@testable import Wire
import Foundation

extension RunningSite {
    /// What nodes were told to do, and what they said of it.
    var configurations: [[UInt8]] {
        watcher.messages.filter { $0.topic.contains("/config/") }.map(\.payload)
    }

    /// The minutes a node has told.
    func evidence(of node: String) -> [EvidencePayload] {
        let topic = topics[.evidence, node]
        return watcher.messages.filter { $0.topic == topic }
            .compactMap { try? EvidencePayload(json: $0.payload.span) }
    }

    /// When the node last wrote each file of its state but its outbox.
    func configurationFiles(of node: String) throws -> [String: Date] {
        let folder = file("state-\(node)")
        var times: [String: Date] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder)
        where name.hasPrefix("config") {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
            times[name] = attributes[.modificationDate] as? Date
        }
        return times
    }
}
