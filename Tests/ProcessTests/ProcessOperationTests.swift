import Foundation
import TestSupport
import Registry
import Testing

@testable import Operations
@testable import SiteModel
@testable import SiteService

/// What each operation refuses follows from its declaration: over HTTP and at the owner's socket, and nothing is written.
/// Of rows of the site it follows from the rules of its file.
@Suite(.ownThread) struct ProcessOperationTests {
    private typealias Operation = SiteService.Operation

    /// A request that is as declared; what it names need not be there.
    private struct Asked {
        var operation: Operation
        var path: [String: String]
        var rest: VerbArguments

        init(_ operation: Operation, of site: RunningSite) {
            self.operation = operation
            path = [:]
            rest = VerbArguments()
            for parameter in operation.parameters {
                let isOfPerson = operation.subject == .member(parameter.name)
                if operation.isInPath(parameter) {
                    let rows = Self.rows.merging([
                        "users": site.people[0].slug, "beacons": site.people[0].beaconSlug,
                    ]) { $1 }
                    let row = rows.first { operation.path.hasPrefix("/api/v1/\($0.key)/{") }
                    path[parameter.name] =
                        isOfPerson
                        ? site.people[0].slug
                        : row?.value ?? parameter.kind.example.filter { $0 != "\"" }
                } else if parameter.isNeeded {
                    rest[parameter.name] = Self.examples[parameter.name] ?? parameter.kind.example
                }
            }
        }

        /// Of collections a row that is there.
        private static let rows = [
            "rooms": "hall", "stations": "press", "nodes": "n-press", "exercises": "row",
            "groups": "machines", "cards": "of-press", "device-types": "camera",
            "device-rules": "cam",
        ]
        /// What is of a form that no kind says.
        private static let examples = [
            "start": #""10:00""#, "end": #""12:00""#, "room": #""hall""#,
            "identity": #""mac-0123456789ab""#, "url": #""http://127.0.0.1:9/""#,
            "rule": #""eu-00112233445566778899""#, "file": #""{\"7\": {\"title\": \"Seven\"}}""#,
        ]

        var isInQuery: Bool { operation.method == .get || operation.method == .delete }

        var others: [Parameter] { operation.parameters.filter { !operation.isInPath($0) } }

        /// The path with the query; `rest` in the place of what is asked.
        func address(_ rest: VerbArguments? = nil) -> String {
            var address = operation.path
            for (name, value) in path { address = address.replacing("{\(name)}", with: value) }
            guard isInQuery else { return address }
            let query = (rest ?? self.rest).members.map { name, value in
                let text = value.hasPrefix("\"") ? String(value.dropFirst().dropLast()) : value
                let shown = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
                return "\(name)=\(shown ?? "")"
            }
            return address + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        }

        /// What is not as declared: a member more, of another kind, twice, or missing.
        var faults: [VerbArguments] {
            var faults = [rest.adding("zz", "1")]
            for parameter in others {
                let (name, value) = (parameter.name, parameter.kind.example)
                faults += wrong(parameter).map { rest.with(name, $0) }
                faults.append(rest.with(name, value).adding(name, value))
                let isPutIn = operation.subject == .member(name)
                if parameter.isNeeded, !isPutIn { faults.append(rest.with(name, nil)) }
            }
            return faults
        }

        private func wrong(_ parameter: Parameter) -> [String] {
            guard isInQuery else {
                // Settings are read as in the site file, where what is empty has its default.
                guard !["policy-put", "settings-change"].contains(operation.name) else {
                    if case .object = parameter.kind { return [#""x""#] }
                    return parameter.kind.wrong
                }
                return parameter.kind.wrong + (parameter.isNullable ? [] : ["null"])
            }
            // A query has texts only.
            return parameter.kind.wrong.filter { value in
                let text = value.filter { $0 != "\"" }
                return parameter.kind.refusal(of: text) != nil && !value.contains("\\")
            }
        }

        /// The same with another value of a member; `nil`: it has no other.
        func other(_ parameter: Parameter) -> Asked? {
            let value: String? =
                switch parameter.kind {
                case .text, .freeText, .slug, .reference: #""other""#
                case .word(let words): words.last.map { "\"\($0)\"" }
                case .flag: "false"
                case .date: #""2026-04-01""#
                default: nil
                }
            guard let value, value != rest[parameter.name] else { return nil }
            var other = self
            other.rest = rest.with(parameter.name, value)
            return other
        }
    }

    private func ask(
        _ asked: Asked, _ rest: VerbArguments? = nil, key: String? = nil, as client: WebClient
    ) throws -> WebReply {
        let body = asked.isInQuery ? nil : (rest ?? asked.rest).json
        return try client.ask(
            asked.operation.method.rawValue, asked.address(rest), body, key: key
        ).reply
    }

    /// How many rows each table has, but those that say who asked.
    private func written(_ site: RunningSite) throws -> [String] {
        let tables = try site.rows(
            """
            SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
                AND name NOT LIKE 'sqlite%'
                AND name NOT IN ('audit_log', 'web_session', 'retention_run') ORDER BY name
            """)
        let counts = tables.map { "SELECT '\($0) ' || count(*) FROM \"\($0)\"" }
        return try site.rows("SELECT revision FROM site")
            + site.rows(counts.joined(separator: " UNION ALL "))
    }

    /// The same, once nothing follows any more from what was done before.
    private func settled(_ site: RunningSite) throws -> [String] {
        var before = try written(site)
        for _ in 0..<40 {
            Thread.sleep(forTimeInterval: 0.5)
            let now = try written(site)
            if now == before { return now }
            before = now
        }
        return before
    }

    @Test func `what is not as declared is refused over HTTP`() throws {
        let asked = try AskedSite()
        defer { asked.site.stop() }
        let before = try settled(asked.site)
        var count = 0
        for operation in Operation.all {
            let good = Asked(operation, of: asked.site)
            for fault in good.faults {
                let reply = try ask(good, fault, as: asked.owner)
                let code = good.isInQuery ? "bad_request" : "schema"
                #expect(
                    reply.code == code,
                    "\(operation.name) \(fault.json): \(reply.status) \(reply.json)")
                count += 1
            }
        }
        let after = try written(asked.site)
        #expect(after == before, "\(Set(after).symmetricDifference(before).sorted())")
        print("operations over HTTP: \(Operation.all.count), \(count) requests refused")
    }

    @Test func `the same is refused at the owner's socket`() throws {
        let asked = try AskedSite()
        defer { asked.site.stop() }
        let before = try settled(asked.site)
        var count = 0
        try SiteAccess.with(asked.site.database, as: "ada") { site in
            for operation in Operation.all {
                let good = operation.parameters.filter(\.isNeeded).map {
                    (name: $0.name, value: Self.typed($0))
                }
                var faults = [good + [(name: "zz", value: "1")]]
                for parameter in operation.parameters {
                    let others = good.filter { $0.name != parameter.name }
                    faults += parameter.kind.wrong.compactMap { wrong in
                        let text = wrong.filter { $0 != "\"" }
                        guard parameter.kind.refusal(of: text) != nil, !wrong.contains("\\"),
                            operation.readsTexts
                        else { return nil }
                        return others + [(name: parameter.name, value: text)]
                    }
                    if parameter.isNeeded { faults.append(others) }
                    let one = (name: parameter.name, value: Self.typed(parameter))
                    faults.append(others + [one, one])
                }
                for fault in faults {
                    do throws(WriteFault) {
                        _ = try site.perform(operation, fault)
                        Issue.record("\(operation.name) \(fault): it is done")
                    } catch {
                        #expect(
                            error.kind == .refused && error.code == 64,
                            "\(operation.name) \(fault): \(error.code) \(error)")
                    }
                    count += 1
                }
            }
        }
        #expect(try written(asked.site) == before)
        print("operations at the socket: \(Operation.all.count), \(count) requests refused")
    }

    private static func typed(_ parameter: Parameter) -> String {
        ["start": "10:00", "end": "12:00"][parameter.name]
            ?? parameter.kind.example.filter { !"\"[]".contains($0) }
    }

    @Test func `who asks about themselves only asks for nothing about another`() throws {
        let asked = try AskedSite()
        defer { asked.site.stop() }
        let member = try asked.invite("ben", "member", person: 1)
        let before = try settled(asked.site)
        var count = 0
        for operation in Operation.all {
            guard case .member(let name) = operation.subject else { continue }
            for other in [asked.site.people[2].slug, "u-nobody"] {
                var others = Asked(operation, of: asked.site)
                if others.path[name] != nil {
                    others.path[name] = other
                } else {
                    others.rest[name] = "\"\(other)\""
                }
                let reply = try ask(others, as: member)
                // Also of whom there is not: nobody learns who there is.
                #expect(reply.code == "forbidden", "\(operation.name) \(other): \(reply.json)")
                count += 1
            }
        }
        #expect(count > 30)
        #expect(try written(asked.site) == before)
    }

    @Test func `what comes again with its key is answered alike, and nothing else by it`() throws {
        let asked = try AskedSite()
        defer { asked.site.stop() }
        var refused: [String] = []
        for operation in Operation.all where operation.method == .post && !operation.isPure {
            let good = Asked(operation, of: asked.site)
            let first = try ask(good, key: operation.name, as: asked.owner)
            guard (200..<300).contains(first.status) else {
                refused.append(operation.name)
                continue
            }
            // What an erasure still owes is deleted in the minutes after.
            for _ in 0..<300 where try !asked.site.rows("SELECT user FROM erasure_debt").isEmpty {
                Thread.sleep(forTimeInterval: 0.1)
            }
            let before = try written(asked.site)
            let again = try ask(good, key: operation.name, as: asked.owner)
            // What is shown once is not kept.
            #expect(
                again.code == (operation.isShownOnce ? "bad_state" : nil),
                "\(operation.name): \(again.json)")
            if let other = good.others.lazy.compactMap({ good.other($0) }).first {
                let mismatch = try ask(other, key: operation.name, as: asked.owner)
                #expect(
                    mismatch.code == "idempotency_mismatch", "\(operation.name): \(mismatch.json)")
            }
            #expect(try written(asked.site) == before, "\(operation.name)")
        }
        // Of these the example is refused by what is stored: it names what is not there, or what cannot be so.
        #expect(
            refused == [
                "attendance-correct", "waiting-excuse", "shift-assign", "shift-end", "leave-add",
                "webhook-test", "notices-read", "mail-server-test", "mail-set", "mail-confirm",
                "node-add", "device-rule-add", "content-refresh", "activity-begin", "activity-end",
                "note-add",
            ])
    }
}

extension SiteService.Operation {
    /// Whether what is typed is read by its form: rows and settings are read by the rules of the site file.
    fileprivate var readsTexts: Bool {
        !["policy-put", "settings-change"].contains(name)
            && !SiteCollection.all.contains { kind in
                ["add", "put", "change"].contains { name == "\(kind.one)-\($0)" }
            }
    }
}
