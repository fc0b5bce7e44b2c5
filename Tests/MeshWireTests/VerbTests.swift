import TestSupport
import Testing

@testable import JSON
@testable import Operations
@testable import Permissions
@testable import SiteModel
@testable import Wire

extension Verb: CustomTestStringConvertible {
    /// Its name.
    public var testDescription: String { name }
}

/// What each verb takes and refuses follows from its declaration.
struct VerbTests {
    private func fault(_ verb: Verb, _ json: String) -> PayloadError? {
        let bytes = Array(json.utf8)
        do throws(PayloadError) {
            _ = try verb.read(bytes.span)
            return nil
        } catch {
            return error
        }
    }

    private func read(_ verb: Verb, _ json: String) throws -> Arguments {
        let bytes = Array(json.utf8)
        return try verb.read(bytes.span)
    }

    private func filled(_ verb: Verb, _ json: String, with person: String) -> String? {
        let bytes = Array(json.utf8)
        return verb.subject.filled(bytes.span, with: person).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test func `each has a name, a path and parameters of its own`() {
        #expect(Set(Verb.all.map(\.name)).count == Verb.all.count)
        #expect(Set(Verb.all.map { $0.method.rawValue + $0.path }).count == Verb.all.count)
        for verb in Verb.all {
            #expect(verb.name.isSlug && Verb.named(verb.name)?.path == verb.path)
            #expect(Set(verb.parameters.map(\.name)).count == verb.parameters.count)
            #expect(Set(verb.refusals).count == verb.refusals.count)
            let parts = verb.path.split(separator: "/").filter { $0.hasPrefix("{") }
            #expect(parts.count == verb.pathParameters.count, "\(verb.path)")
            #expect(verb.pathParameters.allSatisfy { $0.isNeeded || $0.name == "id" })
            let subject = verb.subject.parameter
            // A room's answer over MQTT goes past what binds a route to one's own rows.
            #expect(verb.isOfMachines == (subject != nil) || verb.name == "station-service")
            #expect(subject == nil || verb.parameters.contains { $0.name == subject })
        }
        #expect(Verb.named("fly") == nil && Verb.unknown("fly").contains("workout-start"))
    }

    @Test(arguments: Verb.all)
    func `what is as declared is read, and nothing else`(verb: Verb) throws {
        let example = VerbArguments(of: verb)
        #expect(fault(verb, example.json) == nil, "\(example.json)")
        let more = example.adding("zz", "1")
        #expect(fault(verb, more.json) == .unknownMember(field: "zz"))
        #expect(fault(verb, "[]") == .wrongType(field: ""))
        #expect(fault(verb, #"{"a":"#)?.reason == "not-json")
        for parameter in verb.parameters {
            let (name, value) = (parameter.name, parameter.kind.example)
            let given = example.with(name, value)
            #expect(fault(verb, given.json) == nil, "\(given.json)")
            #expect(fault(verb, given.adding(name, value).json) == .repeatedMember(field: name))
            if verb.needs(parameter) {
                #expect(
                    fault(verb, example.with(name, nil).adding("zz", value).json)
                        == .unknownMember(field: "zz"))
            } else {
                let none = fault(verb, example.with(name, "null").json)
                #expect((none == nil) == parameter.isNullable, "\(name)")
            }
            for wrong in parameter.kind.wrong {
                let json = example.with(name, wrong).json
                let fault = fault(verb, json)
                #expect(
                    fault == .wrongType(field: name) || fault == .outOfRange(field: name)
                        || fault == .unknownValue(field: name), "\(json): \(fault as Any)")
            }
        }
    }

    @Test(arguments: Verb.all.filter { $0.subject.parameter != nil })
    func `whoever asks about themselves is filled in`(verb: Verb) throws {
        let name = try #require(verb.subject.parameter)
        let without = VerbArguments(of: verb).with(name, nil)
        let whole = try #require(filled(verb, without.json, with: "u-ann"))
        #expect(try read(verb, whole).text(name) == "u-ann")
        #expect(filled(verb, whole, with: "u-ben") == nil, "they said whom")
    }

    @Test(arguments: Verb.all.filter { $0.subject.parameter != nil })
    func `a verb of the machines says whom it is about`(verb: Verb) throws {
        guard case .machine(let act) = verb.act else { return }
        var example = VerbArguments(of: verb)
        if verb.parameters.contains(where: { $0.name == "station" && $0.isNeeded }) {
            example = example.with("station", #""bench""#)
        }
        let arguments = try read(verb, example.json)
        let names = PipelineSite.names()
        #expect(act(arguments, names)?.user == names.users.id("u-ann"))
        let unknown = try read(verb, example.with("user", #""u-nobody""#).json)
        #expect(act(unknown, names) == nil)
    }
}
