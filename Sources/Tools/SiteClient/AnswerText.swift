import Basics
import Foundation
import Operations
import SiteService

/// An answer for people at a terminal: rows as tables, members a line each.
package struct AnswerText {
    package let text: String
    /// Whether something was tried, and not taken.
    package let isFailed: Bool

    /// `json` is what the operation answered; nothing is “Done.”
    package init(_ json: [UInt8], of operation: SiteService.Operation) throws {
        guard !json.isEmpty else {
            (text, isFailed) = ("Done.", false)
            return
        }
        let value = try JSONSerialization.jsonObject(with: Data(json))
        if let rows = value as? [[String: Any]] {
            (text, isFailed) = (
                Self.tables(rows, operation.answer).joined(separator: "\n\n"), false
            )
            return
        }
        let object = value as? [String: Any] ?? [:]
        isFailed = object["delivered"] as? Bool == false
        guard let only = operation.answer.first,
            operation.answer.allSatisfy({ $0.name == only.name || $0.name == "next" }),
            case .list(.object(let members)) = only.kind
        else {
            text = Self.lines(object, operation.answer).joined(separator: "\n")
            return
        }
        let rows = object[only.name] as? [[String: Any]] ?? []
        text = Self.tables(rows, members).joined(separator: "\n\n")
    }

    /// A line for each member; those of an object in it behind its name.
    private static func lines(
        _ object: [String: Any], _ members: [Parameter], in name: String = ""
    ) -> [String] {
        members.flatMap { member -> [String] in
            guard let value = object[member.name] else { return [] }
            let whole = name + member.name
            guard case .object(let inner) = member.kind, let object = value as? [String: Any] else {
                return ["\(whole): \(cell(value, member.kind))"]
            }
            return lines(object, inner, in: whole + ".")
        }
    }

    /// A table of the rows, then one for each list of rows in them, by the first member of the row that they are in.
    private static func tables(_ rows: [[String: Any]], _ members: [Parameter]) -> [String] {
        let (lists, plain) = members.split { member in
            if case .list(.object) = member.kind { true } else { false }
        }
        var tables = [table(rows, plain)]
        for list in lists {
            guard case .list(.object(var inner)) = list.kind, let id = members.first else {
                continue
            }
            let owner = Parameter("of", id.kind)
            inner.insert(owner, at: 0)
            let all = rows.flatMap { row in
                (row[list.name] as? [[String: Any]] ?? []).map { one in
                    one.merging([owner.name: row[id.name] ?? ""]) { own, _ in own }
                }
            }
            tables.append(table(all, inner))
        }
        return tables
    }

    private static func table(_ rows: [[String: Any]], _ members: [Parameter]) -> String {
        let members = members.filter { member in
            member.isNeeded || rows.contains { $0[member.name] != nil }
        }
        var table = TextTable(members.map(\.name))
        for row in rows {
            table.add(
                members.map { member in
                    row[member.name].map { cell($0, member.kind) } ?? "–"
                })
        }
        return table.text
    }

    private static func cell(_ value: Any, _ kind: Parameter.Kind) -> String {
        switch (kind, value) {
        case (.flag, let flag as Bool): flag ? "yes" : "no"
        case (.time, let number as NSNumber):
            Date(timeIntervalSince1970: number.doubleValue / 1000).formatted(.iso8601)
        case (_, is NSNull): "–"
        case (_, let map as [String: Any]):
            map.sorted { $0.key < $1.key }
                .map { HarmlessText.stripped("\($0.key):\($0.value)") }.joined(separator: ", ")
        case (_, let list as [Any]):
            list.map { HarmlessText.stripped("\($0)") }.joined(separator: ",")
        default: HarmlessText.stripped("\(value)")
        }
    }
}

extension Array {
    /// Those of which something holds, and the others.
    fileprivate func split(_ holds: (Element) -> Bool) -> ([Element], [Element]) {
        (filter(holds), filter { !holds($0) })
    }
}
