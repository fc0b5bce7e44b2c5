import GRDB
import SiteEngine
import SiteModel

extension Database {
    /// Executes a statement, prepared once per connection.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package func run(_ sql: String, _ arguments: StatementArguments = []) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// The rows of a query, each made into a value.
    ///
    /// - Throws: A `DatabaseError`, or what `value` throws.
    package func rows<Value>(
        _ sql: String, _ arguments: StatementArguments = [], as value: (Row) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        let cursor = try Row.fetchCursor(try cachedStatement(sql: sql), arguments: arguments)
        while let row = try cursor.next() { values.append(try value(row)) }
        return values
    }
}

extension Row {
    /// Where something stands, if that was measured.
    package var position: Position? {
        guard let x = self["x_m"] as Double?, let y = self["y_m"] as Double? else { return nil }
        return Position(x: x, y: y)
    }

    /// The floor of a room, if that was measured.
    package var area: Area? {
        if let text = self["corners_m"] as String? {
            return (try? JSONText.value([Double].self, from: text)).flatMap {
                try? Area(numbers: $0)
            }
        }
        guard let lowX = self["low_x_m"] as Double?, let lowY = self["low_y_m"] as Double?,
            let highX = self["high_x_m"] as Double?, let highY = self["high_y_m"] as Double?
        else { return nil }
        return Area(low: Position(x: lowX, y: lowY), high: Position(x: highX, y: highY))
    }

    /// A column of packed seconds by room.
    ///
    /// - Throws: `DamagedRow`; `column` may name its table.
    package func times(_ column: String, of table: String) throws -> [RoomTime] {
        guard let times = Packed.times(from: self[column]) else {
            throw DamagedRow("\(table).\(column)", self)
        }
        return times
    }
}

extension String {
    /// GRDB binds texts up to the first NUL, so NUL is written `\0` and a backslash `\\`.
    package var storable: String {
        guard utf8.contains(0) || utf8.contains(0x5C) else { return self }
        let escaped = utf8.flatMap { byte in
            switch byte {
            case 0: Array("\\0".utf8)
            case 0x5C: Array("\\\\".utf8)
            default: [byte]
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    /// What `storable` made this of.
    package var unstored: String {
        guard utf8.contains(0x5C) else { return self }
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in utf8 {
            if isEscaped || byte != 0x5C { bytes.append(isEscaped && byte == 0x30 ? 0 : byte) }
            isEscaped = !isEscaped && byte == 0x5C
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
