import Foundation
import Positioning
import Registry
import SiteModel
import Platform
import SurveyFiles

/// Reads recordings and fingerprints that name our nodes and places, as if somebody had walked there.
package struct LabelledFiles {
    /// How files call nodes and places, where that is not their slug.
    package let aliases: [String: String]
    private let site: CalibrationSite

    /// `aliases`: `FILE-NAME=SLUG` each. Throws an `Exit` for anything else.
    package init(aliases texts: [String], at site: CalibrationSite) throws {
        var aliases: [String: String] = [:]
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw Exit(code: 64, text: "--name: expected NAME=SLUG, got “\(text)”")
            }
            aliases[parts[0]] = parts[1]
        }
        self.aliases = aliases
        self.site = site
    }

    /// The legs of a file, each a walk of its own, and what is to be told. Throws an `Exit` if the file
    /// cannot be read, or names neither node nor place of the site.
    package func legs(of path: String) throws -> (legs: [SurveyLeg], warnings: [String]) {
        let nodes = site.plan.nodes.filter { !$0.isMobile }
        var names: [String: String] = [:]
        for (alias, slug) in aliases { names[slug] = alias }
        let zones = site.places.map { place in
            let text = site.text(place)
            return RecordedSite.Zone(id: names[text] ?? text, area: nil)
        }
        var recorded = RecordedSite(
            name: site.names.site,
            receivers: nodes.map { node in
                let slug = site.names.nodes.slug(node.id)
                return RecordedSite.Receiver(id: names[slug] ?? slug, zone: nil, position: nil)
            }, zones: zones, sequences: [], strangeNeighbours: [])
        var reader = SurveyReader(site: recorded)
        try reader.read(path, at: &recorded)
        let survey = reader.survey()
        let ears = Dictionary(
            uniqueKeysWithValues: nodes.enumerated().map {
                (RecordedSite.ear(of: $0.offset), Ear.node($0.element.id))
            })
        let file = URL(fileURLWithPath: path).lastPathComponent
        var strange: [String: Int] = [:]
        let legs = survey.stretches.compactMap { stretch -> SurveyLeg? in
            guard let zone = stretch.first.flatMap({ recorded.zone(of: $0.place) }) else {
                return nil
            }
            guard site.places.indices.contains(zone) else {
                strange[recorded.zones[zone].id, default: 0] += stretch.count
                return nil
            }
            let place = site.places[zone]
            return SurveyLeg(
                place: place, source: .file, carrier: file,
                ears: survey.ears.compactMap { ears[$0] }.sorted(),
                seconds: stretch.prefix(ModelTable.surveySecondsKept).map { second in
                    Survey.Second(
                        place: place, at: second.at,
                        heard: second.heard.compactMap { heard in
                            ears[heard.ear].map { Survey.Heard(ear: $0, level: heard.level) }
                        }.sorted { $0.ear < $1.ear })
                })
        }
        guard !legs.isEmpty, !survey.ears.isEmpty else {
            throw Exit(
                code: 78,
                text: """
                    \(path): nothing in it has a node and a place of the site; map names with \
                    --name NAME=SLUG
                    """)
        }
        // Zones that are not ours are told once each, with their seconds, not as added.
        let own = reader.warnings.filter { !$0.hasSuffix("it is added") }
        let others = strange.sorted { $0.key < $1.key }.map {
            "\(path): \($0.value) s at “\($0.key)” are left out: the site has no such place"
        }
        return (legs, own + others)
    }
}
