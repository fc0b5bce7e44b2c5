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
