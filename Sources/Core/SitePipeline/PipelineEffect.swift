import Basics
import SiteEngine
import SiteModel
import TrainingEngine
import Wire

/// What is to be done about what a `Pipeline` was told. The order matters.
package enum PipelineEffect: Equatable, Sendable {
    /// Store these in one transaction, then call `Pipeline.committed` or `refused`.
    case commit([Fact])
    /// Look these up, then call `Pipeline.recalled`. Not again before.
    case recall([Recall])
    /// Send this to the broker; without a connection, drop it.
    case publish(Publication)
    /// Show this on the page only; an empty payload removes it.
    case show(Publication)
    /// Subscribe to these filters.
    case subscribe([String], quality: Int)
    /// Give these up again.
    case unsubscribe([String])
    /// The database refused facts for good. Note them down, load what is stored, and call
    /// `restored`.
    case restore(refused: [Fact], reason: String)
    /// Give this to a client that is not on MQTT and asked with `asked`. `isRepeated`: it was asked before, and
    /// this is what it was answered then.
    case respond(to: String, ResponsePayload, isRepeated: Bool)
    /// Somebody asks something of the books: whoever writes them answers.
    case ask(RoomRequest)
    /// Something measured came of somebody: whoever stores it answers.
    case ingest(IngestRequest)
    /// Notifications of these kinds are stored: whoever delivers them has something to do.
    case notified([NotificationRow.Kind])
    /// A line for the log.
    case warn(String)
    /// A line for the log that any publisher can cause at will: the shell writes it ever more
    /// rarely for one reason, which is a word of ours.
    case complain(String, about: String)
}

extension PipelineEffect {
    /// An answer to a client on MQTT on the topic of what it asked for, to any other past it.
    static func reply(
        _ response: ResponsePayload, to client: String, _ operation: String, _ paths: SiteTopics
    ) -> PipelineEffect {
        client.isSlug
            ? .publish(paths.message(.response, client, operation, saying: response))
            : .respond(to: client, response, isRepeated: false)
    }
}
