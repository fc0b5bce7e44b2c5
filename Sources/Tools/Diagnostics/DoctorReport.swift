import Basics
import Wire

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
