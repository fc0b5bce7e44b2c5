import Glibc

/// The program's own code in memory.
///
/// Reading the configuration runs through megabytes of library code (Foundation's, for YAML) that
/// is never needed again, but would count as ours as long as we run.
enum CodePages {
    private static let largestMap = 1 << 20

    /// Gives back what is mapped of the program's code. What is still needed comes back by itself,
    /// from the system's cache of the file. Nothing happens where the system does not say what is
    /// mapped.
    static func giveBack() {
        guard let program = realpath("/proc/self/exe", nil) else { return }
        defer { free(program) }
        let path = String(cString: program)
        guard let bytes = try? File.read("/proc/self/maps", limit: largestMap) else { return }
        // Lines: `from-to r-xp offset device inode path`, the numbers hexadecimal.
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        where line.hasSuffix(path) {
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            // Only what cannot be written: whatever else was changed since it was read is lost.
            guard words.count > 1, words[1] == "r-xp" else { continue }
            let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard ends.count == 2, ends[0] < ends[1],
                let start = UnsafeMutableRawPointer(bitPattern: ends[0])
            else { continue }
            _ = madvise(start, Int(ends[1] - ends[0]), MADV_DONTNEED)
        }
    }
}
