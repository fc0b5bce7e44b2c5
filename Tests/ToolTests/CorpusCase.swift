import Foundation
import Testing

/// One line of the shared vectors, with what is expected of the answer.
struct CorpusCase: CustomTestStringConvertible, Sendable {
    static let file = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "../../../shared/vectors/corpus.jsonl")
    static let isPresent = FileManager.default.isReadableFile(atPath: file.path)
    static let all: [CorpusCase] = {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").map { CorpusCase(line: String($0)) }
    }()

    var line: String

    var testDescription: String { object(line)["id"] as? String ?? line }

    /// The bytes of the case, piece by piece.
    var pieces: [String] {
        let hex = object(line)["hex"]
        return hex as? [String] ?? [hex as? String ?? ""]
    }

    /// Says where an answer differs from what is expected, as shared/tools/score_vectors.py does.
    func differences(from answer: String) -> [String] {
        let expected = object(line)["expect"] as? [String: Any] ?? [:]
        let got = object(answer)
        var different: [String] = []
        let status = got["status"] as? String ?? "none"
        if !(expected["status"] as? [String] ?? []).contains(status) {
            different.append("status \(status)")
        }
        let errors = got["errors"] as? [String] ?? []
        switch expected["errors"] as? String {
        case "none" where !errors.isEmpty, "some" where errors.isEmpty:
            different.append("errors \(errors)")
        default: break
        }
        let reports = got["reports"] as? [[String: Any]] ?? []
        if let count = expected["report_count"] as? Int, reports.count != count {
            different.append("\(reports.count) reports")
        }
        if let most = expected["max_reports"] as? Int, reports.count > most {
            different.append("\(reports.count) reports")
        }
        for (index, report) in (expected["reports"] as? [Any] ?? []).enumerated() {
            let got: Any? = index < reports.count ? reports[index] : nil
            different += Self.differences(report, got, "reports.\(index)")
        }
        for (index, report) in (expected["contains"] as? [Any] ?? []).enumerated() {
            let found = reports.contains { Self.differences(report, $0, "").isEmpty }
            if !found { different.append("contains.\(index)") }
        }
        if let last = expected["last_report"] {
            different += Self.differences(last, reports.last, "last_report")
        }
        return different
    }

    private static func differences(_ expected: Any, _ got: Any?, _ path: String) -> [String] {
        if path.hasSuffix(".name_kind") || (path.contains(".objects") && path.hasSuffix(".name")) {
            return []  // Advisory.
        }
        switch expected {
        case let expected as [String: Any]:
            let got = got as? [String: Any] ?? [:]
            return expected.keys.sorted().flatMap { key in
                let value = expected[key] ?? NSNull()
                guard key == "ad_prefix", let prefix = value as? [Any] else {
                    return differences(value, got[key], "\(path).\(key)")
                }
                let head = (got["ad"] as? [Any] ?? []).prefix(prefix.count)
                return differences(prefix, Array(head), "\(path).ad_prefix")
            }
        case let expected as [Any]:
            if path.hasSuffix(".service_uuids") {
                let sets = [expected, got as? [Any] ?? []].map { Set($0.map { "\($0)" }) }
                return sets[0] == sets[1] ? [] : [path]
            }
            let got = got as? [Any] ?? []
            guard got.count == expected.count else { return ["\(path): \(got.count) elements"] }
            return zip(expected, got).enumerated().flatMap { index, pair in
                differences(pair.0, pair.1, "\(path).\(index)")
            }
        case is NSNull:
            return got == nil || got is NSNull ? [] : ["\(path): \(got ?? "")"]
        case let expected as NSNumber:
            guard let number = got as? NSNumber else { return ["\(path): \(got ?? "nothing")"] }
            let (wanted, found) = (expected.doubleValue, number.doubleValue)
            let isNear = abs(wanted - found) <= max(0.001, 1e-6 * abs(wanted))
            return isNear ? [] : ["\(path): \(found), not \(wanted)"]
        default:
            let isSame = (got as? String) == (expected as? String)
            return isSame ? [] : ["\(path): \(got ?? "nothing"), not \(expected)"]
        }
    }

    private func object(_ text: String) -> [String: Any] { Self.object(text) }

    /// A JSON object, or an empty one.
    static func object(_ text: String) -> [String: Any] {
        let json = try? JSONSerialization.jsonObject(with: Data(text.utf8))
        return json as? [String: Any] ?? [:]
    }
}
