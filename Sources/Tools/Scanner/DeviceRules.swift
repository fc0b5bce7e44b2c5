import BeaconDecoding
import Foundation
import Platform
import Wire

/// The rules that tell what sort of device sends: data, in the form that `beaconmesh decode` takes.
package enum DeviceRules {
    /// The largest file, in bytes.
    private static let limit = 1 << 20

    /// The rules that come with the program. A rule says what is likely, and how sure that is.
    ///
    /// - Throws: An `Exit` with 65: a bug in the rules that are built in.
    package static func starter() throws -> [DeviceRule] {
        try read(PackageResources.devices_json, named: "devices.json")
    }

    /// - Throws: An `Exit` with 66 if the file cannot be read, with 65 if a rule cannot be
    ///   understood.
    package static func read(file: String) throws -> [DeviceRule] {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw Exit(code: 66, text: "\(file): cannot be read")
        }
        return try read(Array(data), named: file)
    }

    /// Reads `{"rules": [{"id", "class", "confidence", condition…}…]}`. A rule that cannot be
    /// understood is a fault here: it would silently never hold.
    ///
    /// - Throws: An `Exit` with 65 that names the file and how many rules cannot be understood.
    package static func read(_ json: [UInt8], named name: String) throws -> [DeviceRule] {
        let wanted: (rules: [DeviceRule], count: Int)
        do {
            wanted = try rules(in: json.span)
        } catch {
            throw Exit(code: 65, text: "\(name): \(error)")
        }
        guard wanted.rules.count == wanted.count else {
            throw Exit(
                code: 65,
                text: """
                    \(name): \(wanted.count - wanted.rules.count) of \(wanted.count) rules cannot \
                    be understood; each needs id, class, confidence and a condition
                    """)
        }
        return wanted.rules
    }

    private static func rules(
        in json: Span<UInt8>
    ) throws(PayloadError) -> (rules: [DeviceRule], count: Int) {
        let object = try JSONObject(document: json, limit: limit)
        let count = try object.required("rules", json).list(json) {
            (entry, json) throws(PayloadError) -> Bool in try entry.kind(json) == .object
        }.count
        let rules = try DecodeContext(object, json).rules ?? []
        return (rules.filter { !$0.conditions.isEmpty }, count)
    }
}
