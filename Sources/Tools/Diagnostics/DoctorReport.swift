import Basics
import JSON
import Wire

/// One thing that was looked at: what was seen, and what to do.
package struct Finding: Equatable {
    /// What is looked at. docs/troubleshooting.md has a row for each.
    enum ID: String, CaseIterable {
        case configuration
        case adapter
        case rfkill
        case power
        case capability
        case bluetoothd
        case clock
        case broker
        case login = "broker-login"
        case rights = "broker-rights"
        case disk
        case state
        case database
        case backup
        case outbox
        case port
    }

    /// How bad it is, the least first.
    package enum Level: String, Comparable {
        case ok
        /// It works, and somebody should know.
        case warning
        /// It does not work.
        case fault

        package static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }

        private var rank: Int {
            switch self {
            case .ok: 0
            case .warning: 1
            case .fault: 2
            }
        }
    }

    /// What was looked at.
    var id: ID
    /// How bad it is.
    package var level: Level
    var seen: String
    /// What to do; empty if nothing.
    var action: String

    /// A finding that asks for nothing.
    static func ok(_ id: ID, _ seen: String) -> Finding {
        Finding(id: id, level: .ok, seen: seen, action: "")
    }

    /// A finding that somebody should know.
    static func warning(_ id: ID, _ seen: String, do action: String) -> Finding {
        Finding(id: id, level: .warning, seen: seen, action: action)
    }

    /// A finding that something does not work.
    static func fault(_ id: ID, _ seen: String, do action: String) -> Finding {
        Finding(id: id, level: .fault, seen: seen, action: action)
    }
}

/// Findings as text or JSON.
package enum DoctorReport {
    /// For people: what was seen, and under it what to do.
    package static func text(_ findings: [Finding]) -> String {
        let width = Finding.ID.allCases.map(\.rawValue.count).max() ?? 0
        let margin = String(repeating: " ", count: 9 + width + 2)
        var lines = findings.flatMap { finding in
            let seen = finding.seen.split(separator: "\n").map {
                TerminalText.harmless(String($0))
            }
            let level = TerminalText.fitted(finding.level.title, to: 9)
            let id = TerminalText.fitted(finding.id.rawValue, to: width)
            let first = "\(level)\(id)  \(seen.first ?? "")"
            let rest = seen.dropFirst().map { margin + $0 }
            let action = TerminalText.harmless(finding.action)
            return [first] + rest + (action.isEmpty ? [] : [margin + "→ " + action])
        }
        let (faults, warnings) = (count(.fault, findings), count(.warning, findings))
        lines.append(
            faults + warnings == 0
                ? "all is well"
                : "\(faults) fault\(faults == 1 ? "" : "s"), "
                    + "\(warnings) warning\(warnings == 1 ? "" : "s")")
        return lines.joined(separator: "\n")
    }

    /// For programs: one object.
    package static func json(_ findings: [Finding]) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("ok", count(.fault, findings) == 0)
        json.key("findings")
        json.beginArray()
        for finding in findings {
            json.beginObject()
            json.field("id", finding.id.rawValue)
            json.field("level", finding.level.rawValue)
            json.key("seen")
            json.raw(JSONWriter.quoted(finding.seen))
            json.key("do")
            json.raw(JSONWriter.quoted(finding.action))
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    private static func count(_ level: Finding.Level, _ findings: [Finding]) -> Int {
        findings.count { $0.level == level }
    }
}

extension Finding.Level {
    fileprivate var title: String {
        switch self {
        case .ok: "ok"
        case .warning: "WARNING"
        case .fault: "FAULT"
        }
    }
}
