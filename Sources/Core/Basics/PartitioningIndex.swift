extension RandomAccessCollection where Index == Int {
    /// The first index whose element `isPast` holds for, or `endIndex` if it holds for none, by binary
    /// search. Elements for which it holds must stand behind all others.
    @inlinable package func partitioningIndex(where isPast: (Element) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if isPast(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
