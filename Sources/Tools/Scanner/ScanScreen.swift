import Basics
import BeaconDecoding
import Glibc
import SiteModel

/// Draws the rows of a scan as a table.
struct ScanScreen {
    /// One column.
    private struct Column {
        var heading: String
        var width: Int
        var isNumber = false
    }

    /// The columns that a terminal has, or `nil` for as many as are needed.
    var width: Int?

    /// The table of `rows` at `now`, headings first.
    func lines(_ rows: [ScanRow], at now: Timestamp) -> [String] {
        let cells = rows.map { Self.cells($0, at: now, past: past) }
        let columns = columns(for: cells)
        let heading = columns.map { Self.fitted($0.heading, to: $0) }
        return ([heading] + cells.map { row in zip(row, columns).map(Self.fitted) })
            .map { cells in Self.line(cells) }
    }

    /// The seconds of the past that are drawn.
    private var past: Int {
        switch width ?? .max {
        case ..<72: 0
        case ..<100: 10
        case ..<130: 20
        default: ScanRow.memory
        }
    }

    private static func cells(_ row: ScanRow, at now: Timestamp, past: Int) -> [String] {
        [
            row.smoother.level.map { "\(Int($0.dBm.rounded()))" } ?? "?",
            rate(row.rate(at: now)), age(now - row.last),
            Sparkline.text(row.levels(at: now, length: past)),
            row.name.map { TerminalText.harmless($0) } ?? "–",
            row.formats.isEmpty ? "–" : row.formats.map(\.title).joined(separator: ", "),
            row.device?.deviceClass ?? "–", identity(row),
        ]
    }

    /// What a site file can register, or the address with what sort it is: nobody registers that.
    private static func identity(_ row: ScanRow) -> String {
        let text = TerminalText.harmless(row.id)
        return row.id == row.address && !row.addressKind.isEmpty
            ? "\(text) (\(row.addressKind))" : text
    }

    private static func rate(_ rate: Double) -> String {
        rate < 9.95 ? "\((rate * 10).rounded() / 10)" : "\(Int(rate.rounded()))"
    }

    private static func age(_ age: Timestamp.Span) -> String {
        let seconds = max(0, age.milliseconds) / 1000
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return "\(seconds / 60) min"
        default: return "\(seconds / 3600) h"
        }
    }

    /// As wide as what stands in them, the last four shortened to fit the terminal, the class left
    /// out where there is no room for it.
    private func columns(for rows: [[String]]) -> [Column] {
        let headings = [
            "dBm", "/s", "age", past == 0 ? "" : "last \(past) s", "name", "format", "class",
            "identity",
        ]
        var columns = headings.enumerated().map { index, heading in
            let widest = rows.map { TerminalText.columns($0[index]) }.max() ?? 0
            return Column(
                heading: heading, width: max(widest, TerminalText.columns(heading)),
                isNumber: index < 3)
        }
        if past == 0 { columns[3].width = 0 }
        guard let width else { return columns }
        if width < 90 { columns[6].width = 0 }
        // Names are chosen by strangers: one must not push out everything else.
        columns[4].width = min(columns[4].width, max(8, width / 6))
        columns[5].width = min(columns[5].width, max(7, width / 7))
        columns[6].width = min(columns[6].width, max(0, width / 8))
        let others = columns.dropLast().reduce(0) { $0 + ($1.width == 0 ? 0 : $1.width + 2) }
        columns[7].width = min(columns[7].width, max(8, width - others))
        return columns
    }

    private static func fitted(_ text: String, to column: Column) -> String {
        if column.isNumber {
            let blanks = max(0, column.width - TerminalText.columns(text))
            return String(repeating: " ", count: blanks) + text
        }
        return TerminalText.fitted(
            TerminalText.shortened(text, to: column.width), to: column.width)
    }

    private static func line(_ cells: [String]) -> String {
        let text = cells.filter { !$0.isEmpty }.joined(separator: "  ")
        return String(text.reversed().drop { $0 == " " }.reversed())
    }
}

/// Levels as a row of blocks.
enum Sparkline {
    private static let blocks = Array("▁▂▃▄▅▆▇█")
    /// From the weakest that is received at all to an arm's length away, in dBm.
    private static let scale = -100.0 ... -40.0

    /// A block a level, a dot for none.
    static func text(_ levels: [Double?]) -> String {
        String(
            levels.map { level in
                guard let level else { return "·" }
                let share = (level - scale.lowerBound) / (scale.upperBound - scale.lowerBound)
                let place = Int((min(max(share, 0), 1) * 8).rounded(.down))
                return blocks[min(place, blocks.count - 1)]
            })
    }
}

extension BeaconFrame.Format {
    /// The format as people call it.
    package var title: String {
        switch self {
        case .iBeacon: "iBeacon"
        case .altBeacon: "AltBeacon"
        case .eddystoneUID: "Eddystone-UID"
        case .eddystoneURL: "Eddystone-URL"
        case .eddystoneTLM: "Eddystone-TLM"
        case .eddystoneETLM: "Eddystone-eTLM"
        case .eddystoneEID: "Eddystone-EID"
        case .eddystoneUnknown: "Eddystone"
        case .exposureNotification: "Exposure"
        case .bthome: "BTHome"
        case .ruuviTag: "RuuviTag"
        }
    }
}

/// The terminal that standard output is, if it is one.
package struct Terminal {
    private let descriptor: Int32

    /// `nil` where `descriptor` is no terminal, or one that cannot be redrawn.
    package init?(descriptor: Int32 = STDOUT_FILENO) {
        guard isatty(descriptor) == 1, let kind = getenv("TERM"), strcmp(kind, "dumb") != 0 else {
            return nil
        }
        self.descriptor = descriptor
    }

    /// How many columns and rows it has now; it may change at any time.
    package var size: (columns: Int, rows: Int) {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else {
            return (80, 24)
        }
        return (Int(window.ws_col), max(5, Int(window.ws_row)))
    }

    /// Turns to a page of its own, without a cursor: what was there before comes back with `leave`.
    package static let enter = "\u{1B}[?1049h\u{1B}[?25l"
    /// Turns back.
    package static let leave = "\u{1B}[?25h\u{1B}[?1049l"

    /// Writes lines over what is there, without clearing first, which would flicker.
    package static func page(_ lines: [String]) -> String {
        "\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J"
    }
}
