import Basics
import Ciphers
import Foundation
import SiteEngine

/// SHA-256 over a sequence of decisions: two runs that decided alike have the same digest.
final class Digest {
    private let sha = SHA256()
    private let encoder = JSONEncoder()
    /// Decisions taken in so far.
    private(set) var decisions = 0

    init() { encoder.outputFormatting = [.sortedKeys] }

    /// Takes in decisions, each as a line of JSON with sorted keys.
    func add(_ made: [Decision]) throws {
        for decision in made {
            sha.add([UInt8](try encoder.encode(decision)) + [0x0A])
            decisions += 1
        }
    }

    /// The digest so far, as 64 lower-case hexadecimal digits. Takes no more afterwards.
    func finish() -> String { Hex.text(sha.finish()) }
}
