import BrokerAccess
import Operations
import Permissions
import Records
import SiteModel

// What a phone's camera reads: pages show invitations and calendars so. Nothing of it is kept.

extension Operation {
    static let codes = [
        Operation.pure(
            "qr-code", "/api/v1/qr-codes", .session,
            "A text as a QR code (ISO/IEC 18004), without its quiet zone.", .of(CodeText.self),
            answer: .row, refusals: [.tooLarge]
        ) { given in
            guard let code = QRCode(given.text) else {
                throw BooksRefusal(
                    .tooLarge, "text: at most \(CodeText.longest) bytes fit into a QR code")
            }
            return CodeRows(
                rows: (0..<code.size).map { y in
                    let row = code.modules[y * code.size..<(y + 1) * code.size]
                    return String(row.map { $0 ? "1" : "0" })
                })
        }
    ]
}

private struct CodeText: OperationInput {
    /// The longest text that fits, in bytes of UTF-8.
    static let longest = 213

    var text = ""

    static let members: [Member<CodeText>] = [
        .needed("text", .text(1...longest), \.text, "At most \(longest) bytes.")
    ]
}

private struct CodeRows: OperationOutput {
    var rows: [String]

    static let members: [Member<CodeRows>] = [
        .told(
            "rows", .list(.anyText), "From the top; of each module 1 if it is dark.", from: \.rows)
    ]
}
