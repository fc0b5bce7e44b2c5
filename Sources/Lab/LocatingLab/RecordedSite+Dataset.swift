import Foundation
import Platform
import SiteModel
import SurveyFiles

extension RecordedSite {
    /// Reads `dataset.json`. Unknown keys are ignored; a fault is an `Exit` with code 78 that names
    /// the file and the key.
    package init(path: String) throws {
        let text: Data
        do {
            text = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw Exit(code: 78, text: "cannot read \(path): \(error.localizedDescription)")
        }
        do {
            try self.init(
                JSONDecoder().decode(Description.self, from: text),
                fallback: URL(fileURLWithPath: path).deletingLastPathComponent().lastPathComponent)
        } catch let error as DecodingError {
            throw Exit(code: 78, text: "\(path): \(Self.words(error))")
        } catch let fault as Fault {
            throw Exit(code: 78, text: "\(path): \(fault.words)")
        }
    }

    /// Where anything can be, in metres from the site's origin.
    private static let metres = -1e6...1e6

    private struct Fault: Error {
        var words: String
    }

    private struct Description: Decodable {
        struct Receiver: Decodable {
            var id: Name
            var zone: Name?
            var x: Double?
            var y: Double?
        }

        struct Zone: Decodable {
            var id: Name
            var rect: [Double]?

            init(from decoder: any Decoder) throws {
                if let name = try? decoder.singleValueContainer().decode(Name.self) {
                    id = name
                    return
                }
                let container = try decoder.container(keyedBy: CodingKeys.self)
                id = try container.decode(Name.self, forKey: .id)
                rect = try container.decodeIfPresent([Double].self, forKey: .rect)
            }

            private enum CodingKeys: String, CodingKey {
                case id, rect
            }
        }

        struct Sequence: Decodable {
            var id: Name
            var role: String?
        }

        var name: String?
        var receivers: [Receiver]?
        var zones: [Zone]?
        var sequences: [Sequence]?
        var adjacency: [[Name]]?
    }

    /// A name, which some files write as a number.
    private struct Name: Decodable {
        var text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                text = String(number)
            } else {
                text = try container.decode(String.self).trimmingCharacters(in: .whitespaces)
            }
        }
    }

    private init(_ description: Description, fallback: String) throws {
        guard let listed = description.receivers, !listed.isEmpty else {
            throw Fault(words: "receivers: there must be at least one")
        }
        var zones: [Zone] = []
        for (index, zone) in (description.zones ?? []).enumerated() {
            let key = "zones[\(index)]"
            guard !zone.id.text.isEmpty else { throw Fault(words: "\(key).id: empty") }
            guard !zones.contains(where: { $0.id == zone.id.text }) else {
                throw Fault(words: "\(key).id: \(zone.id.text) is there twice")
            }
            zones.append(Zone(id: zone.id.text, area: try Self.area(zone.rect, key: key)))
        }
        var receivers: [Receiver] = []
        for (index, receiver) in listed.enumerated() {
            let key = "receivers[\(index)]"
            guard !receiver.id.text.isEmpty else { throw Fault(words: "\(key).id: empty") }
            guard !receivers.contains(where: { $0.id == receiver.id.text }) else {
                throw Fault(words: "\(key).id: \(receiver.id.text) is there twice")
            }
            var zone: Int?
            if let name = receiver.zone?.text, !name.isEmpty {
                zone = zones.firstIndex { $0.id == name }
                if zone == nil {
                    zones.append(Zone(id: name, area: nil))
                    zone = zones.count - 1
                }
            }
            var position: Position?
            if let x = receiver.x, let y = receiver.y {
                guard [x, y].allSatisfy(Self.metres.contains) else {
                    throw Fault(words: "\(key): x and y are no metres of a building")
                }
                position = Position(x: x, y: y)
            }
            receivers.append(Receiver(id: receiver.id.text, zone: zone, position: position))
        }
        var strange: [String] = []
        for name in (description.adjacency ?? []).joined().map(\.text)
        where !strange.contains(name) && !zones.contains(where: { $0.id == name }) {
            strange.append(name)
        }
        self.init(
            name: description.name ?? fallback, receivers: receivers, zones: zones,
            sequences: (description.sequences ?? []).map {
                Sequence(id: $0.id.text, role: $0.role)
            }, strangeNeighbours: strange)
    }

    private static func area(_ rect: [Double]?, key: String) throws -> Area? {
        guard let rect else { return nil }
        guard rect.count == 4 else {
            throw Fault(words: "\(key).rect: \(rect.count) numbers instead of 4")
        }
        guard rect.allSatisfy(metres.contains) else {
            throw Fault(words: "\(key).rect: no metres of a building")
        }
        return Area(
            low: Position(x: min(rect[0], rect[2]), y: min(rect[1], rect[3])),
            high: Position(x: max(rect[0], rect[2]), y: max(rect[1], rect[3])))
    }

    private static func words(_ error: DecodingError) -> String {
        let context: DecodingError.Context
        switch error {
        case .typeMismatch(_, let told), .valueNotFound(_, let told), .dataCorrupted(let told):
            context = told
        case .keyNotFound(let key, let told):
            return "\(path(told.codingPath + [key])): missing"
        @unknown default: return "\(error)"
        }
        guard !context.codingPath.isEmpty else { return "no JSON: \(context.debugDescription)" }
        return "\(path(context.codingPath)): \(context.debugDescription)"
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += (path.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }
}
