import Foundation

/// The files of this checkout, as the tidy tests look at them.
enum Checkout {
    static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A file and what it says.
    struct File {
        /// Relative to the root.
        var path: String
        var text: String

        /// `Radio` for a file of `Sources/Shells/Radio`.
        var module: String { part(2) }

        /// `Shells` for a file of `Sources/Shells/Radio`.
        var layer: String { part(1) }

        private func part(_ index: Int) -> String {
            path.split(separator: "/").dropFirst(index).first.map(String.init) ?? ""
        }
    }

    /// The text of one file.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The files below a folder whose names end so, sorted by path.
    static func files(in folder: String, ending: String) throws -> [File] {
        let base = root.appending(path: folder).path(percentEncoded: false)
        guard let walk = FileManager.default.enumerator(atPath: base) else {
            throw CocoaError(.fileReadNoSuchFile)
        }
        let paths = walk.compactMap { $0 as? String }.filter { $0.hasSuffix(ending) }.sorted()
        return try paths.map { File(path: "\(folder)/\($0)", text: try text("\(folder)/\($0)")) }
    }

    /// All Swift files of a folder. None is a mistake of the test.
    static func swift(in folder: String) throws -> [File] {
        let files = try files(in: folder, ending: ".swift")
        guard !files.isEmpty else { throw CocoaError(.fileReadNoSuchFile) }
        return files
    }

    /// Whether this is a clone and not an unpacked archive.
    static let isClone = FileManager.default.fileExists(
        atPath: root.appending(path: ".git").path(percentEncoded: false))

    /// The paths that git tracks.
    static func tracked() throws -> [String] {
        let git = Process()
        git.executableURL = URL(filePath: "/usr/bin/env")
        git.arguments = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
        git.currentDirectoryURL = root
        let output = Pipe()
        git.standardOutput = output
        try git.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        git.waitUntilExit()
        guard git.terminationStatus == 0 else { throw CocoaError(.fileReadUnknown) }
        return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
}
