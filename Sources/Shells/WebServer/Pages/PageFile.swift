import Basics
import Hummingbird

/// A file that pages are made of, built into the program. All are served below one path that has the digest of
/// their content in it: whatever has that path never changes, so that a browser loads each once.
struct PageFile: Sendable {
    /// Where it stands among the others, such as `kit/element.js`.
    let name: String
    /// Its media type.
    let type: String
    let content: [UInt8]
    /// The content as gzip has it, or `nil` where that is no shorter.
    let packed: [UInt8]?

    init(_ name: String, _ content: [UInt8]) {
        self.name = name
        self.content = content
        let ending = name.split(separator: ".").last.map(String.init) ?? ""
        type = Self.types[ending] ?? "application/octet-stream"
        packed = Gzip.packed(content).flatMap { $0.count < content.count ? $0 : nil }
    }

    /// The file, packed for who takes that.
    func response(to request: Request) -> Response {
        var headers: HTTPFields = [
            .contentType: type, .cacheControl: "public, max-age=31536000, immutable",
            .vary: "Accept-Encoding",
        ]
        guard let packed, Gzip.isTaken(by: request) else {
            return Response(
                status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: content)))
        }
        headers[.contentEncoding] = "gzip"
        return Response(
            status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: packed)))
    }

    private static let types = [
        "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "svg": "image/svg+xml",
    ]
}

/// All files of the pages, and where they are served.
struct PageFiles: Sendable {
    /// The files by name.
    let files: [String: PageFile]
    /// What stands before each name: `/p/{digest}/`.
    let base: String
    /// For each module those that it imports, and they in turn, without itself; in the order of their names.
    private let imports: [String: [String]]

    init(_ files: [PageFile]) {
        let all = Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0) })
        self.files = all
        let names = all.keys.sorted()
        let whole = names.reduce(into: [UInt8]()) { bytes, name in
            bytes += Array(name.utf8) + [0] + (all[name]?.content ?? []) + [0]
        }
        base = "/p/\(Hex.text(fingerprint64(whole)))/"
        imports = all.mapValues { Self.imported(by: $0) }
    }

    /// The file at a path, if that is of these files.
    func file(at path: String) -> PageFile? {
        guard path.hasPrefix(base) else { return nil }
        return files[String(path.dropFirst(base.count))]
    }

    /// The address of a file.
    func address(_ name: String) -> String { base + name }

    /// All that some modules load, themselves first: what a browser may load at once instead of one after the other.
    func closure(of modules: [String]) -> [String] {
        var found = modules
        var next = 0
        while next < found.count {
            for name in imports[found[next]] ?? [] where !found.contains(name) {
                found.append(name)
            }
            next += 1
        }
        return found
    }

    /// The names of the modules after each `from "` of a module, relative to the folder it is in.
    private static func imported(by file: PageFile) -> [String] {
        guard file.name.hasSuffix(".js") else { return [] }
        let folder = file.name.split(separator: "/").dropLast().map(String.init)
        let text = String(decoding: file.content, as: UTF8.self)
        return text.split(separator: "\n").compactMap { line in
            guard let range = line.firstRange(of: "from \"."),
                line.hasPrefix("import ") || line.hasPrefix("} from") || line.hasPrefix("export "),
                let end = line[range.upperBound...].firstIndex(of: "\"")
            else { return nil }
            var path = folder
            for part in ("." + line[range.upperBound..<end]).split(separator: "/") {
                switch part {
                case ".": continue
                case "..": path = path.dropLast()
                default: path.append(String(part))
                }
            }
            return path.joined(separator: "/")
        }
    }
}
