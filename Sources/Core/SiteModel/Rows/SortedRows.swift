extension Array {
    /// Puts `row` in its place of a list sorted by `key`, replacing the row of the same key.
    package mutating func put<Key: Comparable>(_ row: Element, by key: KeyPath<Element, Key>) {
        let new = row[keyPath: key]
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle][keyPath: key] < new { low = middle + 1 } else { high = middle }
        }
        if low < count, self[low][keyPath: key] == new {
            self[low] = row
        } else {
            insert(row, at: low)
        }
    }
}
