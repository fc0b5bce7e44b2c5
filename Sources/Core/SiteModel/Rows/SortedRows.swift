import Basics

extension Array {
    /// Puts `row` in its place of a list sorted by `key`, replacing the row of the same key.
    @inlinable package mutating func put<Key: Comparable>(_ row: Element, by key: (Element) -> Key)
    {
        let new = key(row)
        let place = partitioningIndex { key($0) >= new }
        if place < count, key(self[place]) == new {
            self[place] = row
        } else {
            insert(row, at: place)
        }
    }
}
