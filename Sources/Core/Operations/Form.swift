import Basics
import JSON
import SiteModel

/// A form of value: how it is described, read, typed and written.
package struct Form<Value: Sendable>: Sendable {
    package let kind: Parameter.Kind
    let read: @Sendable (JSONValue, Span<UInt8>) throws(PayloadError) -> Value
    /// What stands in a path, a query or a command line; `nil` if it is none.
    let typed: @Sendable (String) -> Value?
    package let write: @Sendable (Value, inout JSONWriter) -> Void
    /// What is expected, in words.
    let expectation: String

    /// One that is read, typed and written in a way of its own.
    package init(
        _ kind: Parameter.Kind, expectation: String? = nil,
        read: @escaping @Sendable (JSONValue, Span<UInt8>) throws(PayloadError) -> Value,
        typed: @escaping @Sendable (String) -> Value?,
        write: @escaping @Sendable (Value, inout JSONWriter) -> Void
    ) {
        self.kind = kind
        self.read = read
        self.typed = typed
        self.write = write
        self.expectation = expectation ?? kind.expectation
    }
}

extension Form {
    /// The same, described as another kind where it is answered.
    package func told(as kind: Parameter.Kind) -> Form {
        Form(kind, read: read, typed: typed, write: write)
    }
}

extension Form where Value == String {
    package static let slug = ofText(.slug) { value, json throws(PayloadError) in
        try value.slug(json)
    }

    /// The id of a row of a collection, which a person may give by its name.
    package static func reference(_ collection: String) -> Form {
        ofText(.reference(collection)) { value, json throws(PayloadError) in
            try value.slug(json)
        }
    }

    /// So many characters.
    package static func text(_ length: ClosedRange<Int>) -> Form {
        ofText(.text(length)) { value, json throws(PayloadError) in
            let text = try value.text(json, limit: length.upperBound)
            guard length.contains(text.unicodeScalars.count) else {
                throw .outOfRange(field: value.name)
            }
            return text
        }
    }

    package static let anyText = text(0...Int.max)

    /// So many characters that a person wrote: of controls line feeds and tabs only.
    package static func freeText(_ length: ClosedRange<Int>) -> Form {
        ofText(.freeText(length)) { value, json throws(PayloadError) in
            try value.words(json, limit: length.upperBound)
        }
    }

    private static func ofText(
        _ kind: Parameter.Kind,
        _ read: @escaping @Sendable (JSONValue, Span<UInt8>) throws(PayloadError) -> String
    ) -> Form {
        Form(kind, read: read) {
            kind.refusal(of: $0) == nil ? $0 : nil
        } write: {
            $1.string($0)
        }
    }
}

extension Form where Value == String {
    /// What is JSON itself, for answers only.
    package static let json = Form(.value) { value, _ throws(PayloadError) in
        throw .unknownMember(field: value.name)
    } typed: { _ in
        nil
    } write: {
        $1.raw(Array($0.utf8))
    }
}

extension Form where Value == Int64 {
    /// A whole number that is not negative, as the row of something.
    package static let count = integer(0...Int64.max)
    /// Milliseconds since 1970.
    package static let time = ofNumber(.time, 0...JSONValue.latestTime)

    package static func integer(_ range: ClosedRange<Int64>) -> Form {
        ofNumber(.integer(range), range)
    }

    private static func ofNumber(_ kind: Parameter.Kind, _ range: ClosedRange<Int64>) -> Form {
        let most = min(range.upperBound, Parameter.Kind.largest)
        return Form(kind) { value, json throws(PayloadError) in
            try value.integer(json, from: range.lowerBound, through: most)
        } typed: { text in
            guard let number = Int64(text), "\(number)" == text,
                number >= range.lowerBound, number <= most
            else { return nil }
            return number
        } write: {
            $1.integer($0)
        }
    }
}

extension Form where Value == Int {
    /// The same of what is counted.
    package static let count = integer(0...Int64.max)

    package static func integer(_ range: ClosedRange<Int64>) -> Form {
        let wide = Form<Int64>.integer(range)
        return Form(wide.kind) { value, json throws(PayloadError) in
            Int(try wide.read(value, json))
        } typed: {
            wide.typed($0).map { Int($0) }
        } write: {
            $1.integer($0)
        }
    }
}

extension Form where Value == Timestamp.Span {
    /// Whole hours where they are given; what was set before may be answered with a fraction.
    package static func hours(_ range: ClosedRange<Int64>) -> Form {
        let wide = Form<Int64>.integer(range)
        return Form(wide.kind) { value, json throws(PayloadError) in
            .milliseconds(try wide.read(value, json) * 3_600_000)
        } typed: {
            wide.typed($0).map { .milliseconds($0 * 3_600_000) }
        } write: {
            $1.number($0.seconds / 3600)
        }
    }

    /// Whole minutes, from none to so many.
    package static func minutes(upTo most: Int64) -> Form {
        let wide = Form<Int64>.integer(0...most)
        return Form(wide.kind) { value, json throws(PayloadError) in
            .milliseconds(try wide.read(value, json) * 60_000)
        } typed: {
            wide.typed($0).map { .milliseconds($0 * 60_000) }
        } write: {
            $1.integer($0.milliseconds / 60_000)
        }
    }
}

extension Form where Value == Timestamp {
    /// Milliseconds since 1970.
    package static let time = Form(.time) { value, json throws(PayloadError) in
        Timestamp(milliseconds: try value.time(json))
    } typed: {
        Form<Int64>.time.typed($0).map { Timestamp(milliseconds: $0) }
    } write: {
        $1.integer($0.milliseconds)
    }
}

extension Form where Value == Double {
    package static let number = Form(.number) { value, json throws(PayloadError) in
        try value.amount(json)
    } typed: {
        Double($0).flatMap { $0.isFinite ? $0 : nil }
    } write: {
        $1.number($0)
    }
}

extension Form where Value == Bool {
    package static let flag = Form(.flag) { value, json throws(PayloadError) in
        try value.flag(json)
    } typed: {
        ["true": true, "false": false][$0]
    } write: {
        $1.flag($0)
    }
}

extension Form {
    /// What is written as a text of a form of its own, at most so many bytes; `like` it is said how: “a date like …”.
    package static func parsed(
        _ kind: Parameter.Kind, upTo limit: Int, _ like: String,
        _ parse: @escaping @Sendable (String) -> Value?,
        text: @escaping @Sendable (Value) -> String
    ) -> Form {
        Form(kind, expectation: like) { value, json throws(PayloadError) in
            guard let parsed = parse(try value.text(json, limit: limit)) else {
                throw .unknownValue(field: "\(value.name) (\(like))")
            }
            return parsed
        } typed: {
            parse($0)
        } write: {
            $1.string(text($0))
        }
    }
}

extension Form where Value == LocalDate {
    /// A day of the calendar, such as 2026-03-29.
    package static let date = parsed(.date, upTo: 10, "a date like 2026-03-29") {
        LocalDate($0)
    } text: {
        "\($0)"
    }
}

extension Form where Value == LocalTime {
    /// What clocks show, to the minute: `22:00`.
    package static let clock = parsed(.text(5...5), upTo: 5, "a time like 22:00") { text in
        LocalTime(text).flatMap { $0.milliseconds % 60_000 == 0 ? $0 : nil }
    } text: {
        "\($0)"
    }
}

extension Form where Value: RawRepresentable<String> & CaseIterable & Equatable {
    /// One of the words of an enum.
    package static var word: Form { word(among: Array(Value.allCases)) }

    /// One of some of them.
    package static func word(among some: [Value]) -> Form {
        Form(.word(some.map(\.rawValue))) { value, json throws(PayloadError) in
            let word = try value.choice(json, of: Value.self)
            guard some.contains(word) else { throw .unknownValue(field: value.name) }
            return word
        } typed: { text in
            Value(rawValue: text).flatMap { some.contains($0) ? $0 : nil }
        } write: {
            $1.string($0.rawValue)
        }
    }
}

extension Form {
    /// Several of a form; typed with commas between them.
    package static func list<Element>(
        _ element: Form<Element>, atMost most: Int = .max
    ) -> Form
    where Value == [Element] {
        Form(.list(element.kind)) { value, json throws(PayloadError) in
            try value.list(json, atMost: most) { (item, json) throws(PayloadError) in
                try element.read(item, json)
            }
        } typed: { text in
            guard !text.isEmpty else { return [] }
            var elements: [Element] = []
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                guard let one = element.typed(String(part)) else { return nil }
                elements.append(one)
            }
            return elements
        } write: { elements, writer in
            writer.beginArray()
            for one in elements { element.write(one, &writer) }
            writer.endArray()
        }
    }
}

extension Form {
    /// What is answered only: nobody gives it.
    package static func answered(
        _ kind: Parameter.Kind, _ write: @escaping @Sendable (Value, inout JSONWriter) -> Void
    ) -> Form {
        Form(kind) { value, _ throws(PayloadError) in
            throw .wrongType(field: value.name)
        } typed: { _ in
            nil
        } write: {
            write($0, &$1)
        }
    }
}

extension Form where Value: OperationOutput {
    /// A row in an answer; nobody gives one.
    package static var object: Form {
        answered(.object(Value.members.map(\.parameter))) { $0.write(to: &$1) }
    }
}
