/// Why a radio source cannot be used at all. What may pass (no adapter, nobody at the socket) is
/// told by `RadioEvent` instead and tried again.
package enum RadioError: Error, Equatable, CustomStringConvertible {
    /// The text names no kind of source.
    case unknownSource(String)
    /// What follows `hci:` is no adapter.
    case badAdapter(String)
    /// The file of a recording cannot be opened.
    case cannotOpen(path: String, reason: String)
    /// A socket's path does not fit into a socket address.
    case pathTooLong(path: String, limit: Int)

    /// The fault in words, with what was expected.
    package var description: String {
        switch self {
        case .unknownSource(let text):
            "“\(text)” is no radio: expected hci:hci0, hci:any, btsnoop:FILE or btsnoop:unix:PATH"
        case .badAdapter(let text):
            "“\(text)” is no adapter, or named twice: expected hci0, hci1 …, an address, or any"
        case .cannotOpen(let path, let reason):
            "cannot open \(path): \(reason)"
        case .pathTooLong(let path, let limit):
            "\(path) is longer than the \(limit) bytes a socket's path may have"
        }
    }
}
