import Basics
import JSON
import SiteModel
import Platform
import Wire

/// Shows advertisements as they come: a table, or each as a line. What it writes goes to `write`.
///
/// Times are those of the source (of a recording, the recording's) and must not run backwards.
package struct ScanView {
    /// What is shown.
    package enum Form: Equatable {
        /// A table; redrawn in place where `screen` is a terminal.
        case table
        /// Each second, a JSON object for each transmitter.
        case rows
        /// A line for each advertisement.
        case stream
        /// A JSON object for each advertisement.
        case objects
    }

    /// Where a table is drawn.
    package enum Screen {
        /// On a terminal, redrawn in place.
        case terminal(Terminal)
        /// Printed whole every ten seconds, and at the end.
        case repeated
        /// Printed at the end only.
        case last
    }

    /// The silence after which a row leaves the table, except the last one.
    private static let memory = Timestamp.Span.seconds(60)
    private static let redraw = Timestamp.Span.milliseconds(500)
    private static let repetition = Timestamp.Span.seconds(10)

    private let form: Form
    private let screen: Screen
    /// In lower case; empty for everything.
    private let filter: String
    private let write: ([UInt8]) throws -> Void
    package private(set) var table = ScanTable()
    /// What is said above the table.
    package var title: String
    /// What is wrong with the source, or what was left out; empty if nothing.
    package var note = ""
    private var nextDrawing: Timestamp?
    /// On a terminal, by our clock: a recording's may run a hundred times as fast.
    private let wall = AnchoredClock()
    private var second: Int64?
    private var isDrawn = false
    private let clock: ZonedClock
    private var isZoneNamed = false

    /// A view of nothing yet. Only what has `filter` in its name, identity, address, format or
    /// class is shown.
    package init(
        form: Form, screen: Screen, filter: String = "", title: String,
        clock: ZonedClock = .machine, write: @escaping ([UInt8]) throws -> Void
    ) {
        self.form = form
        self.screen = screen
        self.filter = filter.lowercased()
        self.title = title
        self.clock = clock
        self.write = write
    }

    /// Takes in an advertisement. `leftOut`: how many before it were left out, or `nil` if that is
    /// unknown.
    ///
    /// - Throws: What `write` throws, a closed pipe for example.
    package mutating func heard(
        _ advertisement: HeardAdvertisement, at moment: Timestamp, leftOut: Int64? = nil
    ) throws {
        try tick(at: moment)
        let row = table.heard(advertisement, at: moment)
        guard form == .stream || form == .objects, shows(row) else { return }
        var line: [UInt8]
        if form == .stream {
            if !isZoneNamed { try write(Array("\(clock.line)\n".utf8)) }
            isZoneNamed = true
            line = Array(advertisement.line(row, at: clock.time(moment)).utf8)
        } else {
            var json = JSONWriter()
            json.advertisement(advertisement, row, at: moment, leftOut: leftOut)
            line = json.bytes
        }
        line.append(UInt8(ascii: "\n"))
        try write(line)
    }

    /// Time passed: draws or writes what is due.
    ///
    /// - Throws: What `write` throws, a closed pipe for example.
    package mutating func tick(at now: Timestamp) throws {
        switch form {
        case .stream, .objects: return
        case .rows:
            defer { second = max(second ?? now.second, now.second) }
            guard let second, now.second > second else { return }
            // Of a silent hour only what is still remembered is told.
            let last = min(now.second, second + Int64(Self.memory.seconds) + 1)
            for number in second + 1...last { try writeRows(at: Timestamp(second: number)) }
        case .table:
            try drawTable(at: now)
        }
    }

    /// When `tick` will next have something to do.
    package func deadline(after now: Timestamp) -> Timestamp {
        switch form {
        case .stream, .objects: now + .seconds(60)
        case .rows: Timestamp(second: now.second + 1)
        case .table: now + Self.redraw
        }
    }

    /// The end: leaves the terminal as it was, and shows the last table with everything heard.
    ///
    /// - Throws: What `write` throws, a closed pipe for example.
    package mutating func finish(at now: Timestamp) throws {
        restore()
        switch form {
        case .stream, .objects: return
        case .rows: try writeRows(at: now, isLast: true)
        case .table:
            var lines = [heading(at: now)]
            let shown = table.rows().filter(shows)
            lines += ScanScreen(width: width).lines(shown, at: now)
            if shown.isEmpty { lines = [heading(at: now), "nothing heard"] }
            try write(Array((lines.joined(separator: "\n") + "\n").utf8))
        }
    }

    /// Leaves the terminal as it was.
    package mutating func restore() {
        guard isDrawn, case .terminal = screen else { return }
        isDrawn = false
        // Nobody is left to be told if this fails.
        _ = Result { try write(Array(Terminal.leave.utf8)) }
    }

    private var width: Int? {
        if case .terminal(let terminal) = screen { terminal.size.columns } else { nil }
    }

    private mutating func drawTable(at now: Timestamp) throws {
        switch screen {
        case .last: return
        case .repeated:
            if let nextDrawing, now < nextDrawing { return }
            if nextDrawing != nil {
                let rows = table.rows(since: now - Self.memory).filter(shows)
                let lines = [heading(at: now)] + ScanScreen(width: nil).lines(rows, at: now)
                try write(Array((lines.joined(separator: "\n") + "\n\n").utf8))
            }
            nextDrawing = now + Self.repetition
        case .terminal(let terminal):
            if let nextDrawing, wall.now < nextDrawing { return }
            nextDrawing = wall.now + Self.redraw
            try redraw(on: terminal, at: now)
        }
    }

    private mutating func redraw(on terminal: Terminal, at now: Timestamp) throws {
        let size = terminal.size
        let rows = table.rows(since: now - Self.memory).filter(shows)
        let room = max(1, size.rows - 4)
        var lines = [heading(at: now)]
        lines += ScanScreen(width: size.columns).lines(Array(rows.prefix(room)), at: now)
        if rows.count > room { lines.append("… and \(rows.count - room) weaker") }
        lines = lines.map { TerminalText.shortened($0, to: size.columns) }
        let text = (isDrawn ? "" : Terminal.enter) + Terminal.page(lines)
        isDrawn = true
        try write(Array(text.utf8))
    }

    private func heading(at now: Timestamp) -> String {
        let forgotten = table.forgotten == 0 ? "" : ", \(table.forgotten) forgotten"
        let parts = [
            title, "\(table.transmitters) transmitters\(forgotten)",
            "\(table.count) advertisements", "\(clock.time(now)) \(clock.zone)", note,
        ]
        return TerminalText.harmless(parts.filter { !$0.isEmpty }.joined(separator: " · "))
    }

    private func writeRows(at now: Timestamp, isLast: Bool = false) throws {
        var bytes: [UInt8] = []
        let rows = isLast ? table.rows() : table.rows(since: now - Self.memory)
        for row in rows where shows(row) {
            var json = JSONWriter()
            json.row(row, at: now)
            bytes += json.bytes + [UInt8(ascii: "\n")]
        }
        if !bytes.isEmpty { try write(bytes) }
    }

    private func shows(_ row: ScanRow) -> Bool {
        guard !filter.isEmpty else { return true }
        let words =
            [row.id, row.address, row.addressKind, row.name ?? "", row.device?.deviceClass ?? ""]
            + row.formats.flatMap { [$0.rawValue, $0.title] }
        return words.contains { $0.lowercased().contains(filter) }
    }
}
