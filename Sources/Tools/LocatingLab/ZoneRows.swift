/// Writes what a run says as `t_seconds,transmitter_id,zone,confidence`.
struct ZoneRows {
    static let heading = Array("t_seconds,transmitter_id,zone,confidence\n".utf8)
    private static let digits = 4

    private let transmitters: [[UInt8]]
    private let zones: [[UInt8]]

    /// Rows about these transmitters and zones.
    init(transmitters: [String], zones: [String]) {
        self.transmitters = transmitters.map { Self.field($0) }
        self.zones = zones.map { Self.field($0) }
    }

    /// The text of a row, with its end.
    func text(_ row: LocateRun.Row) -> [UInt8] {
        var text = Array(String(row.second).utf8)
        text.append(UInt8(ascii: ","))
        text += transmitters[row.transmitter]
        text.append(UInt8(ascii: ","))
        if let zone = row.zone { text += zones[zone] }
        text.append(UInt8(ascii: ","))
        text += Self.share(row.confidence)
        text.append(UInt8(ascii: "\n"))
        return text
    }

    /// A share with four digits.
    private static func share(_ number: Double) -> [UInt8] {
        guard number > 0 else { return [UInt8(ascii: "0")] }
        let whole = Int((min(number, 1) * LocateRun.steps).rounded())
        let fraction = String(whole % Int(LocateRun.steps))
        return Array("\(whole / Int(LocateRun.steps)).".utf8)
            + Array(repeating: UInt8(ascii: "0"), count: digits - fraction.utf8.count)
            + Array(fraction.utf8)
    }

    /// A name, quoted where it must be.
    private static func field(_ name: String) -> [UInt8] {
        guard name.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else {
            return Array(name.utf8)
        }
        return Array(
            "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
                .utf8)
    }
}
