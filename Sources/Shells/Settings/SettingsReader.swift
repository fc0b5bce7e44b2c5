import Basics
import Foundation

/// Reads one section of a configuration and collects everything that is wrong with it.
///
/// Ask for each key once, in the order people should see them in messages; what is never asked
/// for is an unknown key. Each method returns a value at once, so that reading goes on behind a
/// fault; that value only stands in, and `finish` throws, so it is never used:
///
///     var settings = try SettingsReader(file: "node.yaml")
///     let node = settings.slug("node")
///     let port = settings.section("broker") { $0.int("port", in: 1...65535, default: 1883) }
///     try settings.finish()
package struct SettingsReader {
    private let file: String
    private let path: String
    private let source: SettingsError.Source
    private let entries: [SettingsNode.Entry]
    /// Whether a text is one in quotes only. In a file that a person writes `id: 5` is the id `5`; of what a program
    /// holds it is a number.
    let quotesTexts: Bool
    private var asked: [String] = []
    private var faults: [SettingsError.Fault] = []

    /// Reads a file, at most `limit` bytes of UTF-8. Variables `BEACONMESH_SECTION__KEY` of `environment`
    /// replace its values. Throws at once if there is nothing to read on with: no file, no YAML.
    package init(
        file path: String, environment: [String: String] = ProcessInfo.processInfo.environment,
        limit: Int = YAMLDocument.largest
    ) throws(SettingsError) {
        let bytes: Data
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            bytes = try handle.read(upToCount: limit + 1) ?? Data()
            try handle.close()
        } catch {
            throw SettingsError(path, .file, Self.reason(error))
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SettingsError(path, .file, "is not text in UTF-8")
        }
        try self.init(text: text, named: path, environment: environment, limit: limit)
    }

    /// Reads `text` as the file called `name`.
    ///
    /// - Throws: A `SettingsError` if it is no YAML at all. Faults of single values wait for
    ///   `finish`.
    package init(
        text: String, named name: String, environment: [String: String] = [:],
        limit: Int = YAMLDocument.largest
    ) throws(SettingsError) {
        let document = try YAMLDocument(text, named: name, limit: limit)
        var root = document.root
        faults = document.faults + EnvironmentOverrides.apply(environment, to: &root, of: name)
        file = name
        path = ""
        source = .line(1)
        entries = root.entries
        quotesTexts = false
    }

    /// Reads a section that a program holds already. What is no text there is none, whatever it looks like.
    package init(_ section: SettingsNode, named name: String) {
        file = name
        path = ""
        source = .line(1)
        entries = section.entries
        quotesTexts = true
    }

    /// A section inside another.
    private init(_ node: SettingsNode, at path: String, in whole: SettingsReader) {
        file = whole.file
        self.path = path
        source = node.source
        entries = node.entries
        quotesTexts = whole.quotesTexts
    }

    /// Throws everything found so far, unknown keys included, unless nothing is wrong.
    package func finish() throws(SettingsError) {
        let faults = allFaults
        if !faults.isEmpty { throw SettingsError(faults) }
    }

    /// Whether a value of this section was wrong: what compares values had better not then.
    package var hasFaults: Bool { !faults.isEmpty }

    /// Reads the section at `key`. An absent one is read as empty, so that what it must hold is
    /// reported key by key.
    package mutating func section<Value>(
        _ key: String, _ body: (inout SettingsReader) -> Value
    ) -> Value {
        let absent = SettingsNode(value: .section([]), source: source)
        guard let node = take(key) else { return read(absent, at: inner(key), body) }
        guard case .section = node.value else {
            refuse(key, "expected a section of keys, got \(node.shown)")
            var unread = SettingsReader(absent, at: inner(key), in: self)
            return body(&unread)
        }
        return read(node, at: inner(key), body)
    }

    /// Reads the section at `key` if it is there.
    package mutating func sectionIfPresent<Value>(
        _ key: String, _ body: (inout SettingsReader) -> Value
    ) -> Value? {
        take(key) == nil ? nil : section(key, body)
    }

    /// Reads a list of sections, of as many items as `count` says. An absent list is an empty one;
    /// items that are no sections are left out.
    package mutating func list<Value>(
        _ key: String, count: ClosedRange<Int> = 0...4096,
        _ body: (inout SettingsReader) -> Value
    ) -> [Value] {
        var items: [SettingsNode] = []
        if let node = take(key) {
            guard case .list(let found) = node.value else {
                refuse(key, "expected a list, got \(node.shown)")
                return []
            }
            items = found
        }
        guard count.contains(items.count) else {
            let most = count.count == 1 ? "" : " to \(count.upperBound)"
            refuse(key, "expected a list of \(count.lowerBound)\(most), got \(items.count)")
            return []
        }
        return items.enumerated().compactMap { index, item -> Value? in
            let place = "\(inner(key))[\(index)]"
            guard case .section = item.value else {
                let problem = "expected a section of keys, got \(item.shown)"
                faults.append(
                    SettingsError.Fault(
                        file: file, source: item.source, path: place, problem: problem))
                return nil
            }
            return read(item, at: place, body)
        }
    }

    /// Whether a section stands at `key`, for values that may be written in two ways.
    package func holdsSection(_ key: String) -> Bool {
        if case .section? = node(key)?.value { true } else { false }
    }

    /// Whether nothing stands at `key` on purpose: `null`. The key is known from now on.
    package mutating func isNull(_ key: String) -> Bool {
        _ = take(key)
        return entries.first { $0.key == key }?.node.value == .empty
    }

    /// Whether anything stands at `key`, for sections that may be written in several ways.
    package func holds(_ key: String) -> Bool { node(key) != nil }

    /// The keys of this section in the order of the file, for tables whose keys the author chose.
    package var keys: [String] { entries.map(\.key) }

    /// Adds a fault of the caller's own at `key`, for example a reference to nothing.
    package mutating func refuse(_ key: String, _ problem: String) {
        faults.append(
            SettingsError.Fault(
                file: file, source: entries.first { $0.key == key }?.node.source ?? source,
                path: inner(key), problem: problem))
    }

    /// What stands at `key`, which is known from now on; `nil` if nothing does.
    package mutating func take(_ key: String) -> SettingsNode? {
        if !asked.contains(key) { asked.append(key) }
        return node(key)
    }

    /// A path relative to the directory of the file made independent of it.
    package func resolved(_ path: String) -> String {
        guard !path.hasPrefix("/"), !path.isEmpty, let slash = file.lastIndex(of: "/") else {
            return path
        }
        return file[...slash] + path
    }

    private func node(_ key: String) -> SettingsNode? {
        guard let node = entries.first(where: { $0.key == key })?.node, node.value != .empty else {
            return nil
        }
        return node
    }

    private func inner(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    private mutating func read<Value>(
        _ node: SettingsNode, at path: String, _ body: (inout SettingsReader) -> Value
    ) -> Value {
        var reader = SettingsReader(node, at: path, in: self)
        let value = body(&reader)
        faults += reader.allFaults
        return value
    }

    private var allFaults: [SettingsError.Fault] {
        faults
            + entries.filter { !asked.contains($0.key) }.map { entry in
                SettingsError.Fault(
                    file: file, source: entry.node.source, path: inner(entry.key.shown),
                    problem: unknown(entry.key))
            }
    }

    private func unknown(_ key: String) -> String {
        if let known = Suggestion.nearest(to: key, among: asked) {
            return "unknown key, did you mean \"\(known)\"?"
        }
        return "unknown key, expected \(asked.joined(separator: ", "))"
    }

    private static func reason(_ error: any Error) -> String {
        switch (error as? CocoaError)?.code {
        case .fileNoSuchFile, .fileReadNoSuchFile: "no such file"
        case .fileReadNoPermission: "may not be read by this user"
        default: "cannot be read: \(error.localizedDescription)"
        }
    }
}

/// A value of a configuration and where it was given: what is left of YAML once its syntax is
/// understood, and what environment variables are laid over.
package struct SettingsNode: Equatable {
    /// What can stand at a key.
    package enum Value: Equatable {
        /// Nothing, `~` or `null`: as if the key were not there.
        case empty
        case scalar(Scalar)
        case list([SettingsNode])
        case section([Entry])
    }

    /// One value as it was written.
    package struct Scalar: Equatable {
        /// How it was written decides whether `5` may be text.
        package enum Style: Equatable {
            case plain
            case quoted
            /// From an environment variable, where there are no quotes: it may be anything.
            case untyped
        }

        package var text: String
        package var style: Style

        package init(text: String, style: Style) {
            self.text = text
            self.style = style
        }
    }

    /// A key with its value. Keys of a section are unique.
    package struct Entry: Equatable {
        package var key: String
        package var node: SettingsNode

        package init(key: String, node: SettingsNode) {
            self.key = key
            self.node = node
        }
    }

    package var value: Value
    /// Where the key stands; of a list item, where the item begins.
    package var source: SettingsError.Source

    package init(value: Value, source: SettingsError.Source = .line(1)) {
        self.value = value
        self.source = source
    }

    /// The value for a person who reads a fault: `"70000"`, `a list`.
    var shown: String {
        switch value {
        case .empty: "nothing"
        case .scalar(let scalar): "\"\(scalar.text.shown)\""
        case .list: "a list"
        case .section: "a section of keys"
        }
    }

    /// The entries of a section; none of anything else.
    var entries: [Entry] {
        if case .section(let entries) = value { entries } else { [] }
    }
}
