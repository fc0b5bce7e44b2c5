import Ciphers
import SiteModel
import Synchronization

/// Codes by which machines become nodes, in memory only: an hour is all they last, and a start of the coordinator ends
/// them.
final class NodeInvitations: Sendable {
    /// Why a code does nothing.
    enum Refusal: Error, Equatable {
        /// There is none of that name: mistyped, over a day old, or made before the coordinator started.
        case unknown
        case expired
        /// Not sealed by who knows the code.
        case wrong
        /// Too many wrong ones came.
        case blocked
        /// By the machine of that name.
        case used(by: String)
    }

    /// What whoever knows the code gets.
    enum Admission: Equatable, Sendable {
        /// They are let in as a node, by whoever invited them.
        case new(node: String, asker: String)
        /// The same request came before: it is answered alike, and nothing is done.
        case again([UInt8])
        /// The same request is at work.
        case underWay
    }

    private struct Invitation {
        var keys: JoinKeys
        var node: String
        var asker: String
        var end: Timestamp
        var wrong = 0
        var use: Use?
    }

    private struct Use {
        var request: String
        var machine: String
        /// What was answered, sealed.
        var answer: [UInt8]?
    }

    /// So long a code is good, and so long it is said why it is not any more.
    static let life = Timestamp.Span.seconds(3600)
    private static let memory = Timestamp.Span.seconds(86_400)
    private static let mostWrong = 5
    /// The most that are remembered: a site has hundreds of nodes at most.
    private static let most = 1024

    private let known = Mutex<[String: Invitation]>([:])

    /// Remembers a code for a node, in the place of any other for it. Returns when it ends.
    func add(
        _ code: JoinCode, _ keys: JoinKeys, for node: String, by asker: String, at now: Timestamp
    ) -> Timestamp {
        let end = now + Self.life
        known.withLock { known in
            known = known.filter { $1.end + Self.memory > now && $1.node != node }
            if known.count >= Self.most,
                let oldest = known.min(by: { ($0.value.end, $0.key) < ($1.value.end, $1.key) })
            {
                known[oldest.key] = nil
            }
            known[code.name] = Invitation(keys: keys, node: node, asker: asker, end: end)
        }
        return end
    }

    /// Whether a code of that name is remembered: two must not share it.
    func isKnown(_ name: String) -> Bool { known.withLock { $0[name] != nil } }

    /// The keys of a code that is good. Throws a `Refusal` if none is.
    func keys(of name: String, at now: Timestamp) throws(Refusal) -> JoinKeys {
        try known.withLock { known throws(Refusal) in
            guard let invitation = known[name] else { throw .unknown }
            guard invitation.wrong < Self.mostWrong else { throw .blocked }
            guard now < invitation.end else { throw .expired }
            return invitation.keys
        }
    }

    /// Somebody did not know the code.
    func note(wrong name: String) { known.withLock { $0[name]?.wrong += 1 } }

    /// Takes a code for a request, which may come again: whoever only repeats what they heard changes nothing. Throws a `Refusal` if another one has it.
    func take(
        _ name: String, for request: String, of machine: String
    ) throws(Refusal) -> Admission {
        try known.withLock { known throws(Refusal) in
            guard var invitation = known[name] else { throw .unknown }
            if let use = invitation.use, use.request != request {
                throw .used(by: use.machine)
            }
            if let use = invitation.use { return use.answer.map { .again($0) } ?? .underWay }
            invitation.use = Use(request: request, machine: machine)
            known[name] = invitation
            return .new(node: invitation.node, asker: invitation.asker)
        }
    }

    /// What a request is answered, also when it comes again.
    func keep(_ answer: [UInt8], of request: String, _ name: String) {
        known.withLock { known in
            if known[name]?.use?.request == request { known[name]?.use?.answer = answer }
        }
    }

    /// Nothing came of a request: the code is as good as before.
    func giveBack(_ name: String, of request: String) {
        known.withLock { known in
            if known[name]?.use?.request == request { known[name]?.use = nil }
        }
    }
}
