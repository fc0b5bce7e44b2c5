import Foundation
import Settings
import SiteModel
import SiteStore
import Registry

/// Reads a site from YAML, as `beaconmesh import` takes it: everything is checked here, references
/// included, so that each fault has its line.
package struct SiteFile: Equatable, Sendable {
    package let document: SiteDocument

    /// Reads a YAML file. Throws every fault at once. The environment has no say in a site.
    package init(reading file: String) throws(SettingsError) {
        var settings = try SettingsReader(file: file, environment: [:])
        document = try Self.document(&settings)
    }

    /// Reads `text` as if it were the file called `name`.
    ///
    /// - Throws: A `SettingsError` with every fault and its line: print it and exit with 78.
    package init(text: String, named name: String) throws(SettingsError) {
        var settings = try SettingsReader(text: text, named: name)
        document = try Self.document(&settings)
    }

    /// The slug of a site at the key `id`. `core` is taken: coordinators speak under it.
    static func siteSlug(_ site: inout SettingsReader) -> String {
        let slug = site.slug("id")
        if slug == "core" { site.refuse("id", "\"core\" cannot be a site, topics use it") }
        return slug
    }

    private static func document(
        _ settings: inout SettingsReader
    ) throws(SettingsError) -> SiteDocument {
        let site = settings.section("site") { Head(&$0) }
        // What is referred to is read before what refers to it, whatever the order of the file.
        var places = SitePlaces()
        let rooms = settings.list("rooms", count: 1...256) { places.room(&$0) }
        let stations = settings.list("stations", count: 0...1024) { places.station(&$0) }
        var people = SitePeople()
        let users = settings.list("users", count: 0...10_000) { people.user(&$0) }
        let nodes = settings.list("nodes", count: 0...256) {
            places.node(&$0, users: people.users)
        }
        let beacons = settings.list("beacons", count: 0...4096) { people.beacon(&$0, at: places) }
        let document = SiteDocument(
            slug: site.slug, name: site.name, timeZone: site.timeZone, isDemo: site.isDemo,
            rooms: rooms,
            stations: stations, nodes: nodes, users: users, beacons: beacons.compactMap(\.self),
            policy: Policy(&settings), privacy: privacy(&settings), dayStart: site.dayStart)
        try settings.finish()
        return document
    }

    /// The section `privacy`.
    private static func privacy(_ settings: inout SettingsReader) -> PrivacyPolicy {
        settings.sectionIfPresent("privacy") { privacy in
            PrivacyPolicy(
                requiresConsent: privacy.bool("requires_consent", default: false),
                attendanceDays: privacy.intIfPresent(
                    "attendance_days", in: PrivacyPolicy.possibleDays))
        } ?? PrivacyPolicy()
    }

    /// The section `site`.
    private struct Head {
        var slug: String
        var name: String
        var timeZone: String
        var isDemo: Bool
        var dayStart: SiteModel.LocalTime

        init(_ site: inout SettingsReader) {
            slug = siteSlug(&site)
            name = site.name(default: slug)
            timeZone = site.string("time_zone", default: "UTC")
            if !timeZone.isEmpty, TimeZone(identifier: timeZone) == nil {
                site.refuse("time_zone", "no such time zone, expected one like Europe/Berlin")
            }
            isDemo = site.bool("demo", default: false)
            let start = site.string("day_start", default: "00:00")
            // To the minute: that is how it is stored.
            dayStart = SiteModel.LocalTime(start.utf8.count == 5 ? start : "") ?? .midnight
            if !start.isEmpty, dayStart.description != start {
                site.refuse("day_start", "no time of day, expected one like 04:00")
            }
        }
    }
}

extension SettingsReader {
    /// What people call a thing; its slug if nothing else is said.
    package mutating func name(_ key: String = "name", default slug: String) -> String {
        string(key, default: slug, length: 120)
    }

    /// A slug at the key `id` that `seen` does not hold yet.
    mutating func newSlug(_ seen: inout Set<String>) -> String {
        let slug = slug("id")
        if !slug.isEmpty, !seen.insert(slug).inserted { refuse("id", "\"\(slug)\" is given twice") }
        return slug
    }

    /// A slug at `key` that must be one of `known`.
    package mutating func reference(_ key: String, to known: Set<String>, _ kind: String) -> String?
    {
        guard let slug = slugIfPresent(key) else { return nil }
        if !slug.isEmpty, !known.contains(slug) {
            refuse(key, "there is no \(kind) \"\(slug)\"")
        }
        return slug
    }
}
