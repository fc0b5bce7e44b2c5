import CCrypto
import Foundation
import SiteEngine

/// SHA-256 over a sequence of decisions: two runs that decided alike have the same digest.
final class Digest {
    private let context: OpaquePointer
    private let encoder = JSONEncoder()
    /// Decisions taken in so far.
    private(set) var decisions = 0

    /// Over nothing yet.
    init() {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
        else { preconditionFailure("libcrypto has no SHA-256") }
        self.context = context
        encoder.outputFormatting = [.sortedKeys]
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Takes in decisions, each as a line of JSON with sorted keys.
    func add(_ made: [Decision]) throws {
        for decision in made {
            var line = try encoder.encode(decision)
            line.append(0x0A)
            decisions += 1
            let isTaken = line.withUnsafeBytes {
                EVP_DigestUpdate(context, $0.baseAddress, $0.count)
            }
            precondition(isTaken == 1, "libcrypto refused \(line.count) bytes")
        }
    }

    /// The digest so far, as 64 lower-case hexadecimal digits. Takes no more afterwards.
    func finish() -> String {
        var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        let isDone = EVP_DigestFinal_ex(context, &bytes, &count)
        precondition(isDone == 1, "libcrypto could not finish a digest")
        return bytes.prefix(Int(count)).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
