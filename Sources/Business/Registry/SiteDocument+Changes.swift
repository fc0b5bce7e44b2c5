import Basics
import SiteModel

/// One kind of thing in a document, found by its slug.
private protocol Registered {
    var subject: Change.Subject { get }
    var slug: String { get }
    /// Everything about it but its slug: what it is called, and its value as text.
    var fields: [(name: String, value: String?)] { get }
}

extension SiteDocument {
    /// What leads from `old` to this document, in the order of the site's parts. `old` is `nil`
    /// if nothing was imported yet.
    package func changes(from old: SiteDocument?) -> [Change] {
        let site: [Change]
        if let old {
            site = [
                Self.compare(old.siteFields, siteFields).map { Change(.changed, .site, slug, $0) },
                Self.compare(old.policy.fields, policy.fields).map {
                    Change(.changed, .policy, slug, $0)
                },
            ].compactMap(\.self)
        } else {
            site = [Change(.added, .site, slug, Self.text(of: siteFields))]
        }
        let content = SiteCollection.content.flatMap { collection in
            func things(_ document: SiteDocument?) -> [ContentThing] {
                (document?.content[collection.name] ?? []).map {
                    ContentThing(collection: collection, row: $0)
                }
            }
            return Self.changes(from: things(old), to: things(self))
        }
        return site + Self.changes(from: old?.rooms ?? [], to: rooms) + content
            + Self.changes(from: old?.stations ?? [], to: stations)
            + Self.changes(from: old?.nodes ?? [], to: nodes)
            + Self.changes(from: old?.users ?? [], to: users)
            + Self.changes(from: old?.beacons ?? [], to: beacons)
    }

    private var siteFields: [(name: String, value: String?)] {
        [
            ("name", name.quoted), ("time zone", timeZone.quoted), ("demo", isDemo ? "yes" : "no"),
            ("day start", dayStart == .midnight ? nil : "\(dayStart)"),
            ("requires consent", privacy.requiresConsent ? "yes" : nil),
            ("attendance kept", privacy.attendanceDays.map { "\($0) days" }),
        ]
    }

    /// Additions and changes in the order of `new`, then what is retired in the order of `old`.
    private static func changes<Thing: Registered>(
        from old: [Thing], to new: [Thing]
    ) -> [Change] {
        let before = Dictionary(old.map { ($0.slug, $0) }) { first, _ in first }
        let after = Set(new.map(\.slug))
        let present = new.compactMap { thing -> Change? in
            guard let other = before[thing.slug] else {
                return Change(.added, thing.subject, thing.slug, text(of: thing.fields))
            }
            return compare(other.fields, thing.fields).map {
                Change(.changed, thing.subject, thing.slug, $0)
            }
        }
        return present
            + old.filter { !after.contains($0.slug) }.map {
                Change(.retired, $0.subject, $0.slug, "")
            }
    }

    private static func text(of fields: [(name: String, value: String?)]) -> String {
        fields.compactMap { field in field.value.map { "\(field.name) \($0)" } }
            .joined(separator: ", ")
    }

    /// What differs, or `nil`. Byte for byte: two ways to write “é” are two names.
    private static func compare(
        _ old: [(name: String, value: String?)], _ new: [(name: String, value: String?)]
    ) -> String? {
        let differences = zip(old, new).compactMap { old, new -> String? in
            guard old.value.map({ Array($0.utf8) }) != new.value.map({ Array($0.utf8) }) else {
                return nil
            }
            return "\(new.name) \(old.value ?? "none") → \(new.value ?? "none")"
        }
        return differences.isEmpty ? nil : differences.joined(separator: ", ")
    }
}

/// A row of content, compared member by member.
private struct ContentThing: Registered {
    let collection: SiteCollection
    let row: SiteTree

    var subject: Change.Subject { Change.Subject(rawValue: collection.one) }
    var slug: String { row["id"]?.string ?? "" }
    var fields: [(name: String, value: String?)] { collection.fields(of: row) }
}

extension SiteDocument.Room: Registered {
    package var subject: Change.Subject { .room }
    package var fields: [(name: String, value: String?)] {
        let corners = area.map { "\($0.low.x) \($0.low.y) to \($0.high.x) \($0.high.y) m" }
        return [("name", name.quoted), ("area", corners)]
    }
}

extension SiteDocument.Station: Registered {
    package var subject: Change.Subject { .station }
    package var fields: [(name: String, value: String?)] {
        [
            ("name", name.quoted), ("room", room), ("slots", "\(slots)"),
            ("x", x.map { "\($0) m" }), ("y", y.map { "\($0) m" }),
            ("kind", use.kind == .other ? nil : use.kind.rawValue),
            ("equipment", use.equipment?.quoted), ("location", use.location?.quoted),
            (
                "exercises",
                use.exercises.isEmpty ? nil : use.exercises.joined(separator: " ")
            ),
            ("starts by itself after", use.autoStart.map { "\($0) s" }),
            (
                "pauses by itself after",
                use.autoPause == SiteDocument.Station.Use.usualPause
                    ? nil : use.autoPause.map { "\($0) s" } ?? "no time"
            ),
            (
                "keeps an offer",
                use.claimGrace == SiteDocument.Station.Use.usualGrace ? nil : "\(use.claimGrace) s"
            ),
        ]
    }
}

extension SiteDocument.Node: Registered {
    package var subject: Change.Subject { .node }
    package var fields: [(name: String, value: String?)] {
        [
            ("name", name.quoted), ("room", room), ("station", station),
            ("x", x.map { "\($0) m" }), ("y", y.map { "\($0) m" }), ("carried by", carrier),
        ]
    }
}

extension SiteDocument.User: Registered {
    package var subject: Change.Subject { .user }
    package var fields: [(name: String, value: String?)] {
        [("name", name.quoted), ("consent", consent?.quoted)]
    }
}

extension SiteDocument.Beacon: Registered {
    package var subject: Change.Subject { .beacon }
    package var fields: [(name: String, value: String?)] {
        [
            ("title", title.quoted), ("identity", identity.text), ("user", user),
            ("until", until.map(SiteFileWriter.text)), ("room", room), ("station", station),
            ("threshold", threshold.map { "\($0.dBm) dBm" }),
        ]
    }
}

extension Policy {
    /// All of it: what is missing here could never be imported.
    package var fields: [(name: String, value: String?)] {
        let levels = [("site", site), ("room", room), ("station", station)]
        return levels.flatMap { level, timing in
            [
                ("\(level) enter", "\(timing.enter.seconds) s"),
                ("\(level) lost", "\(timing.lost.seconds) s"),
                ("\(level) leave", "\(timing.leave.seconds) s"),
            ]
        } + [
            ("station floor", "\(stationFloor.dBm) dBm"), ("site floor", "\(siteFloor.dBm) dBm"),
            ("publishes unregistered", publishesUnregistered ? "yes" : "no"),
            ("allows", allowed.map { $0.map(\.text).joined(separator: " ") }),
            ("practice of nodes", practice?.words),
            ("locating", locating?.words), ("attendance", attendance?.words),
            ("doubts", doubts?.words),
        ]
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
            + (bursts ? ["bursts"] : [])).joined(separator: ", ")
    }
}
