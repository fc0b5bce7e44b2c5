import SiteModel

/// Why the books refused something. Nothing was written.
package struct BooksRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// The code that REST and MQTT answer with.
    package var code: Answer.Refusal
    /// What is wrong, and where; for people.
    package var text: String

    /// A refusal.
    package init(_ code: Answer.Refusal, _ text: String) {
        self.code = code
        self.text = text
    }

    /// The code and the text.
    package var description: String { "\(code.rawValue): \(text)" }
}
