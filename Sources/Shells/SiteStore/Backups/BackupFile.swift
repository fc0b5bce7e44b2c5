import Foundation
import SiteModel

/// A proven backup of a site's database, by its name: `gym-20261122T130000Z.sqlite` for
/// `gym.sqlite` at 13:00 UTC, `gym-20261122T130000Z-schema12.sqlite` for one that was made because
/// a newer release was about to bring schema 12 up to date.
package struct BackupFile: Hashable, Sendable {
    /// The database's name without its extension.
    package let stem: String
    /// When it was begun, in whole seconds.
    package let at: Timestamp
    /// The schema it was made to keep, or `nil` for an ordinary one.
    package let schema: Int?

    /// A name. Fractions of a second are dropped.
    package init(stem: String, at: Timestamp, schema: Int? = nil) {
        self.stem = stem
        self.at = Timestamp(milliseconds: at.milliseconds.floored(to: 1000))
        self.schema = schema
    }

    /// Reads what `name` writes, or `nil` of any other name.
    package init?(_ name: String, stem: String) {
        guard name.hasPrefix(stem + "-"), name.hasSuffix(Self.ending) else { return nil }
        let parts = name.dropFirst(stem.count + 1).dropLast(Self.ending.count)
            .split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let date = try? Self.style.parse(String(parts[0])) else { return nil }
        let schema = parts.count == 2 ? Int(parts[1].dropFirst("schema".count)) : nil
        let at = Timestamp(milliseconds: Int64(date.timeIntervalSince1970) * 1000)
        self.init(stem: stem, at: at, schema: schema)
        // Whatever else was in it, it was not ours.
        guard self.name == name else { return nil }
    }

    /// Its name, without the folder.
    package var name: String {
        let kind = schema.map { "-schema\($0)" } ?? ""
        return "\(stem)-\(Self.text(of: at))\(kind)\(Self.ending)"
    }

    /// A moment as names of files carry it: `20261122T130000Z`.
    package static func text(of moment: Timestamp) -> String {
        Date(timeIntervalSince1970: Double(moment.milliseconds / 1000)).formatted(style)
    }

    package static let ending = ".sqlite"
    private static let style = Date.ISO8601FormatStyle(
        dateSeparator: .omitted, timeSeparator: .omitted)
}

extension Int64 {
    /// The greatest multiple of `size` that is not above it.
    func floored(to size: Int64) -> Int64 {
        let rest = self % size
        return self - (rest < 0 ? rest + size : rest)
    }
}
