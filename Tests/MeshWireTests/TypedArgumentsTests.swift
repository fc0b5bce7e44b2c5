import TestSupport
import Testing

@testable import Operations

/// What is typed with a verb becomes what the verb reads, or is refused with its key.
struct TypedArgumentsTests {
    private func fault(_ words: [String], of verb: Verb, isOwn: Bool = false) -> String? {
        do throws(TypedArguments.Fault) {
            _ = try TypedArguments(words, of: verb, isOwn: isOwn).request()
            return nil
        } catch {
            return error.text
        }
    }

    private static let key = "123e4567-e89b-12d3-a456-426614174000"

    /// A word for each parameter that is needed, but for one.
    private func words(of verb: Verb, without name: String = "") -> [String] {
        verb.parameters.filter { verb.needs($0) && $0.name != name }.map {
            "\($0.name)=\($0.kind.typed)"
        }
    }

    @Test(arguments: Verb.all)
    func `what is typed as declared is what the verb reads`(verb: Verb) throws {
        let (path, body) = try TypedArguments(words(of: verb), of: verb, isOwn: false).request()
        #expect(!path.contains("{") && path.hasPrefix("/api/v1/"), "\(path)")
        if let wraps = verb.wraps {
            // The members of a set stand in the body itself, and its id in the path.
            let isInPath = verb.pathParameters.contains { $0.name == wraps }
            #expect(path.contains(Self.key) == isInPath)
            #expect(String(decoding: body, as: UTF8.self).contains(Self.key) != isInPath)
            return
        }
        if verb.pathParameters.isEmpty {
            #expect(path == verb.path)
            #expect(String(decoding: body, as: UTF8.self) == VerbArguments(of: verb).json)
        }
        for parameter in verb.pathParameters {
            let typed = parameter.isNeeded ? parameter.kind.typed : Verb.current
            #expect(path.contains("/\(typed)"))
            #expect(!String(decoding: body, as: UTF8.self).contains("\"\(parameter.name)\""))
            // Nothing that needs escapes may stand in a path.
            let isPlain =
                switch parameter.kind {
                case .slug, .reference, .uuid, .integer: true
                case .text, .freeText, .word, .time, .date, .flag, .number, .decimal, .kilograms,
                    .list, .object, .map,
                    .value:
                    false
                }
            #expect(isPlain, "\(parameter.name) of \(verb.name)")
        }
    }

    @Test(arguments: Verb.all)
    func `what is not as declared is refused with its key`(verb: Verb) {
        #expect(fault(words(of: verb) + ["zz=1"], of: verb)?.contains("“zz”") == true)
        #expect(fault(["zz"], of: verb)?.contains("key=value") == true)
        #expect(fault(["=1"], of: verb)?.contains("key=value") == true)
        for parameter in verb.parameters {
            let name = parameter.name
            let word = "\(name)=\(parameter.kind.typed)"
            let rest = words(of: verb, without: name)
            #expect(fault(rest + [word], of: verb) == nil, "\(word)")
            #expect(fault(rest + [word, word], of: verb) == "\(name) is given twice")
            if verb.needs(parameter) {
                #expect(fault(rest, of: verb)?.hasPrefix("\(name) is missing: ") == true)
            }
            for wrong in parameter.kind.mistyped {
                #expect(
                    fault(rest + ["\(name)=\(wrong)"], of: verb)
                        == "\(name): \(parameter.kind.expectation) expected", "\(wrong)")
            }
        }
    }

    @Test func `who asks about themselves may leave out whom it is about`() throws {
        let verb = Verb.startWorkout
        #expect(fault([], of: verb) != nil)
        let request = try TypedArguments(["station=press"], of: verb, isOwn: true).request()
        #expect(String(decoding: request.body, as: UTF8.self) == #"{"station":"press"}"#)
        #expect(fault([], of: .lock, isOwn: true) != nil)
    }

    @Test func `what is meant is put in the place of what is typed`() throws {
        var typed = try TypedArguments(
            ["user=Ann = B.", "at_ms=noon", #"reason="a"="#], of: .checkIn, isOwn: false)
        typed.translate { _, text in
            switch text {
            case "Ann = B.": "u-ann"
            case "noon": "1780000000000"
            default: text
            }
        }
        #expect(
            String(decoding: try typed.request().body, as: UTF8.self)
                == #"{"user":"u-ann","at_ms":1780000000000,"reason":"\"a\"="}"#)
    }
}

extension Parameter.Kind {
    /// The example as it is typed.
    fileprivate var typed: String {
        switch self {
        case .text, .freeText, .slug, .reference, .uuid, .word, .date:
            String(example.dropFirst().dropLast())
        case .integer, .time, .flag, .number, .decimal, .kilograms, .list, .object, .map, .value:
            example
        }
    }

    /// What is typed and none of this kind.
    fileprivate var mistyped: [String] {
        switch self {
        case .text(let length), .freeText(let length):
            [String(repeating: "x", count: length.upperBound + 1)]
                + (length.lowerBound > 0 ? [""] : [])
        case .slug, .reference: ["", "U-Ann", "u ann", "a/b", "{user}"]
        case .uuid: ["", "x", "{user}"]
        case .word: ["", "fly"]
        case .integer(let range): ["", "x", "1.5", "+1", "007", "\(range.lowerBound - 1)"]
        case .time: ["", "noon", "-1", "1.5", "2026-03-29T14:30:00Z"]
        case .date: ["", "20260331", "2026-02-30"]
        case .flag: ["", "0", "yes", "True"]
        case .number, .decimal, .kilograms: ["", "x", "nan", "inf"]
        case .object: ["", "x", "[1]"]
        case .list, .map, .value: []
        }
    }
}
