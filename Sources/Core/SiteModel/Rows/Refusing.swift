/// An error by which something is refused. Nothing was done, and who asked is told why.
package protocol Refusing: Error {
    /// What machines go by.
    var code: ProblemCode { get }
    /// What is wrong, for people, without a full stop.
    var text: String { get }
}

extension Refusing {
    package var description: String { "\(code.rawValue): \(text)" }
}
