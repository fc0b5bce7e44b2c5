import Foundation

/// Values that no query looks into, as JSON text with sorted keys.
package enum JSONText {
    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }()
    private static let decoder = JSONDecoder()

    /// - Throws: An `EncodingError`, for numbers that JSON does not have (NaN, infinity).
    package static func text(of value: some Encodable) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// - Throws: A `DecodingError` for a text that this release did not write.
    package static func value<Value: Decodable>(_ type: Value.Type, from text: String) throws
        -> Value
    {
        try decoder.decode(type, from: Data(text.utf8))
    }
}
