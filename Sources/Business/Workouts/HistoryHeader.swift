import Basics

/// The first row of a file of training history: whose columns it has, and where each of them
/// stands. Headings are found in any order and whatever their case.
struct HistoryHeader: Sendable {
    let layout: HistoryFile.Layout
    /// The line on which it stands, from 1.
    let line: Int
    /// The headings as they stand, without blanks around them.
    let names: [String]
    /// The same by the names that the readers know.
    let columns: [String]
    /// Where each stands, by its name in small letters.
    private let indices: [String: Int]

    /// The headings of Strong's export in other languages, folded, with the English ones. Those in German are facts from
    /// the notes of a program that reads such files (statlift); of other languages none were found.
    private static let translations = [
        "datum": "date", "workoutname": "workout name", "name der ubung": "exercise name",
        "reihenfolge festlegen": "set order", "gewicht": "weight", "gewichtseinheit": "weight unit",
        "wiederh": "reps", "wiederholungen": "reps", "entfernung": "distance",
        "entfernungseinheit": "distance unit", "sekunden": "seconds", "notizen": "notes",
        "workoutnotizen": "workout notes", "dauer": "duration", "workoutdauer": "workout duration",
    ]

    /// Reads the first row, and gives those that follow it. Throws if it is of no known layout.
    static func read(
        _ bytes: [UInt8]
    ) throws(HistoryFault) -> (header: HistoryHeader, rows: CSVRows) {
        let separator = CSVRows.separator(of: bytes)
        var rows = CSVRows(bytes, separatedBy: separator)
        guard let first = try rows.next() else { throw HistoryFault("the file is empty") }
        let header = try HistoryHeader(first)
        guard separator != CSVRows.bar else {
            throw HistoryFault(
                line: first.line,
                "cells are separated by \("|".quoted), expected a comma, a semicolon or a tab")
        }
        return (header, rows)
    }

    private init(_ first: CSVRows.Record) throws(HistoryFault) {
        let names = first.cells.map(\.trimmed)
        var indices: [String: Int] = [:]
        for (index, name) in names.enumerated() {
            guard indices.updateValue(index, forKey: Self.known(name)) == nil else {
                throw HistoryFault(
                    line: first.line, column: name, "the heading is there more than once")
            }
        }
        guard let layout = HistoryFile.Layout(headings: Set(indices.keys)) else {
            throw HistoryFault(
                line: first.line,
                "\(HistoryFault.shown(names.joined(separator: ","), most: 120)) are the headings of"
                    + " no known file, expected ours (workout,started_ms,…), Strong’s"
                    + " (…,Exercise Name,Set Order,…) or Hevy’s (…,exercise_title,…);"
                    + " if the app is set to another language, set it to English and export again")
        }
        self.layout = layout
        line = first.line
        self.names = names
        columns = names.map { Self.known($0) }
        self.indices = indices
    }

    /// A heading in small letters, and in English where it is known in another language: also with the unit that may
    /// stand behind it.
    private static func known(_ name: String) -> String {
        let small = name.lowercased()
        let unit = small.firstIndex(of: "(").map { small[$0...] } ?? ""
        let stem = small.dropLast(unit.count).split(separator: " ").map { RegionalText.fold($0) }
            .joined(separator: " ")
        return translations[stem].map { unit.isEmpty ? $0 : "\($0) \(unit)" } ?? small
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
