import Basics
import SiteModel

/// Why a file of training history is refused. Nothing of it was taken.
package struct HistoryFault: Refusing, Equatable, Sendable, CustomStringConvertible {
    /// `schema`, or `tooLarge` where the whole file is beyond a limit.
    package var code: ProblemCode
    /// The line on which the row begins, from 1; `nil`: the whole file is meant.
    package var line: Int?
    /// The column, as its heading stands in the file; `nil`: the whole row is meant.
    package var column: String?
    /// What stands there, and what was expected.
    package var reason: String

    package init(
        code: ProblemCode = .schema, line: Int? = nil, column: String? = nil, _ reason: String
    ) {
        self.code = code
        self.line = line
        self.column = column
        self.reason = reason
    }

    package var text: String {
        var places: [String] = []
        if let line { places.append("line \(line)") }
        if let column { places.append("column \(Self.shown(column))") }
        return places.isEmpty ? reason : "\(places.joined(separator: ", ")): \(reason)"
    }

    /// Text of a file as a fault shows it: in quotation marks, harmless, at most `most` characters
    /// and “…”.
    static func shown(_ text: String, most: Int = 40) -> String {
        let scalars = text.unicodeScalars
        return String(scalars.prefix(most)).quoted + (scalars.count > most ? "…" : "")
    }
}
