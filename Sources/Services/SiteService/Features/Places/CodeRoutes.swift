import BrokerAccess
import JSON
import Permissions
import SiteModel
import WebServer

/// Draws what a phone's camera reads: pages show invitations and calendars so. Nothing of it is kept.
struct CodeRoutes: Sendable {
    /// The longest text that fits, in bytes of UTF-8.
    private static let longest = 213

    var all: [Route] {
        [
            Route(
                .post, "/api/v1/qr-codes", .session, whose: .each,
                about: RouteText(
                    "A text as a QR code (ISO/IEC 18004), without its quiet zone.",
                    body: [
                        .init(
                            "text", .text(1...Self.longest), isNeeded: true,
                            "At most \(Self.longest) bytes.")
                    ],
                    answer: [
                        .always(
                            "rows", .list(.anyText), "From the top; of each module 1 if it is dark."
                        )
                    ], refusals: [.tooLarge], isPure: true)
            ) { request in
                let text = try Reading.body(request, known: ["text"]) {
                    (object, json) throws(PayloadError) in
                    try object.required("text", json).text(json, limit: Self.longest)
                }
                guard !text.isEmpty else { throw RouteProblem(.schema, "text: a text expected.") }
                guard let code = QRCode(text) else {
                    throw RouteProblem(
                        .tooLarge, "text: at most \(Self.longest) bytes fit into a QR code.")
                }
                var json = JSONWriter()
                json.beginObject()
                json.key("rows")
                json.beginArray()
                for y in 0..<code.size {
                    let row = code.modules[y * code.size..<(y + 1) * code.size]
                    json.string(String(row.map { $0 ? "1" : "0" }))
                }
                json.endArray()
                json.endObject()
                return .json(String(decoding: json.bytes, as: UTF8.self) + "\n")
            }
        ]
    }
}
