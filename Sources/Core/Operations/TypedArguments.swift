import Basics
import JSON
import SiteModel

/// What is typed with a verb, `key=value` each: by the verb's parameters it becomes a path and a body.
package struct TypedArguments: Sendable {
    /// What is wrong with it, for people.
    package struct Fault: Error, Equatable, Sendable {
        package let text: String

        fileprivate init(_ text: String) { self.text = text }
    }

    private let verb: Verb
    private var values: [String: String] = [:]

    /// Reads words. `isOwn`: who leaves out whom it is about may be a person who asks about themselves.
    package init(_ words: [String], of verb: Verb, isOwn: Bool) throws(Fault) {
        self.verb = verb
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw Fault("“\(word)”: key=value expected")
            }
            let key = String(parts[0])
            guard verb.parameters.contains(where: { $0.name == key }) else {
                let known = verb.parameters.map(\.name).joined(separator: ", ")
                throw Fault("there is no key “\(key)”: \(verb.name) takes \(known)")
            }
            guard values.updateValue(String(parts[1]), forKey: key) == nil else {
                throw Fault("\(key) is given twice")
            }
        }
        for parameter in verb.parameters where values[parameter.name] == nil {
            let isLeftOut = isOwn && parameter.name == verb.subject.parameter
            guard isLeftOut || !verb.needs(parameter) else {
                throw Fault(
                    "\(parameter.name) is missing: \(parameter.kind.expectation) expected")
            }
        }
    }

    /// Puts in the place of each value what `body` makes of it.
    package mutating func translate(_ body: (Parameter, String) throws -> String) rethrows {
        for parameter in verb.parameters {
            guard let value = values[parameter.name] else { continue }
            values[parameter.name] = try body(parameter, value)
        }
    }

    /// The path from `/`, and the body: a JSON object, or nothing if the verb takes nothing in it.
    package func request() throws(Fault) -> (path: String, body: [UInt8]) {
        var writer = JSONWriter()
        writer.beginObject()
        var path = verb.path
        for parameter in verb.parameters {
            guard let value = values[parameter.name] else { continue }
            let place = "{\(parameter.name)}"
            if parameter.name == verb.wraps {
                let id = try? writer.writeMembers(of: Array(value.utf8), but: path.contains(place))
                guard let id, id.isUUID || !path.contains(place)
                else { throw Self.refused(parameter) }
                path = path.replacing(place, with: id)
                continue
            }
            if path.contains(place) {
                // Ids and numbers only stand in paths: they need no escapes.
                guard parameter.kind.refusal(of: value) == nil else {
                    throw Self.refused(parameter)
                }
                path = path.replacing(place, with: value)
                continue
            }
            writer.key(parameter.name)
            guard writer.write(value, as: parameter.kind) else { throw Self.refused(parameter) }
        }
        writer.endObject()
        path.replace("{id}", with: Verb.current)
        return (path, verb.bodyParameters.isEmpty ? [] : writer.bytes)
    }

    private static func refused(_ parameter: Parameter) -> Fault {
        Fault("\(parameter.name): \(parameter.kind.expectation) expected")
    }
}

extension JSONWriter {
    /// Writes the members of an object, without its `id` where that stands elsewhere. Returns the `id`, or nothing.
    fileprivate mutating func writeMembers(
        of json: [UInt8], but isElsewhere: Bool
    ) throws(PayloadError) -> String {
        let json = json.span
        var id = ""
        for member in try JSONObject(document: json, limit: Verb.longestArguments).members(json) {
            if member.name == "id", isElsewhere {
                id = try member.text(json)
            } else {
                key(member.name)
                raw(try member.bytes(json))
            }
        }
        return id
    }

    /// Writes what is typed as a value of a kind, and says whether it is one. If it is none, nothing is
    /// written.
    fileprivate mutating func write(_ text: String, as kind: Parameter.Kind) -> Bool {
        guard kind.refusal(of: text) == nil else { return false }
        switch kind {
        case .text, .freeText, .slug, .reference, .uuid, .word: string(text)
        case .integer:
            guard let number = Int64(text) else { return false }
            integer(number)
        case .time:
            guard let number = Int64(text), number >= 0 else { return false }
            integer(number)
        case .date:
            guard LocalDate(text) != nil else { return false }
            string(text)
        case .flag: flag(text == "true")
        case .number, .decimal, .kilograms:
            guard let value = Double(text), value.isFinite else { return false }
            number(value)
        case .list, .object, .map, .value: raw(Array(text.utf8))
        }
        return true
    }
}
