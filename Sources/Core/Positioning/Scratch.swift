extension Weighing {
    /// Room for the numbers of one weighing, kept so that none is allocated for each second.
    struct Scratch: Sendable {
        /// By ear: whether it works at all now, and whether it listened in the second weighed.
        var isUsable: [Bool]
        var isListening: [Bool]
        /// By ear: what it heard in the second, and the steadied level.
        var heard: [Double?]
        var steady: [Double?]
        /// By zone: the loudest steadied level, and what speaks for it.
        var levels: [Double]
        var zoneTerms: [Double]
        var spotTerms: [Double]
        /// By zone: the spots together, and the place as a whole.
        var spotSums: [Double]
        var wholes: [Double]
        /// By zone: what the latest second alone says, and whether any of its ears works.
        var now: [Double]
        var isEared: [Bool]

        init(zones: Int, ears: Int) {
            isUsable = Array(repeating: true, count: ears)
            isListening = Array(repeating: false, count: ears)
            heard = Array(repeating: nil, count: ears)
            steady = Array(repeating: nil, count: ears)
            levels = Array(repeating: -.infinity, count: zones)
            zoneTerms = Array(repeating: 0, count: zones)
            spotTerms = Array(repeating: 0, count: zones)
            spotSums = Array(repeating: 0, count: zones)
            wholes = Array(repeating: 0, count: zones)
            now = Array(repeating: 0, count: zones)
            isEared = Array(repeating: false, count: zones)
        }
    }
}
