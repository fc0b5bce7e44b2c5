import Basics
import Foundation
import Operations
import Permissions
import Platform
import Records
import SiteModel
import SiteStore

extension Operation {
    /// A request over HTTP.
    struct Request: Sendable {
        var method: Verb.Method
        /// From `/`, with the query.
        var path: String
        var body: [UInt8]
    }

    /// Whether it only reads.
    package var isRead: Bool { method == .get }

    /// What is typed as a request, for a coordinator to answer.
    func request(_ typed: Given.Texts) throws(InputFault) -> Request {
        // What is typed wrongly is said alike, whether a coordinator runs or not.
        _ = try prepare(Given(query: typed), nil)
        var path = self.path
        var rest: Given.Texts = []
        for (name, value) in typed {
            guard let parameter = parameters.first(where: { $0.name == name }) else {
                throw .unknown(name, among: parameters.map(\.name))
            }
            if isInPath(parameter) {
                path.replace("{\(name)}", with: value.percentEncoded)
            } else {
                rest.append((name, value))
            }
        }
        guard method == .get || method == .delete else {
            return Request(method: method, path: path, body: try body(rest))
        }
        let query = rest.map { "\($0.name)=\($0.value.percentEncoded)" }
        return Request(
            method: method, path: path + (query.isEmpty ? "" : "?" + query.joined(separator: "&")),
            body: [])
    }

    /// What is answered to the owner of a database that no coordinator runs, or who only reads it.
    ///
    /// - Throws: What the operation refuses, an `InputFault` for what is typed wrongly, a `StoreError`.
    package func answer(
        _ typed: Given.Texts, by asker: String, in store: Store
    ) throws -> [UInt8] {
        let call = try prepare(Given(query: typed), nil)
        let owner = Principal(name: asker, role: .owner)
        let caller = Caller(owner, via: .cli, key: nil).at(AnchoredClock().now)
        let outcome: Outcome
        switch call.act {
        case .read(let read): outcome = try read(store, caller)
        case .noted(let note, let read):
            _ = try store.together { try note.perform(store, caller) }
            outcome = try read(store, caller)
        case .transaction(let write):
            outcome = try store.together { try write.perform(store, caller) }
            if write.erases { try Erasures(store).settle() }
        case .outside(let ask): outcome = try ask(store, caller)
        }
        return outcome.body ?? []
    }
}

extension Store {
    /// Does something in one transaction, which what it throws undoes.
    fileprivate func together<Value>(_ work: () throws -> Value) throws -> Value {
        var done: Result<Value, any Error>?
        try inOneTransaction {
            done = Result { try undoing(work) }
            return false
        }
        guard let done else { throw StoreError.other(code: 0, message: "nothing was done") }
        return try done.get()
    }
}

extension String {
    /// As it stands in a path, a query or a header.
    var percentEncoded: String {
        let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        return addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}
