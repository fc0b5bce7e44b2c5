import Foundation
import Platform

/// Reads a table of text, row by row: the first row names the columns. Fields may be quoted, lines
/// may end with CR and LF, the file may be compressed. Blank lines are passed over.
package struct CSVReader: ~Copyable {
    /// A longer row is refused: a quotation mark was left open, or this is no table.
    static let longestRow = 1 << 16

    private static let quote = UInt8(ascii: "\"")
    private static let newline = UInt8(ascii: "\n")
    private static let comma = UInt8(ascii: ",")
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// How the source is called in faults.
    let name: String
    /// The headings, trimmed.
    private(set) var columns: [String] = []
    /// The line on which the latest row began, from 1.
    private(set) var line = 0

    private let file: CompressedFile
    private var piece: [UInt8] = []
    private var position = 0
    private var lines = 0
    /// The fields of the row, one after the other, and where each ends.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    /// Opens a file, or standard input for `nil`. Throws `Exit` with code 78 if it cannot be opened
    /// or has no heading.
    package static func open(_ path: String?) throws -> CSVReader {
        var reader = CSVReader(try openFile(path), name: path ?? "standard input")
        try reader.readHeading()
        return reader
    }

    private init(_ file: consuming CompressedFile, name: String) {
        self.file = file
        self.name = name
    }

    private static func openFile(_ path: String?) throws -> CompressedFile {
        do {
            guard let path else { return try CompressedFile(descriptor: 0) }
            return try CompressedFile(path: path)
        } catch let error as Exit {
            throw Exit(code: 78, text: error.text)
        }
    }

    private mutating func readHeading() throws {
        guard try next() else {
            throw Exit(code: 78, text: "\(name): empty, not even a heading")
        }
        columns = (0..<count).map { text($0) }
        if let first = columns.first, Array(first.utf8).starts(with: Self.byteOrderMark) {
            columns[0] = String(decoding: Array(first.utf8).dropFirst(3), as: UTF8.self)
        }
    }

    /// How many fields the row has.
    var count: Int { ends.count }

    /// A field without the white space around it.
    package func text(_ field: Int) -> String {
        var range = (field > 0 ? ends[field - 1] : 0)..<ends[field]
        while let first = range.first, bytes[first] <= 0x20 { range.removeFirst() }
        while let last = range.last, bytes[last] <= 0x20 { range.removeLast() }
        return String(decoding: bytes[range], as: UTF8.self)
    }

    /// Which field a column is, or a fault that names it.
    package func index(of column: String) throws -> Int {
        guard let index = columns.firstIndex(of: column) else {
            throw Exit(
                code: 78,
                text: "\(name): no column \(column), only \(columns.joined(separator: ", "))")
        }
        return index
    }

    /// A number, or a fault that names line and column.
    package func number(_ field: Int) throws -> Double {
        let text = text(field)
        guard let number = Double(text) else {
            throw fault("\(columns[field]) is no number: \(text.prefix(40))")
        }
        return number
    }

    /// A fault in this row.
    package func fault(_ words: String) -> Exit {
        Exit(code: 78, text: "\(name): line \(line): \(words)")
    }

    /// Goes to the next row that is not blank; `false` at the end. Throws `Exit` with code 78 for
    /// a damaged file and for a row of too few fields.
    package mutating func next() throws -> Bool {
        repeat {
            guard try readRow() else { return false }
        } while ends.count == 1 && text(0).isEmpty
        guard count >= columns.count else {
            throw fault("\(count) fields, where the heading has \(columns.count)")
        }
        return true
    }

    private mutating func readRow() throws -> Bool {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        lines += 1
        line = lines
        var isQuoted = false
        var isEmpty = true
        while let byte = try nextByte() {
            isEmpty = false
            if isQuoted {
                if byte != Self.quote {
                    if byte == Self.newline { lines += 1 }
                    bytes.append(byte)
                } else if try peek() == Self.quote {
                    position += 1
                    bytes.append(byte)
                } else {
                    isQuoted = false
                }
            } else {
                switch byte {
                case Self.newline:
                    ends.append(bytes.count)
                    return true
                case Self.comma: ends.append(bytes.count)
                case Self.quote where bytes.count == ends.last ?? 0: isQuoted = true
                default: bytes.append(byte)
                }
            }
            guard bytes.count + ends.count <= Self.longestRow else {
                throw fault("longer than \(Self.longestRow) bytes; is a quotation mark left open?")
            }
        }
        if isQuoted { throw fault("a quotation mark is left open") }
        if !isEmpty { ends.append(bytes.count) }
        return !isEmpty
    }

    private mutating func nextByte() throws -> UInt8? {
        guard let byte = try peek() else { return nil }
        position += 1
        return byte
    }

    private mutating func peek() throws -> UInt8? {
        if position < piece.count { return piece[position] }
        do {
            guard let next = try file.read() else { return nil }
            piece = next
            position = 0
        } catch let damage as CompressedFile.Damage {
            throw Exit(code: 78, text: "\(damage), after line \(lines - 1)")
        }
        return piece.first
    }
}
