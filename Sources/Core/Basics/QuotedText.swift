extension String {
    /// In quotation marks, with everything escaped that moves a cursor or could be mistaken for
    /// an escape; different texts stay different.
    package var quoted: String {
        let scalars = unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                "\\u{\(Self(scalar.value, radix: 16))}"
            default: scalar == "\\" ? "\\\\" : Self(scalar)
            }
        }
        return "“\(scalars.joined())”"
    }
}
