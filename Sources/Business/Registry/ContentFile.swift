import Basics
import JSON
import SiteModel

/// A list of what is shown of beacons, by their minor, as museums and campuses keep it on a web server:
///
///     {"data": {"beacons": {"456": {"title": …, "subtitle": …, "description": …, "image": …, "url": …}}}}
///
/// The beacons may stand at `data.beacons`, at `beacons`, or at the top.
package struct ContentFile: Sendable {
    /// What is shown of the beacons of a minor.
    package struct Entry: Equatable, Sendable {
        package var minor: UInt16
        package var title: String
        package var subtitle: String?
        package var text: String?
        package var picture: String?
        package var link: String?

        package init(
            minor: UInt16, title: String, subtitle: String? = nil, text: String? = nil,
            picture: String? = nil, link: String? = nil
        ) {
            self.minor = minor
            self.title = title
            self.subtitle = subtitle
            self.text = text
            self.picture = picture
            self.link = link
        }
    }

    /// Why it is none, with the minor where it is one beacon's.
    package struct Fault: Error, Equatable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// The largest, in bytes.
    package static let largest = 4 << 20
    /// The most beacons of one.
    package static let most = 4096
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// By minor.
    package let entries: [Entry]
    /// What of it is not shown, in words.
    package let notes: [String]
    /// The file without its beacons; they stand at `place` in it.
    private let frame: SiteTree
    private let place: [String]

    package init(_ bytes: [UInt8]) throws(Fault) {
        let json =
            bytes.starts(with: Self.byteOrderMark)
            ? Array(bytes.dropFirst(Self.byteOrderMark.count)) : bytes
        var reading = Reading()
        do throws(PayloadError) {
            let json = json.span
            let root = try JSONObject(document: json, limit: Self.largest, atMost: Self.most + 64)
            (place, frame) = try reading.read(root, json)
        } catch {
            throw Fault(description: "no list of beacons: \(error.words)")
        }
        guard reading.faults.isEmpty else {
            throw Fault(description: reading.faults.prefix(8).joined(separator: "; "))
        }
        guard reading.entries.count <= Self.most else {
            throw Fault(description: "more than \(Self.most) beacons")
        }
        entries = reading.entries.sorted { $0.minor < $1.minor }
        notes = reading.notes
    }

    /// One that has nothing around its beacons.
    package init(_ entries: [Entry]) {
        self.entries = entries.sorted { $0.minor < $1.minor }
        notes = []
        (place, frame) = (["data", "beacons"], .section([]))
    }

    /// The same with other beacons.
    private init(_ file: ContentFile, _ entries: [Entry]) {
        self.entries = entries.sorted { $0.minor < $1.minor }
        notes = []
        (place, frame) = (file.place, file.frame)
    }

    package func with(_ entries: [Entry]) -> ContentFile { ContentFile(self, entries) }

    /// The file, two spaces a level.
    package var text: String {
        let beacons = SiteTree.section(
            entries.map { entry in
                let members: [(key: String, value: String?)] = [
                    ("title", entry.title), ("subtitle", entry.subtitle),
                    ("description", entry.text), ("image", entry.picture), ("url", entry.link),
                ]
                return (
                    "\(entry.minor)",
                    .section(members.compactMap { key, text in text.map { (key, .text($0)) } })
                )
            })
        return Self.pretty(Self.put(beacons, at: place[...], in: frame), "") + "\n"
    }

    private static func put(
        _ tree: SiteTree, at place: ArraySlice<String>, in frame: SiteTree
    ) -> SiteTree {
        guard let key = place.first else { return tree }
        var frame = frame
        frame.set(key, put(tree, at: place.dropFirst(), in: frame[key] ?? .section([])))
        return frame
    }

    private static func pretty(_ tree: SiteTree, _ indent: String) -> String {
        let inner = indent + "  "
        switch tree {
        case .section(let members) where !members.isEmpty:
            let lines = members.map { key, value in
                "\(inner)\(JSONEscape.string(key)): \(pretty(value, inner))"
            }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
        case .list(let items) where !items.isEmpty:
            return
                "[\n\(items.map { inner + pretty($0, inner) }.joined(separator: ",\n"))\n\(indent)]"
        case .text(let text): return JSONEscape.string(text)
        default: return tree.json
        }
    }

    /// What is read of the beacons.
    private struct Reading {
        private static let members = ["title", "subtitle", "description", "image", "url"]

        var entries: [Entry] = []
        var faults: [String] = []
        private var unknown: Set<String> = []
        private var pictures = 0

        var notes: [String] {
            var notes: [String] = []
            if !unknown.isEmpty {
                let names = unknown.sorted().prefix(8).map(\.quoted).joined(separator: ", ")
                notes.append("no card has \(names): left out")
            }
            if pictures > 0 {
                notes.append(
                    "\(pictures) pictures are elsewhere on the web: upload them, and name them here"
                )
            }
            return notes
        }

        mutating func read(
            _ root: JSONObject, _ json: Span<UInt8>
        ) throws(PayloadError) -> (place: [String], frame: SiteTree) {
            var place: [String] = []
            var object = root
            for key in ["data", "beacons"] {
                guard let value = try object.optional(key, json), try value.kind(json) == .object
                else { continue }
                object = try value.object(json, atMost: ContentFile.most + 64)
                place.append(key)
            }
            // Of a file with neither the top itself is the list.
            guard place != ["data"] else { throw .missing(field: "data.beacons") }
            let members = try object.members(json)
            // What is no list at all says nothing either.
            if place.isEmpty, members.isEmpty { throw .missing(field: "beacons") }
            for member in members { try read(member, json) }
            return (place, try frame(of: root, place[...], json))
        }

        private func frame(
            of object: JSONObject, _ place: ArraySlice<String>, _ json: Span<UInt8>
        ) throws(PayloadError) -> SiteTree {
            guard let next = place.first else { return .section([]) }
            var members: [(key: String, value: SiteTree)] = []
            for member in try object.members(json) {
                members.append(
                    (
                        member.name,
                        member.name == next
                            ? try frame(
                                of: try member.object(json, atMost: ContentFile.most + 64),
                                place.dropFirst(), json)
                            : try SiteTree(member, json)
                    ))
            }
            return .section(members)
        }

        private mutating func read(
            _ member: JSONValue, _ json: Span<UInt8>
        ) throws(PayloadError) {
            guard let minor = UInt16(member.name), "\(minor)" == member.name else {
                faults.append(
                    "\(member.name.prefix(32).description.quoted) is no minor, 0 to 65535")
                return
            }
            guard try member.kind(json) == .object else {
                faults.append("beacon \(minor): an object with a title expected")
                return
            }
            let object = try member.object(json)
            var texts: [String: String] = [:]
            for value in try object.members(json) {
                guard Self.members.contains(value.name) else {
                    unknown.insert(String(value.name.prefix(32)))
                    continue
                }
                switch try value.kind(json) {
                case .null: continue
                case .string: texts[value.name] = try value.text(json)
                default: faults.append("beacon \(minor): \(value.name): a text expected")
                }
            }
            texts = texts.filter { !$0.value.isEmpty }
            guard let title = texts["title"] else {
                faults.append("beacon \(minor): title: missing")
                return
            }
            entries.append(
                Entry(
                    minor: minor, title: title, subtitle: texts["subtitle"],
                    text: texts["description"],
                    picture: texts["image"].flatMap { picture($0, of: minor) }, link: texts["url"]))
        }

        /// The name of a picture beside the file.
        private mutating func picture(_ image: String, of minor: UInt16) -> String? {
            if image.lowercased().hasPrefix("http") && image.contains("://") {
                pictures += 1
                return nil
            }
            let name = image.hasPrefix("images/") ? String(image.dropFirst(7)) : image
            if !RowText.isPictureName(name) {
                faults.append(
                    "beacon \(minor): image: expected the name of a picture beside the file, such as chapel or chapel.png"
                )
            }
            return name
        }
    }
}
