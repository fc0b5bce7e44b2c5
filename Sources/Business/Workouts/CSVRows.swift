import Basics

/// The rows of a table after RFC 4180, one after the other, from the bytes of a file. Lines end in
/// LF or CRLF; cells in quotation marks may have lines, and two of these marks for one. A byte
/// order mark in front and rows without any content are passed over.
struct CSVRows {
    /// A row.
    struct Record: Equatable {
        /// The line on which it begins, from 1.
        var line: Int
        /// As they stand, without the quotation marks.
        var cells: [String]
    }

    /// More rows than these, the headings among them, are too large a file.
    static let mostRows = 50_001
    /// More cells are no table of ours.
    static let mostCells = 64
    /// What may stand between the cells of a file; a bar is told apart only to be refused.
    static let separators: [UInt8] = [comma, semicolon, UInt8(ascii: "\t"), bar]
    static let comma = UInt8(ascii: ",")
    static let semicolon = UInt8(ascii: ";")
    static let bar = UInt8(ascii: "|")

    private static let quote = UInt8(ascii: "\"")
    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let bytes: [UInt8]
    private let separator: UInt8
    private var position: Int
    private var line = 1
    private var count = 0

    init(_ bytes: [UInt8], separatedBy separator: UInt8) {
        self.bytes = bytes
        self.separator = separator
        position = Self.start(of: bytes)
    }

    /// What stands most often in the first line that is not blank, outside quotation marks; a
    /// comma, if nothing does.
    static func separator(of bytes: [UInt8]) -> UInt8 {
        var counts = [Int](repeating: 0, count: separators.count)
        var isQuoted = false
        var isBlank = true
        for byte in bytes[start(of: bytes)...] {
            if byte == quote { isQuoted.toggle() }
            if byte == newline, !isQuoted, !isBlank { break }
            if byte > 0x20 { isBlank = false }
            if !isQuoted, let index = separators.firstIndex(of: byte) { counts[index] += 1 }
        }
        let most = counts.max() ?? 0
        return separators[counts.firstIndex(of: most) ?? 0]
    }

    private static func start(of bytes: [UInt8]) -> Int {
        bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
    }

    /// The next row that has any content, or `nil` at the end. Throws for text that is not UTF-8 or
    /// has NUL bytes, for quotation marks that do not fit, and for too many rows or cells.
    mutating func next() throws(HistoryFault) -> Record? {
        while position < bytes.count {
            let record = try row()
            guard record.cells.contains(where: { !$0.isEmpty }) else { continue }
            count += 1
            guard count <= Self.mostRows else {
                throw HistoryFault(
                    code: .tooLarge, line: record.line,
                    "the file has more than \(Self.mostRows - 1) rows below the first: split it by years"
                )
            }
            return record
        }
        return nil
    }

    private mutating func row() throws(HistoryFault) -> Record {
        var record = Record(line: line, cells: [])
        while true {
            record.cells.append(try cell())
            guard record.cells.count <= Self.mostCells else {
                throw HistoryFault(line: record.line, "it has more than \(Self.mostCells) cells")
            }
            guard position < bytes.count else { return record }
            let byte = bytes[position]
            position += 1
            if byte == Self.newline {
                line += 1
                return record
            }
        }
    }

    /// Reads up to the separator or line end behind the cell, or to the end of the file.
    private mutating func cell() throws(HistoryFault) -> String {
        if position < bytes.count, bytes[position] == Self.quote { return try quotedCell() }
        let start = position
        while !isAtEndOfCell { position += 1 }
        var end = position
        if end > start, bytes[end - 1] == Self.carriageReturn, isAtEndOfLine { end -= 1 }
        return try text(bytes[start..<end], line)
    }

    private mutating func quotedCell() throws(HistoryFault) -> String {
        let opened = line
        var content: [UInt8] = []
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == Self.newline { line += 1 }
            if byte != Self.quote {
                content.append(byte)
            } else if position < bytes.count, bytes[position] == Self.quote {
                content.append(byte)
                position += 1
            } else {
                try skipToEndOfCell()
                return try text(content, opened)
            }
        }
        throw HistoryFault(
            line: opened, "a quotation mark is opened and never closed: the file is torn")
    }

    /// Behind a quotation mark that closes a cell, nothing else of the cell may stand.
    private mutating func skipToEndOfCell() throws(HistoryFault) {
        if position < bytes.count, bytes[position] == Self.carriageReturn {
            position += 1
            if isAtEndOfLine { return }
            position -= 1
        }
        guard isAtEndOfCell else {
            throw HistoryFault(
                line: line,
                "behind a closing quotation mark, expected "
                    + String(Unicode.Scalar(separator)).quoted + " or the end of the line")
        }
    }

    private var isAtEndOfLine: Bool {
        position == bytes.count || bytes[position] == Self.newline
    }

    private var isAtEndOfCell: Bool { isAtEndOfLine || bytes[position] == separator }

    private func text(_ bytes: some Collection<UInt8>, _ line: Int) throws(HistoryFault) -> String {
        guard !bytes.contains(0) else { throw HistoryFault(line: line, "it has a NUL byte") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw HistoryFault(line: line, "it is not UTF-8")
        }
        return text
    }
}
