import CCrypto
import Foundation

/// Passwords by scrypt (RFC 7914) of libcrypto.
package enum Password {
    /// What a guess costs: memory `128 · r · 2^ln` bytes, `p` times over.
    package struct Cost: Equatable, Sendable {
        package var ln: Int
        package var r: Int
        package var p: Int

        package init(ln: Int, r: Int, p: Int) {
            self.ln = ln
            self.r = r
            self.p = p
        }

        /// 8 MiB, ten times over: of the settings the OWASP Password Storage Cheat Sheet calls equal
        /// in strength the one with the least memory, because the coordinator runs on small machines.
        package static let usual = Cost(ln: 13, r: 8, p: 10)

        /// The most that is taken from a stored text, so that a changed one cannot stop the machine.
        fileprivate var isBearable: Bool {
            (1...17).contains(ln) && (1...8).contains(r) && (1...16).contains(p)
        }
    }

    /// Bytes of salt and of what is stored.
    private static let saltLength = 16
    private static let length = 32

    /// What is stored of a password: `$scrypt$ln=13,r=8,p=10$salt$hash`, the PHC string format with
    /// base64 without padding. Takes a tenth of a second or more: call it on a thread of its own.
    package static func hash(_ password: String, cost: Cost = .usual) -> String {
        let salt = (0..<saltLength).map { _ in UInt8.random(in: 0...255) }
        let key = derive(password, salt, cost)
        return "$scrypt$ln=\(cost.ln),r=\(cost.r),p=\(cost.p)$\(base64(salt))$\(base64(key))"
    }

    /// Whether a password is the one of a stored text. `isOutdated`: it costs less than we ask for
    /// now, and is to be stored anew. A text of another form is nobody's.
    package static func check(
        _ password: String, against stored: String, cost: Cost = .usual
    ) -> (isRight: Bool, isOutdated: Bool) {
        let parts = stored.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt",
            let known = read(parts[2]), known.isBearable, let salt = bytes(parts[3]),
            let expected = bytes(parts[4]), expected.count == length
        else {
            // As long as for a right text: how long it takes tells nothing.
            _ = derive(password, [UInt8](repeating: 0, count: saltLength), cost)
            return (false, false)
        }
        let key = derive(password, salt, known)
        let difference = zip(key, expected).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
        return (difference == 0, known != cost)
    }

    /// The bytes that a secret and a salt make, 32 of them.
    static func derive(_ password: String, _ salt: [UInt8], _ cost: Cost) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: length)
        // What NFC makes equal looks equal, and keyboards differ in which of them they send.
        let text = password.precomposedStringWithCanonicalMapping
        let isDone = EVP_PBE_scrypt(
            text, text.utf8.count, salt, salt.count, UInt64(1) << UInt64(cost.ln), UInt64(cost.r),
            UInt64(cost.p), 256 << 20, &key, key.count)
        precondition(isDone == 1, "libcrypto has no scrypt")
        return key
    }

    private static func read(_ text: Substring) -> Cost? {
        let numbers = zip(text.split(separator: ","), ["ln=", "r=", "p="]).compactMap {
            part, name in
            part.hasPrefix(name) ? Int(part.dropFirst(name.count)) : nil
        }
        return numbers.count == 3 ? Cost(ln: numbers[0], r: numbers[1], p: numbers[2]) : nil
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().filter { $0 != "=" }
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Data(base64Encoded: String(text) + padding).map { Array($0) }
    }
}
