import MeshCore

/// Why the books refused something. Nothing was written.
public struct BooksRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// The code that REST and MQTT answer with.
    public var code: Answer.Refusal
    /// What is wrong, and where; for people.
    public var text: String

    /// A refusal.
    public init(_ code: Answer.Refusal, _ text: String) {
        self.code = code
        self.text = text
    }

    /// The code and the text.
    public var description: String { "\(code.rawValue): \(text)" }
}
