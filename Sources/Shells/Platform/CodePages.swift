import Basics
import Glibc

/// The code in memory: the program's own and its libraries'.
///
/// Starting, and reading the configuration, run through megabytes of code (Foundation's, for YAML)
/// that are never needed again, but would count as ours as long as we run.
package enum CodePages {
    private static let largestMap = 1 << 20

    /// Gives back all code that is mapped. What is still needed comes back by itself, from the
    /// system's cache of the files. Nothing happens where the system does not say what is mapped.
    package static func giveBack() {
        guard let text = SystemFile.text("/proc/self/maps", limit: largestMap) else { return }
        // Lines: `from-to r-xp offset device inode path`, the ends hexadecimal.
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            // Only files, and of them only what cannot be written: what was changed would be lost.
            guard words.count > 5, words[1] == "r-xp", words[5].hasPrefix("/") else { continue }
            let ends = words[0].split(separator: "-").compactMap {
                Hex.number($0.utf8).map(UInt.init)
            }
            guard ends.count == 2, ends[0] < ends[1],
                let start = UnsafeMutableRawPointer(bitPattern: ends[0])
            else { continue }
            _ = madvise(start, Int(ends[1] - ends[0]), MADV_DONTNEED)
        }
    }
}
