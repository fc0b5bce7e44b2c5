import Basics
import JSON
import Operations
import Scheduling
import SiteEngine
import SiteModel
import TrainingEngine
import Wire

/// Requests, over MQTT and past it.
extension Pipeline {
    /// Somebody who is not on MQTT asks for something. The answer is an effect `respond`, at once or
    /// when what it tells of is stored.
    ///
    /// - Parameter client: Who asks. No slug, so that nobody on MQTT can be mistaken for it, nor ask
    ///   for its answers.
    package mutating func asked(
        _ verb: Verb, _ payload: RequestPayload, client: String, at now: Timestamp
    ) -> [Effect] {
        precondition(!client.isSlug, "\(client) could be a client on MQTT")
        return perform(verb, payload, client: client, at: now)
    }

    /// Something asked over MQTT. What is no request is counted, and answered if it has an id; nothing
    /// of it is stored.
    mutating func hearRequest(
        _ name: String, _ payload: Span<UInt8>, client: String, at now: Timestamp
    ) -> [Effect] {
        let (reason, words): (String, String)
        if let verb = Verb.named(name) {
            do throws(PayloadError) {
                let request = try RequestPayload(json: payload)
                return perform(verb, request, client: client, at: now)
            } catch {
                (reason, words) = (error.reason, "this is no request: \(error.words)")
            }
        } else {
            (reason, words) = ("unknown-operation", Verb.unknown(name))
        }
        counts.refuse(reason)
        guard let response = ResponsePayload(refusing: payload, because: words) else { return [] }
        return [.reply(response, to: client, name, board.paths)]
    }

    package mutating func perform(
        _ verb: Verb, _ payload: RequestPayload, client: String, at now: Timestamp
    ) -> [Effect] {
        let request: Request
        do throws(RefusedRequest) {
            request = try verb.request(payload, of: client, in: names, mesh.saved)
            // What was done in time is answered alike whenever it is asked again.
            if let end = payload.expMs, now.milliseconds > end, !mesh.knows(request.key) {
                let words = "it came after its exp_ms: ask again; do both clocks agree?"
                throw RefusedRequest(.expired, words, reason: "expired")
            }
        } catch {
            if let reason = error.reason { counts.refuse(reason) }
            return [.reply(error.response(to: payload), to: client, verb.name, board.paths)]
        }
        guard factsWaiting + recalls.count < Self.patience else {
            return unavailable(request, at: now)
        }
        let recall = mesh.recall(for: request, at: now)
        guard recall != nil || recalls.holds(request.verb.user) else {
            return handle(.request(request), at: now)
        }
        recalls.append(request, recall)
        return look()
    }

    private mutating func look() -> [Effect] { recalls.next().map { [.recall($0)] } ?? [] }

    /// What was looked up, in the order of the questions; `nil`: it could not be read, and whoever asked may ask
    /// again.
    package mutating func recalled(_ found: [Recalled]?, at now: Timestamp) -> [Effect] {
        var effects: [Effect] = []
        recalls.found(found ?? [])
        while let (request, recalled) = recalls.take(by: mesh, at: now) {
            effects +=
                found == nil
                ? unavailable(request, at: now)
                : handle(.request(request, recalled: recalled), at: now)
        }
        return effects + look()
    }

    private func unavailable(_ request: Request, at now: Timestamp) -> [Effect] {
        let answer = Answer(request: request, at: now, outcome: .refused(.unavailable))
        return [response(to: answer)].compactMap(\.self)
            + board.published(answer).map { .publish($0) }
    }

    /// An answer for a request that did not come over MQTT; `nil` if it did. `isRepeated`: it was given before.
    func response(to answer: Answer, isRepeated: Bool = false) -> Effect? {
        let client = answer.request.client
        return client.isSlug
            ? nil : .respond(to: client, board.response(to: answer), isRepeated: isRepeated)
    }
}

/// Why a request does not reach the machines.
private struct RefusedRequest: Error {
    var code: ProblemCode
    var message: String
    /// What it is counted as; `nil`: not at all.
    var reason: String?

    init(_ code: ProblemCode, _ message: String? = nil, reason: String? = nil) {
        self.code = code
        self.message = message ?? code.message
        self.reason = reason
    }

    func response(to payload: RequestPayload) -> ResponsePayload {
        ResponsePayload(id: payload.id, outcome: .error(code: code.rawValue, message: message))
    }
}

extension Verb {
    /// What the machines are asked, as it was understood when it came first: somebody may have been added since.
    fileprivate func request(
        _ payload: RequestPayload, of client: String, in names: Names, _ saved: Saved
    ) throws(RefusedRequest) -> Request {
        let arguments: Arguments
        do throws(PayloadError) {
            arguments = try read(payload.args.span)
        } catch {
            let words = "this is no request: \(error.words)"
            throw RefusedRequest(.schema, words, reason: error.reason)
        }
        // The rooms are asked by whoever is known, and nobody is where nobody was enrolled.
        guard case .machine(let act) = act else { throw RefusedRequest(.forbidden) }
        let unknown = Request(
            client: client, id: payload.id, name: name,
            verb: .unknown(arguments: Hex.text(fingerprint64(payload.args), count: 16)))
        guard let asked = act(arguments, names),
            saved.answers.first(unknown.key, by: \.key)?.request != unknown
        else { return unknown }
        return Request(client: client, id: payload.id, name: name, verb: asked)
    }
}

/// What people decide: about attendance, shifts and leave, and when to be told.
extension Pipeline {
    /// People decided something. No configuration of a node changes by that, and no
    /// topic but those of the sessions it changes, once these are stored; nothing happens if the
    /// machines know it already.
    package mutating func adopt(overrides: Overrides, at now: Timestamp) -> [Effect] {
        for user in setAside.decide(overrides) { mesh.paused.removeAll { $0 == user } }
        var overrides = overrides
        overrides.amendments.removeAll { setAside.corrections.contains($0.id) }
        guard overrides != mesh.saved.overrides ?? Overrides(revision: 0) else { return [] }
        return handle(.overrides(overrides), at: now)
    }

    /// The database refused a fact of a user, or nobody's.
    mutating func suspect(_ user: UserID?, at now: Timestamp) {
        let stored = board.told.overrides?.amendments ?? []
        let new = (mesh.saved.overrides?.amendments ?? []).filter { amendment in
            amendment.user == user && !stored.contains { $0.id == amendment.id }
        }
        suspect = user.flatMap { setAside.refuse($0, new: new.map(\.id), at: now) ? $0 : nil }
    }

    /// The revision of the overrides that the machines have taken in and the database has stored.
    package var storedOverrides: Int64 { board.told.overrides?.revision ?? 0 }
}

// What other sites on the same broker tell of people who are users here, too.
extension Pipeline {
    /// Another site tells the newest session of somebody; of people who are unknown here it means
    /// nothing.
    mutating func hear(
        _ topic: AttendanceElsewhere, _ payload: Span<UInt8>, at now: Timestamp
    ) -> [Effect] {
        guard let user = names.users.id(topic.user), !payload.isEmpty else { return [] }
        do throws(PayloadError) {
            guard let session = topic.session(try AttendancePayload(json: payload), at: now)
            else { return [] }
            return handle(.elsewhere(session, user: user), at: now)
        } catch {
            return refuse(error.reason)
        }
    }
}

/// A topic on which another site tells the newest session of somebody.
struct AttendanceElsewhere {
    let site: String
    let user: String

    /// The site and the user of a topic, or `nil` if it is not of another site, or of something else.
    init?(topic: String, own: String) {
        let levels = topic.utf8.split(
            separator: UInt8(ascii: "/"), maxSplits: 6, omittingEmptySubsequences: false)
        guard levels.count == 6, levels[0].elementsEqual("mesh".utf8),
            levels[1].elementsEqual("v1".utf8), levels[3].elementsEqual("user".utf8),
            levels[5].elementsEqual("attendance".utf8)
        else { return nil }
        let (site, user) = (Substring(levels[2]), Substring(levels[4]))
        guard site != own, site.isSlug, user.isSlug else { return nil }
        self.site = String(site)
        self.user = String(user)
    }

    /// The session that is told; `nil` if there is none, or it is of no use any more.
    func session(_ told: AttendancePayload, at now: Timestamp) -> Elsewhere? {
        guard let from = told.checkInMs, told.checkOutMs.map({ from <= $0 }) ?? true else {
            return nil
        }
        let session = Elsewhere(
            site: number, from: Timestamp(milliseconds: from),
            to: told.checkOutMs.map { Timestamp(milliseconds: $0) })
        // What ended longer ago than evidence may change anything is of no use.
        return (session.to ?? now) > now - Saved.horizon ? session : nil
    }

    /// The same number for the site's slug in every run: FNV-1a, 32 bits.
    var number: Int {
        Int(site.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 })
    }
}
