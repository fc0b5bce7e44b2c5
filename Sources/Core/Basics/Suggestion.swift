/// Finds what a mistyped key was meant to be.
package enum Suggestion {
    /// The known word nearest to `word`, or `nil` if none is near: one edit for up to three
    /// letters, two for up to eight, else three. Of equally near ones the first.
    package static func nearest(to word: String, among known: [String]) -> String? {
        let letters = Array(word.utf8)
        guard letters.count <= 64 else { return nil }
        let limit = letters.count <= 3 ? 1 : letters.count <= 8 ? 2 : 3
        var best: (word: String, distance: Int)?
        for candidate in known {
            let distance = distance(letters, Array(candidate.utf8))
            // A word that would change wholly is not a slip of the finger.
            guard distance <= limit, distance < candidate.utf8.count else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
        }
        return best?.word
    }

    /// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`
    /// (optimal string alignment).
    package static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        guard !a.isEmpty, !b.isEmpty else { return a.count + b.count }
        var before = [Int](repeating: 0, count: b.count + 1)
        var above = Array(0...b.count)
        for i in 1...a.count {
            var row = [i] + [Int](repeating: 0, count: b.count)
            for j in 1...b.count {
                let same = a[i - 1] == b[j - 1]
                row[j] = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    row[j] = min(row[j], before[j - 2] + 1)
                }
            }
            (before, above) = (above, row)
        }
        return above[b.count]
    }
}
