import Basics
import Foundation
import JSON

@testable import Wire

/// The files of `schemas/` and what the Python side of the check left.
enum Examples {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    static let mutants = root.appending(path: ".build/schema-mutants")
    static let hasMutants = FileManager.default.fileExists(
        atPath: mutants.path(percentEncoded: false))

    struct Example {
        var name: String
        var bytes: [UInt8]

        /// The verdict is the first word of the file's name.
        var isGood: Bool { name.hasPrefix("good-") }
    }

    /// The examples of a kind, sorted by name.
    static func all(_ kind: PayloadKind) throws -> [Example] {
        let directory = root.appending(path: "schemas/examples/\(kind.rawValue)")
        let files = try FileManager.default.contentsOfDirectory(
            at: directory, includingPropertiesForKeys: nil)
        return try files.map {
            Example(name: $0.lastPathComponent, bytes: [UInt8](try Data(contentsOf: $0)))
        }.sorted { $0.name < $1.name }
    }

    static func good(_ kind: PayloadKind) throws -> [Example] { try all(kind).filter(\.isGood) }

    /// The payload that the writer is to write, byte for byte.
    static func asWritten(_ kind: PayloadKind) throws -> [UInt8] {
        let example = try all(kind).first { $0.name == "good-as-written.json" }
        guard let example, example.bytes.last == 0x0A else { throw CocoaError(.fileNoSuchFile) }
        return Array(example.bytes.dropLast())
    }

    /// Mutants of good examples with the verdict of a JSON Schema validator.
    static func mutants(_ kind: PayloadKind) throws -> [Example] {
        let file = mutants.appending(path: "\(kind.rawValue).txt")
        return try String(contentsOf: file, encoding: .ascii).split(separator: "\n").map { line in
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 2, let bytes = Data(base64Encoded: String(words[1])) else {
                throw CocoaError(.fileReadCorruptFile)
            }
            return Example(name: "\(words[0])-mutant", bytes: [UInt8](bytes))
        }
    }
}

/// Numbers for tests, so that a seed printed by a failing test brings the failure back.
typealias SeededRandom = SplitMix64

extension PayloadKind {
    /// Why bytes are no payload of this kind, or `nil` if they are one.
    func complaint(_ bytes: [UInt8]) -> PayloadError? {
        do throws(PayloadError) {
            try check(bytes.span)
            return nil
        } catch {
            return error
        }
    }
}
