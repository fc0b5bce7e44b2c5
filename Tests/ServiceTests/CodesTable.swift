@testable import SiteModel
@testable import WebServer

/// Every code of a refusal, as `docs/codes.md` shows them: made from the list that is used.
enum CodesTable {
    static var text: String {
        var lines = [
            "# Codes", "",
            "Whoever is refused is told a code of this list: `code` of a problem document over HTTP, "
                + "`error.code` of an answer on MQTT, the first word of",
            "what a verb says, with its exit code. Made from `Sources/Core/SiteModel/Rows/ProblemCode.swift`; "
                + "a test compares. Codes are never renamed.",
            "Verbs end with 69, too, where nobody answers, with 78 for faults of the configuration and for files "
                + "and directories that are named and are not there or",
            "something else, and with 73 where none can be written. What `beaconmesh doctor` finds has names of "
                + "its own: [troubleshooting.md](troubleshooting.md).",
            "",
            "| code | HTTP | exit code | meaning |", "| --- | --- | --- | --- |",
        ]
        for code in ProblemCode.allCases {
            lines.append(
                "| `\(code.rawValue)` | \(code.status) | \(code.exitCode) | \(code.meaning) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
