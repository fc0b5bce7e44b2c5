import Basics

extension Array {
    /// Puts `row` in its place of a list sorted by `key`, replacing the row of the same key.
    package mutating func put<Key: Comparable>(_ row: Element, by key: KeyPath<Element, Key>) {
        let new = row[keyPath: key]
        let place = partitioningIndex { $0[keyPath: key] >= new }
        if place < count, self[place][keyPath: key] == new {
            self[place] = row
        } else {
            insert(row, at: place)
        }
    }
}
