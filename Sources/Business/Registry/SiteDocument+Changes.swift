import Basics
import Operations
import SiteModel

extension SiteDocument {
    /// What leads from `old` to this document, without their rows. `old` is `nil` if nothing was imported yet.
    func changes(from old: SiteDocument?) -> [Change] {
        let site: [Change]
        if let old {
            site = [
                Field.compare(old.siteFields, siteFields).map { Change(.changed, .site, slug, $0) },
                Field.compare(old.policy.fields, policy.fields).map {
                    Change(.changed, .policy, slug, $0)
                },
            ].compactMap(\.self)
        } else {
            site = [Change(.added, .site, slug, Field.text(of: siteFields))]
        }
        return site
    }

    private var siteFields: [Field] {
        [
            ("name", name.quoted), ("time zone", timeZone.quoted), ("demo", isDemo ? "yes" : "no"),
            ("day start", dayStart == .midnight ? nil : "\(dayStart)"),
            ("requires consent", privacy.requiresConsent ? "yes" : nil),
            ("attendance kept", privacy.attendanceDays.map { "\($0) days" }),
            ("names on the wall", privacy.wallNames == .none ? nil : privacy.wallNames.rawValue),
            ("pages for visitors", shown.visitors ? "yes" : nil),
            ("source of cards", shown.source?.quoted), ("group of the source", shown.group),
            ("source in our own network", shown.isPrivate ? "yes" : nil),
        ].map(Field.init)
    }
}

/// Something of a row, of the site or of its policy, by its name and its value as text.
package struct Field {
    let name: String
    let value: String?

    init(_ name: String, _ value: String?) {
        self.name = name
        self.value = value
    }

    static func text(of fields: [Field]) -> String {
        fields.compactMap { field in field.value.map { "\(field.name) \($0)" } }
            .joined(separator: ", ")
    }

    /// What differs, or `nil`. Byte for byte: two ways to write “é” are two names.
    static func compare(_ old: [Field], _ new: [Field]) -> String? {
        let differences = zip(old, new).compactMap { old, new -> String? in
            guard old.value.map({ Array($0.utf8) }) != new.value.map({ Array($0.utf8) }) else {
                return nil
            }
            return "\(new.name) \(old.value ?? "none") → \(new.value ?? "none")"
        }
        return differences.isEmpty ? nil : differences.joined(separator: ", ")
    }
}

extension SiteCollection {
    /// Additions and changes in the order of `new`, then what is retired in the order of `old`.
    func changes(from old: [SiteTree], to new: [SiteTree]) -> [RowChange] {
        func slug(_ row: SiteTree) -> String { row["id"]?.string ?? "" }
        let before = Dictionary(old.map { (slug($0), $0) }) { first, _ in first }
        let after = Set(new.map(slug))
        return new.compactMap { row in
            let other = before[slug(row)]
            return other == row ? nil : RowChange(self, before: other, after: row)
        }
            + old.filter { !after.contains(slug($0)) }.map {
                RowChange(self, before: $0, after: nil)
            }
    }

    /// What there is to say of a new row: what is as usual is left out.
    func words(ofNew row: SiteTree) -> String {
        Field.text(of: fields(of: row) { $0 != self.presets[$1] })
    }

    /// What differs of two rows, or `nil`.
    func difference(from old: SiteTree, to new: SiteTree) -> String? {
        Field.compare(fields(of: old), fields(of: new))
    }

    /// The members of a row but its slug, as the file names them: those that `isSaid` of value and name.
    private func fields(
        of row: SiteTree, where isSaid: (SiteTree, String) -> Bool = { _, _ in true }
    ) -> [Field] {
        members.dropFirst().map { member in
            guard let value = row[member.name], value != .null, isSaid(value, member.name) else {
                return Field(member.name, nil)
            }
            switch (member.kind, value) {
            case (.word, .text(let word)), (.reference, .text(let word)):
                return Field(member.name, word)
            case (_, .text(let text)): return Field(member.name, text.quoted)
            case (_, let value): return Field(member.name, value.json)
            }
        }
    }
}

extension Policy {
    /// All of it: what is missing here could never be imported.
    package var fields: [Field] {
        let levels = [("site", site), ("room", room), ("station", station)]
        let fields: [(String, String?)] =
            levels.flatMap { level, timing in
                [
                    ("\(level) enter", "\(timing.enter.seconds) s"),
                    ("\(level) lost", "\(timing.lost.seconds) s"),
                    ("\(level) leave", "\(timing.leave.seconds) s"),
                ]
            } + [
                ("station floor", "\(stationFloor.dBm) dBm"),
                ("site floor", "\(siteFloor.dBm) dBm"),
                ("publishes unregistered", publishesUnregistered ? "yes" : "no"),
                ("publishes them until", unregisteredUntil.map { "\($0.milliseconds) ms" }),
                ("allows", allowed.map { $0.map(\.text).joined(separator: " ") }),
                ("practice of nodes", practice?.words),
                ("locating", locating?.words), ("attendance", attendance?.words),
                ("doubts", doubts?.words),
            ]
        return fields.map(Field.init)
    }
}

extension AttendancePolicy {
    fileprivate var words: String {
        "absences up to \(mergeGap.seconds) s are none, up to \(longestBreak.seconds) s breaks; "
            + "a session lasts \(longestOpen.seconds) s at most"
    }
}

extension DoubtPolicy {
    fileprivate var words: String {
        let silent = off.isEmpty ? "all" : "all but \(off.map(\.rawValue).joined(separator: ", "))"
        return silent + (inactiveAfter.map { ", inactive after \($0.seconds) s" } ?? "")
    }
}

extension LocatingPolicy {
    fileprivate var words: String {
        "by \(method.rawValue), quickness \(quickness)"
            + (shadow.map { ", beside it \($0.rawValue)" } ?? "")
    }
}

extension NodePractice {
    fileprivate var words: String {
        let ranges = [("ranging", rangingRange), ("sparse", sparseRange)]
        return
            (["profile \(profile.rawValue)"]
            + ranges.compactMap { name, range in range.map { "\(name) up to \($0) m" } }
            + (bursts ? ["bursts"] : [])
            + (sparseHours.map { ["sparse \($0.text)"] } ?? [])
            + (detects ? ["detects"] : [])).joined(separator: ", ")
    }
}
