import Basics
import JSON
import SiteModel
import Wire

/// What somebody gave with a verb, read as the verb declares it.
package struct Arguments: Equatable, Sendable {
    package enum Value: Equatable, Sendable {
        case text(String)
        case integer(Int64)
        case flag(Bool)
        /// The bytes of a JSON value that the verb reads itself.
        case json([UInt8])
        indirect case object(Arguments)
        case list([Arguments])
        case null
    }

    private var values: [String: Value] = [:]

    /// A text, an id or a word.
    package func text(_ name: String) -> String? {
        if case .text(let text) = values[name] { text } else { nil }
    }

    package func integer(_ name: String) -> Int64? {
        if case .integer(let number) = values[name] { number } else { nil }
    }

    package func moment(_ name: String) -> Timestamp? {
        integer(name).map { Timestamp(milliseconds: $0) }
    }

    package func object(_ name: String) -> Arguments? {
        if case .object(let members) = values[name] { members } else { nil }
    }

    package func list(_ name: String) -> [Arguments]? {
        if case .list(let items) = values[name] { items } else { nil }
    }

    /// Whether it was given.
    package func has(_ name: String) -> Bool { values[name] != nil }

    /// Whether nothing was given as it.
    package func isNull(_ name: String) -> Bool { values[name] == .null }

    package func flag(_ name: String) -> Bool? {
        if case .flag(let flag) = values[name] { flag } else { nil }
    }
}

extension Verb {
    /// Whether something must be given. Of oneself the person may be left out: they are put in before it is
    /// read.
    package func needs(_ parameter: Parameter) -> Bool {
        parameter.isNeeded || parameter.name == subject.parameter
    }

    /// Reads a JSON object: members that are needed and not there, that are not declared, come twice or are
    /// not of the declared kind are refused.
    package func read(_ json: Span<UInt8>) throws(PayloadError) -> Arguments {
        try read(json, parameters)
    }

    /// What is asked over HTTP, as it is over MQTT: what stands in the path is put into the object of the body, and
    /// what stands in the body itself into the member that it is of (`wraps`).
    /// A body without a byte is an empty object.
    package func arguments(
        path: [String: String], body: Span<UInt8>
    ) throws(PayloadError) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        // The id that stands in the body is that of the set.
        let beside = parameters.filter { !path.keys.contains($0.name) }
        var inner = JSONWriter()
        inner.beginObject()
        for parameter in pathParameters {
            guard let text = path[parameter.name], text != Self.current else { continue }
            if parameter.name == wraps {
                inner.field("id", text)
                continue
            }
            writer.key(parameter.name)
            if case .integer = parameter.kind, let number = Int64(text), "\(number)" == text {
                writer.integer(number)
            } else {
                writer.string(text)
            }
        }
        if !body.isEmpty {
            let own = pathParameters.first { $0.name == wraps }.flatMap { path[$0.name] }
            for member in try JSONObject(document: body, limit: RequestPayload.limit).members(body)
            {
                // What the path has said already may be said again.
                if member.name == "id", let own, own == (try? member.text(body)) { continue }
                if wraps == nil || beside.contains(where: { $0.name == member.name }) {
                    writer.key(member.name)
                    writer.raw(try member.bytes(body))
                } else {
                    inner.key(member.name)
                    inner.raw(try member.bytes(body))
                }
            }
        }
        inner.endObject()
        if let wraps {
            writer.key(wraps)
            writer.raw(inner.bytes)
        }
        writer.endObject()
        return writer.bytes
    }

    /// The same, without what stands in the path.
    package func read(body json: Span<UInt8>) throws(PayloadError) -> Arguments {
        try read(json, bodyParameters)
    }

    private func read(
        _ json: Span<UInt8>, _ parameters: [Parameter]
    ) throws(PayloadError) -> Arguments {
        let object = try JSONObject(document: json, limit: Self.longestArguments)
        return try Arguments(object, json, parameters) { needs($0) }
    }
}

extension Arguments {
    /// The members of an object, of which `needs` says which must be there.
    fileprivate init(
        _ object: JSONObject, _ json: Span<UInt8>, _ parameters: [Parameter],
        _ needs: (Parameter) -> Bool
    ) throws(PayloadError) {
        for member in try object.members(json)
        where !parameters.contains(where: { $0.name == member.name }) {
            throw .unknownMember(field: member.name)
        }
        for parameter in parameters {
            let given =
                needs(parameter)
                ? try object.required(parameter.name, json)
                : try object.optional(parameter.name, json)
            guard let given else { continue }
            if parameter.isNullable, try given.kind(json) == .null {
                values[parameter.name] = .null
            } else {
                values[parameter.name] = try parameter.kind.value(given, json)
            }
        }
    }
}

extension Verb.Subject {
    /// A JSON object with `person` as the member that says whom it is about; `nil` if it has one already, or
    /// cannot be read.
    package func filled(_ json: Span<UInt8>, with person: String) -> [UInt8]? {
        guard let parameter, let object = try? JSONObject(document: json, limit: .max),
            let members = try? object.all(json),
            !members.contains(where: { $0.name == parameter })
        else { return nil }
        var writer = JSONWriter()
        writer.beginObject()
        writer.field(parameter, person)
        for member in members {
            guard let bytes = try? member.bytes(json) else { return nil }
            writer.key(member.name)
            writer.raw(bytes)
        }
        writer.endObject()
        return writer.bytes
    }
}

extension Parameter.Kind {
    /// The value of a member, if it is of this kind.
    fileprivate func value(
        _ value: JSONValue, _ json: Span<UInt8>
    ) throws(PayloadError) -> Arguments.Value {
        switch self {
        case .text(let length):
            let text = try value.text(json, limit: length.upperBound)
            guard length.contains(text.unicodeScalars.count) else {
                throw .outOfRange(field: value.name)
            }
            return .text(text)
        case .freeText(let length):
            return .text(try value.words(json, limit: length.upperBound))
        case .slug, .reference: return .text(try value.slug(json))
        case .uuid:
            let text = try value.text(json, limit: 36)
            guard text.isUUID else { throw .unknownValue(field: value.name) }
            return .text(text.lowercased())
        case .word(let words):
            let text = try value.text(json)
            guard words.contains(text) else { throw .unknownValue(field: value.name) }
            return .text(text)
        case .integer(let range):
            return .integer(
                try value.integer(
                    json, from: range.lowerBound, through: min(range.upperBound, Self.largest)))
        case .time: return .integer(try value.time(json))
        case .date:
            let text = try value.text(json, limit: 10)
            guard LocalDate(text) != nil else { throw .unknownValue(field: value.name) }
            return .text(text)
        case .flag: return .flag(try value.flag(json))
        case .decimal(let range):
            _ = try value.number(json, in: range)
            return .json(try value.bytes(json))
        case .kilograms(let range):
            let kilograms = try value.number(
                json, in: Double(range.lowerBound) / 1000...Double(range.upperBound) / 1000)
            guard let grams = Self.grams(kilograms) else { throw .outOfRange(field: value.name) }
            return .integer(grams)
        case .object(let members):
            return .object(try Arguments(try value.object(json), json, members, \.isNeeded))
        case .list(.object(let members)):
            return .list(
                try value.list(json) { (item, json) throws(PayloadError) in
                    try Arguments(try item.object(json), json, members, \.isNeeded)
                })
        case .number, .list, .map, .value: return .json(try value.bytes(json))
        }
    }
}
