import Foundation
import Operations
import Platform
import Testing

@testable import SiteService

/// What is declared of all operations.
struct OperationTests {
    private typealias Operation = SiteService.Operation

    @Test func `each has a name, a path and members of its own`() {
        let all = Operation.all
        #expect(Set(all.map(\.name)).count == all.count)
        #expect(Set(all.map { "\($0.method) \($0.path)" }).count == all.count)
        for operation in all {
            let names = operation.parameters.map(\.name)
            #expect(Set(names).count == names.count, "\(operation.name)")
            for part in operation.path.split(separator: "/") where part.hasPrefix("{") {
                let parameter = operation.parameters.first { "{\($0.name)}" == part }
                #expect(parameter?.isNeeded == true, "\(operation.name) \(part)")
            }
        }
    }

    /// Topics, rights at the broker and AsyncAPI follow from the verb, what is read from the members.
    @Test func `what is asked over MQTT is given as its verb says`() throws {
        let verbs = Verb.all.filter { !$0.isOfMachines }
        #expect(verbs.count == 3)
        for verb in verbs {
            let operation = try #require(Operation.named(verb.name))
            #expect(operation.path == verb.path && operation.right == verb.right)
            #expect(
                operation.parameters.map { "\($0)" } == verb.parameters.map { "\($0)" },
                "\(verb.name)")
        }
    }

    @Test func `a read changes nothing, and a write is one transaction`() throws {
        for operation in Operation.all {
            let given = Given(
                path: operation.parameters.filter(operation.isInPath).map {
                    (name: $0.name, value: Self.example($0.kind))
                },
                query: operation.parameters.filter { !operation.isInPath($0) && $0.isNeeded }.map {
                    (name: $0.name, value: Self.example($0.kind))
                })
            let call = try operation.prepare(given, nil)
            switch call.act {
            case .read:
                #expect(
                    operation.method == .get || operation.isPure, "\(operation.name)")
            case .noted: #expect(operation.name == "person-export")
            case .transaction: #expect(operation.method != .get, "\(operation.name)")
            case .outside: #expect(["webhook-test", "mail-server-test"].contains(operation.name))
            }
        }
    }

    private static func example(_ kind: Parameter.Kind) -> String {
        switch kind {
        case .slug, .reference, .freeText: "a"
        // A picture is the only text of megabytes.
        case .text(let length) where length.upperBound > 1_000_000:
            Data(Picture(width: 1, height: 1, pixels: [0, 0, 0]).png).base64EncodedString()
        case .text(let length):
            length == 5...5 ? "10:00" : String(repeating: "a", count: max(1, length.lowerBound))
        case .word(let words): words[0]
        case .integer(let range): "\(max(1, range.lowerBound))"
        case .date: "2026-03-29"
        case .flag: "true"
        case .list(let kind): example(kind)
        case .time, .number, .decimal, .kilograms, .uuid, .object, .map, .value: "0"
        }
    }
}
