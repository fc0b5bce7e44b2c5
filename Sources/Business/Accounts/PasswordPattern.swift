/// What guessers try first: rows of a keyboard, digits and letters in order, years, common words and pieces
/// that come again (NIST SP 800-63B, 5.1.1.2, asks to refuse those).
enum PasswordPattern {
    /// Fewer pieces are no password.
    static let fewest = 7

    /// Read forwards and backwards.
    private static let rows: [[UInt32]] = [
        "01234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "zxcvbnm",
        "qwertzuiop", "yxcvbnm", "azertyuiop", "1q2w3e4r5t6y7u8i9o0p",
    ].flatMap { (row: String) -> [[UInt32]] in
        [scalars(row), Array(scalars(row).reversed())]
    }
    private static let words: [[UInt32]] = [
        "password", "passwort", "passwd", "kennwort", "welcome", "letmein", "changeme", "secret",
        "admin", "owner", "login", "iloveyou", "beaconmesh",
    ].map { (word: String) -> [UInt32] in scalars(word) }
    /// What people write for a letter.
    private static let disguises = Dictionary(
        uniqueKeysWithValues: zip(scalars("@4013!5$7"), scalars("aaoieisst")))

    /// How many pieces a text is made of: each a pattern as long as can be, or one character.
    static func pieces(of text: String) -> Int {
        let letters = scalars(text.lowercased())
        let plain = letters.map { disguises[$0] ?? $0 }
        var (count, index) = (0, 0)
        while index < letters.count {
            index += length(at: index, of: letters, plain)
            count += 1
        }
        return count
    }

    /// How long the longest pattern is that begins there; 1 where none does.
    private static func length(at index: Int, of letters: [UInt32], _ plain: [UInt32]) -> Int {
        let rest = letters[index...]
        var longest = 2
        for row in rows {
            for start in row.indices {
                longest = max(longest, common(rest, row[start...]))
            }
        }
        // A piece may run into its own repetition: then all of it is one.
        for start in 0..<index { longest = max(longest, common(rest, letters[start...])) }
        for word in words where plain[index...].starts(with: word) {
            longest = max(longest, word.count)
        }
        if isYear(rest.prefix(4)) { longest = max(longest, 4) }
        return longest > 2 ? longest : 1
    }

    private static func common(_ a: ArraySlice<UInt32>, _ b: ArraySlice<UInt32>) -> Int {
        zip(a, b).prefix { $0 == $1 }.count
    }

    private static func isYear(_ digits: ArraySlice<UInt32>) -> Bool {
        let century = digits.prefix(2)
        return digits.count == 4 && digits.allSatisfy(scalars("0123456789").contains)
            && (century.elementsEqual(scalars("19")) || century.elementsEqual(scalars("20")))
    }

    private static func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }
}
