import Basics

/// The first row of a file of training history: whose columns it has, and where each of them
/// stands. Headings are found in any order and whatever their case.
struct HistoryHeader: Sendable {
    let layout: HistoryFile.Layout
    /// The line on which it stands, from 1.
    let line: Int
    /// The headings as they stand, without blanks around them.
    let names: [String]
    /// Where each stands, by its name in small letters.
    private let indices: [String: Int]

    /// Reads the first row, and gives those that follow it. Throws if it is of no known layout, or
    /// its separator is another than that layout has.
    static func read(
        _ bytes: [UInt8]
    ) throws(HistoryFault) -> (header: HistoryHeader, rows: CSVRows) {
        let separator = CSVRows.separator(of: bytes)
        var rows = CSVRows(bytes, separatedBy: separator)
        guard let first = try rows.next() else { throw HistoryFault("the file is empty") }
        let header = try HistoryHeader(first)
        let expected = header.layout.separators
        guard expected.contains(separator) else {
            let words = (expected + [separator]).map { String(Unicode.Scalar($0)).quoted }
            throw HistoryFault(
                line: first.line,
                "cells are separated by \(words[words.count - 1]), expected "
                    + words.dropLast().joined(separator: " or "))
        }
        return (header, rows)
    }

    private init(_ first: CSVRows.Record) throws(HistoryFault) {
        let names = first.cells.map(\.trimmed)
        var indices: [String: Int] = [:]
        for (index, name) in names.enumerated() {
            guard indices.updateValue(index, forKey: name.lowercased()) == nil else {
                throw HistoryFault(
                    line: first.line, column: name, "the heading is there more than once")
            }
        }
        guard let layout = HistoryFile.Layout(headings: Set(indices.keys)) else {
            throw HistoryFault(
                line: first.line,
                "\(HistoryFault.shown(names.joined(separator: ","), most: 120)) are the headings of"
                    + " no known file, expected ours (workout,started_ms,…), Strong’s"
                    + " (…,Exercise Name,Set Order,…) or Hevy’s (…,exercise_title,…)")
        }
        self.layout = layout
        line = first.line
        self.names = names
        self.indices = indices
    }

    /// Where a column stands, by its name in small letters, or `nil` if there is none.
    func index(of column: String) -> Int? { indices[column] }

    /// The first of some columns that is there.
    func first(of columns: [String]) -> String? { columns.first { indices[$0] != nil } }

    /// Throws if one of some columns is missing.
    func require(_ columns: [String]) throws(HistoryFault) {
        for column in columns where indices[column] == nil {
            throw missing(column)
        }
    }

    /// The refusal of a file that lacks a column.
    func missing(_ column: String) -> HistoryFault {
        HistoryFault(
            line: line,
            "there is no column \(column.quoted), only "
                + HistoryFault.shown(names.joined(separator: ", "), most: 400))
    }
}

extension HistoryFile.Layout {
    /// Which layout has these headings, given in small letters.
    fileprivate init?(headings: Set<String>) {
        if headings.contains("started_ms") {
            self = .own
        } else if headings.contains("exercise_title") {
            self = .hevy
        } else if headings.isSuperset(of: ["exercise name", "set order"]) {
            self = .strong
        } else {
            return nil
        }
    }

    /// What may stand between its cells.
    fileprivate var separators: [UInt8] {
        switch self {
        case .own, .hevy: [CSVRows.comma]
        case .strong: [CSVRows.comma, CSVRows.semicolon]
        }
    }
}

extension String {
    /// Without white space at both ends.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
