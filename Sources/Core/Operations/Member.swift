import JSON
import SiteModel

/// A member of what is given with an operation, or of what it answers: declared once, it is read, typed, written and
/// described.
package struct Member<Row: Sendable>: Sendable {
    package let parameter: Parameter
    let expectation: String
    let read: @Sendable (JSONValue, Span<UInt8>, inout Row) throws(PayloadError) -> Void
    /// Takes what is typed; whether it is of the form.
    let typed: @Sendable (String, inout Row) -> Bool
    /// The key and the value; nothing if there is none.
    let write: @Sendable (Row, inout JSONWriter) -> Void
    /// The value, if there is one.
    package let value: @Sendable (Row) -> (any Sendable)?

    var name: String { parameter.name }

    /// One that must be given, and is always answered.
    package static func needed<Value>(
        _ name: String, _ form: Form<Value>, _ path: WritableKeyPath<Row, Value> & Sendable,
        _ text: String = ""
    ) -> Member {
        Member(form, path, Parameter(name, form.kind, isNeeded: true, text))
    }

    /// One that may be left out: then it is what a new row has.
    package static func preset<Value>(
        _ name: String, _ form: Form<Value>, _ path: WritableKeyPath<Row, Value> & Sendable,
        _ text: String = ""
    ) -> Member {
        Member(form, path, Parameter(name, form.kind, text))
    }

    /// One that may be left out, here and in an answer.
    package static func optional<Value>(
        _ name: String, _ form: Form<Value>, _ path: WritableKeyPath<Row, Value?> & Sendable,
        _ text: String = ""
    ) -> Member {
        Member(Parameter(name, form.kind, text), form.expectation) {
            value, json, row throws(PayloadError) in
            row[keyPath: path] = try form.read(value, json)
        } typed: { text, row in
            guard let value = form.typed(text) else { return false }
            row[keyPath: path] = value
            return true
        } write: { row, writer in
            guard let value = row[keyPath: path] else { return }
            writer.key(name)
            form.write(value, &writer)
        } value: {
            $0[keyPath: path]
        }
    }

    /// One that may be left out, or be `null`.
    package static func nullable<Value>(
        _ name: String, _ form: Form<Value>, _ path: WritableKeyPath<Row, Value??> & Sendable,
        _ text: String = ""
    ) -> Member {
        Member(Parameter(name, form.kind, isNullable: true, text), form.expectation) {
            value, json, row throws(PayloadError) in
            let isNull = try value.kind(json) == .null
            row[keyPath: path] = .some(isNull ? nil : try form.read(value, json))
        } typed: { text, row in
            guard let value = form.typed(text) else { return false }
            row[keyPath: path] = .some(value)
            return true
        } write: { row, writer in
            guard let value = row[keyPath: path] else { return }
            writer.key(name)
            if let value { form.write(value, &writer) } else { writer.null() }
        } value: {
            $0[keyPath: path].flatMap(\.self)
        }
    }

    /// One that is answered only, always.
    package static func told<Value>(
        _ name: String, _ form: Form<Value>, _ text: String = "",
        from value: @escaping @Sendable (Row) -> Value
    ) -> Member {
        told(.always(name, form.kind, text)) { row, writer in
            writer.key(name)
            form.write(value(row), &writer)
        } value: {
            value($0)
        }
    }

    /// One that is answered only, and is `null` where there is none.
    package static func toldOrNull<Value>(
        _ name: String, _ form: Form<Value>, _ text: String = "",
        from value: @escaping @Sendable (Row) -> Value?
    ) -> Member {
        told(.always(name, form.kind, isNullable: true, text)) { row, writer in
            writer.key(name)
            if let value = value(row) { form.write(value, &writer) } else { writer.null() }
        } value: {
            value($0)
        }
    }

    /// One that is answered only, where there is one.
    package static func toldIfAny<Value>(
        _ name: String, _ form: Form<Value>, _ text: String = "",
        from value: @escaping @Sendable (Row) -> Value?
    ) -> Member {
        told(Parameter(name, form.kind, text)) { row, writer in
            guard let value = value(row) else { return }
            writer.key(name)
            form.write(value, &writer)
        } value: {
            value($0)
        }
    }

    private static func told(
        _ parameter: Parameter,
        _ write: @escaping @Sendable (Row, inout JSONWriter) -> Void,
        value: @escaping @Sendable (Row) -> (any Sendable)?
    ) -> Member {
        Member(parameter, parameter.kind.expectation) { value, _, _ throws(PayloadError) in
            throw .unknownMember(field: value.name)
        } typed: { _, _ in
            false
        } write: {
            write($0, &$1)
        } value: {
            value($0)
        }
    }

    /// The same member of a row that another answer has in itself, or has not: nobody gives it.
    package func ofAny<Outer>(
        _ path: KeyPath<Outer, Row?> & Sendable
    ) -> Member<Outer> {
        Member<Outer>(parameter.optional, expectation) { value, _, _ throws(PayloadError) in
            throw .unknownMember(field: value.name)
        } typed: { _, _ in
            false
        } write: { outer, writer in
            if let row = outer[keyPath: path] { write(row, &writer) }
        } value: {
            $0[keyPath: path].flatMap(value)
        }
    }

    /// The same where it always has one.
    package func of<Outer>(_ path: KeyPath<Outer, Row> & Sendable) -> Member<Outer> {
        Member<Outer>(parameter, expectation) { value, _, _ throws(PayloadError) in
            throw .unknownMember(field: value.name)
        } typed: { _, _ in
            false
        } write: {
            write($0[keyPath: path], &$1)
        } value: {
            value($0[keyPath: path])
        }
    }

    private init<Value>(
        _ form: Form<Value>, _ path: WritableKeyPath<Row, Value> & Sendable,
        _ parameter: Parameter
    ) {
        self.init(parameter, form.expectation) { value, json, row throws(PayloadError) in
            row[keyPath: path] = try form.read(value, json)
        } typed: { text, row in
            guard let value = form.typed(text) else { return false }
            row[keyPath: path] = value
            return true
        } write: { row, writer in
            writer.key(parameter.name)
            form.write(row[keyPath: path], &writer)
        } value: {
            $0[keyPath: path]
        }
    }

    /// One that is read, typed and written in a way of its own.
    package init(
        _ parameter: Parameter, _ expectation: String,
        read: @escaping @Sendable (JSONValue, Span<UInt8>, inout Row) throws(PayloadError) -> Void,
        typed: @escaping @Sendable (String, inout Row) -> Bool,
        write: @escaping @Sendable (Row, inout JSONWriter) -> Void,
        value: @escaping @Sendable (Row) -> (any Sendable)?
    ) {
        self.parameter = parameter
        self.expectation = expectation
        self.read = read
        self.typed = typed
        self.write = write
        self.value = value
    }
}
