import Foundation
import SiteModel

/// The device types and rules that come with the program.
///
/// Numbers of companies, services and appearances are those that the Bluetooth SIG assigns (bluetooth.com, Assigned Numbers), as
/// of 2024-08-14 (its public repository, as `bluetooth-numbers` 1.1.2 on PyPI has it). Names of cameras are what people who look for them report; they disagree, so
/// that a rule of a name alone is not sure.
package enum StarterDevices {
    /// The rules in the form that `beaconmesh decode` and `scan` take.
    package static var json: [UInt8] { PackageResources.devices_json }

    private struct File: Decodable {
        struct Rule: Decodable {
            var id: String
            var `class`: String
            var confidence: Double
            var company: Int?
            var data_prefix: String?
            var service_uuid: String?
            var name_prefix: String?
            var name_contains: String?
            var appearance_category: Int?
        }

        var rules: [Rule]
    }

    /// What a picture of each class shows, and its colour.
    private static let looks: [(name: String, icon: String, colour: String)] = [
        ("licence-plate camera", "camera", "#b3261e"), ("camera", "camera", "#b3261e"),
        ("tracker", "tracker", "#b34700"), ("drone", "drone", "#b34700"),
        ("lock", "lock", "#8a5a00"),
        ("tag", "tag", "#8a5a00"), ("beacon", "beacon", "#8a5a00"), ("phone", "phone", "#1f5fa8"),
        ("phone or computer", "phone", "#1f5fa8"), ("computer", "computer", "#1f5fa8"),
        ("display", "tv", "#1f5fa8"), ("keyboard or mouse", "computer", "#1f5fa8"),
        ("earphones", "headphones", "#6a3fa0"), ("watch", "watch", "#2e7d32"),
        ("wristband", "watch", "#2e7d32"), ("heart-rate monitor", "fitness", "#2e7d32"),
        ("pulse oximeter", "fitness", "#2e7d32"), ("foot pod", "fitness", "#2e7d32"),
        ("bicycle sensor", "fitness", "#2e7d32"), ("fitness machine", "fitness", "#2e7d32"),
        ("scale", "fitness", "#2e7d32"), ("blood-pressure monitor", "fitness", "#2e7d32"),
        ("glucose meter", "fitness", "#2e7d32"), ("thermometer", "sensor", "#00695c"),
        ("sensor", "sensor", "#00695c"), ("smart-home device", "light", "#00695c"),
    ]

    /// The types, as rows.
    package static let types: [SiteTree] = looks.map { look in
        .section(
            [
                ("id", .text(slug(look.name))), ("name", .text(title(look.name))),
                ("icon", .text(look.icon)), ("colour", .text(look.colour)),
            ] + (look.name == tracker ? [("notify", .list([.text("beside")]))] : []))
    }

    /// Of these whoever has one beside them on three days is told.
    private static let tracker = "tracker"

    /// The rules, as rows.
    package static let rules: [SiteTree] = {
        guard let file = try? JSONDecoder().decode(File.self, from: Data(json)) else { return [] }
        return file.rules.map { rule in
            var row: [(key: String, value: SiteTree)] = [
                ("id", .text(rule.id)), ("name", .text(title(rule.id.replacing("-", with: " ")))),
                ("type", .text(slug(rule.class))), ("confidence", .number(rule.confidence)),
            ]
            func text(_ key: String, _ value: String?) {
                if let value { row.append((key, .text(value))) }
            }
            text("company", rule.company.map { String(format: "0x%04x", $0) })
            text("company_data", rule.data_prefix)
            text("name_prefix", rule.name_prefix)
            text("name_contains", rule.name_contains)
            text("service", rule.service_uuid)
            if let category = rule.appearance_category {
                row.append(("appearance", .scalar("\(category)")))
            }
            return .section(row)
        }
    }()

    private static func slug(_ name: String) -> String { name.replacing(" ", with: "-") }

    private static func title(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst()
    }
}
