/// Walks the structures of advertising data: length 1, type 1, payload (Bluetooth Core Supplement,
/// Part A 1). It holds a place, not the bytes; give it the same bytes at each step.
///
/// A length of 0 ends the data, as zero padding does. A structure that runs past the end ends the
/// walk too; what came before it stands.
package struct AdvertisingStructures: Sendable {
    /// One structure.
    package struct Structure: Equatable, Sendable {
        /// The assigned number of what it holds, for instance `FF` for manufacturer's data.
        package var type: UInt8
        /// Where its payload lies in the data.
        package var payload: Range<Int>
    }

    /// Whether the last step met a structure longer than what was left.
    package private(set) var isOverrun = false
    /// Where the length of 0 stands that ended the data, if one did.
    package private(set) var terminator: Int?
    private var offset = 0

    /// Stands before the first structure.
    package init() {}

    /// The next structure of `data`, or `nil` when there are no more.
    package mutating func next(in data: Span<UInt8>) -> Structure? {
        guard offset < data.count else { return nil }
        let length = Int(data[offset])
        guard length > 0 else {
            terminator = offset
            offset = data.count
            return nil
        }
        guard offset + length < data.count else {
            isOverrun = true
            offset = data.count
            return nil
        }
        defer { offset += 1 + length }
        return Structure(
            type: data[offset + 1], payload: offset + 2..<offset + 1 + length)
    }
}
