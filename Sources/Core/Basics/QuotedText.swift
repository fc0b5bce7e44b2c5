extension String {
    /// In quotation marks, with everything escaped that moves a cursor or could be mistaken for
    /// an escape; different texts stay different.
    package var quoted: String {
        let scalars = unicodeScalars.map { scalar in
            if !HarmlessText.isHarmless(scalar) { return HarmlessText.escape(of: scalar) }
            return scalar == "\\" ? "\\\\" : Self(scalar)
        }
        return "“\(scalars.joined())”"
    }
}
