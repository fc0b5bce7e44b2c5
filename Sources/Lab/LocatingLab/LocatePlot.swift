import Basics
import Foundation
import Positioning
import SiteModel
import SurveyFiles

/// Draws where transmitters were said to be, second by second, beside where they truly were: for
/// each a row of bars for the truth, one for what was decided, and under it a row for each zone,
/// the darker the more probable. An SVG that needs no script.
struct LocatePlot {
    /// What was said and what is known of one transmitter.
    struct Panel {
        var name: String
        /// The first whole second; one answer a second follows.
        var first: Int
        var zones: [Int?] = []
        /// By second, then zone: its probability.
        var posterior: [[Double]] = []
        /// The truth, empty where none is known.
        var truth: [(start: Double, end: Double, zone: Int)] = []
    }

    private enum Size {
        static let left = 132.0
        static let right = 24.0
        static let width = 1_100.0
        static let top = 64.0
        static let bar = 20.0
        static let line = 16.0
        static let gap = 6.0
        static let between = 46.0
        static let bottom = 40.0
        static let legendItem = 150.0
        static let legendRow = 22.0
    }

    /// The most columns of a picture, to which seconds are joined: a wider one would be no sharper.
    private static let columns = 900
    /// Cells below are left out.
    private static let faintest = 0.02

    private let title: String
    private let zones: [String]
    private let panels: [Panel]

    /// A picture of these zones; every panel names them by index.
    init(title: String, zones: [String], panels: [Panel]) {
        self.title = title
        self.zones = zones
        self.panels = panels
    }

    /// The picture.
    var svg: String {
        let perRow = max(1, Int((Size.width - Size.left - Size.right) / Size.legendItem))
        let legendRows = (zones.count + perRow - 1) / perRow
        let top = Size.top + Double(legendRows) * Size.legendRow + Size.gap
        let total = top + panels.reduce(0) { $0 + height(of: $1) } + Size.bottom
        var svg = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(text(Size.width)) \(text(total))" \
            width="\(text(Size.width))" height="\(text(total))" \
            font-family="system-ui, sans-serif" font-size="12" fill="#1f2430">
            <rect width="100%" height="100%" fill="#ffffff"/>
            <text x="24" y="30" font-size="17" font-weight="600">\(escaped(title))</text>
            <text x="24" y="50" fill="#5b6472">Bars: where the transmitter was and was said to be. \
            Rows: the probability of each zone, the darker the more.</text>

            """
        for zone in zones.indices {
            let x = 24 + Double(zone % perRow) * Size.legendItem
            let y = Size.top + Double(zone / perRow) * Size.legendRow
            svg += rectangle(x, y, 14, 14, fill: color(zone))
            svg += label(x + 20, y + 12, zones[zone])
        }
        var y = top
        for panel in panels {
            svg += draw(panel, at: y)
            y += height(of: panel)
        }
        return svg + "</svg>\n"
    }

    private func height(of panel: Panel) -> Double {
        let bars = panel.truth.isEmpty ? 1.0 : 2.0
        return 26 + bars * (Size.bar + Size.gap) + Double(zones.count) * Size.line + Size.between
    }

    private func draw(_ panel: Panel, at top: Double) -> String {
        let last = panel.first + panel.zones.count
        let start = min(Double(panel.first), panel.truth.map(\.start).min() ?? .infinity)
        let end = max(Double(last), panel.truth.map(\.end).max() ?? 0, start + 1)
        let scale = (Size.width - Size.left - Size.right) / (end - start)
        let x = { (second: Double) in Size.left + (second - start) * scale }
        var svg = label(24, top + 14, panel.name, style: " font-weight=\"600\"")
        var y = top + 26
        if !panel.truth.isEmpty {
            svg += label(Size.left - 10, y + 14, "truth", style: Self.atEnd)
            for visit in panel.truth {
                svg += rectangle(
                    x(visit.start), y, (visit.end - visit.start) * scale, Size.bar,
                    fill: color(visit.zone), title: zones[visit.zone])
            }
            y += Size.bar + Size.gap
        }
        svg += label(Size.left - 10, y + 14, "decided", style: Self.atEnd)
        for run in Self.runs(panel.zones) {
            guard let zone = run.zone else { continue }
            let from = Double(panel.first + run.from)
            svg += rectangle(
                x(from), y, Double(run.count) * scale, Size.bar, fill: color(zone),
                title: "\(zones[zone]), from \(Int(from)) s")
        }
        y += Size.bar + Size.gap
        let step = max(1, (panel.posterior.count + Self.columns - 1) / Self.columns)
        for zone in zones.indices {
            svg += label(Size.left - 10, y + 12, zones[zone], style: Self.atEnd)
            svg += rectangle(
                Size.left, y, Size.width - Size.left - Size.right, Size.line - 2, fill: "#f3f5f8")
            svg += cells(of: zone, in: panel, step: step).map { cell in
                rectangle(
                    x(Double(panel.first + cell.from)), y, Double(cell.count) * scale,
                    Size.line - 2, fill: color(zone), opacity: cell.value)
            }.joined()
            y += Size.line
        }
        return svg + axis(from: start, to: end, y: y, x: x)
    }

    private static let atEnd = " text-anchor=\"end\""

    /// Stretches of one probability, in steps of a twentieth.
    private func cells(
        of zone: Int, in panel: Panel, step: Int
    ) -> [(from: Int, count: Int, value: Double)] {
        var cells: [(from: Int, count: Int, value: Double)] = []
        for from in stride(from: 0, to: panel.posterior.count, by: step) {
            let seconds = panel.posterior[from..<min(from + step, panel.posterior.count)]
            let mean =
                seconds.reduce(0) { $0 + (zone < $1.count ? $1[zone] : 0) } / Double(seconds.count)
            guard mean >= Self.faintest else { continue }
            let value = max((mean * 20).rounded() / 20, 0.05)
            if let last = cells.last, last.from + last.count == from, last.value == value {
                cells[cells.count - 1].count += seconds.count
            } else {
                cells.append((from, seconds.count, value))
            }
        }
        return cells
    }

    private func axis(
        from start: Double, to end: Double, y: Double, x: (Double) -> Double
    ) -> String {
        let steps = [
            1.0, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 21_600, 86_400,
        ]
        let step = steps.first { (end - start) / $0 <= 12 } ?? ((end - start) / 12)
        var svg = ""
        var mark = (start / step).rounded(.up) * step
        while mark <= end {
            svg += """
                <line x1="\(text(x(mark)))" y1="\(text(y))" x2="\(text(x(mark)))" \
                y2="\(text(y + 5))" stroke="#8a93a3"/>

                """
            svg += label(
                x(mark), y + 18, String(Int(mark)),
                style: " text-anchor=\"middle\" fill=\"#5b6472\"")
            mark += step
        }
        let middle = Size.left + (Size.width - Size.left - Size.right) / 2
        return svg
            + label(middle, y + 34, "seconds", style: " text-anchor=\"middle\" fill=\"#5b6472\"")
    }

    /// Stretches of one answer.
    private static func runs(_ zones: [Int?]) -> [(from: Int, count: Int, zone: Int?)] {
        zones.enumerated().reduce(into: []) { runs, second in
            if let last = runs.last, last.zone == second.element {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((second.offset, 1, second.element))
            }
        }
    }

    private func rectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, fill: String,
        opacity: Double = 1, title: String? = nil
    ) -> String {
        let shape = """
            <rect x="\(text(x))" y="\(text(y))" width="\(text(width))" height="\(text(height))" \
            fill="\(fill)"\(opacity < 1 ? " fill-opacity=\"\(text(opacity))\"" : "")
            """
        guard let title else { return shape + "/>\n" }
        return shape + "><title>\(escaped(title))</title></rect>\n"
    }

    private func label(_ x: Double, _ y: Double, _ words: String, style: String = "") -> String {
        let short = words.count > 18 ? words.prefix(17) + "…" : words[...]
        return "<text x=\"\(text(x))\" y=\"\(text(y))\"\(style)>\(escaped(String(short)))</text>\n"
    }

    /// Hues a golden angle apart, so that neighbours in the list differ.
    private func color(_ zone: Int) -> String {
        let hue = (205 + Int((Double(zone) * 137.508).rounded())) % 360
        return "hsl(\(hue), 62%, \(zone % 2 == 0 ? 44 : 56)%)"
    }

    private func text(_ number: Double) -> String { String(format: "%.2f", number) }

    private func escaped(_ words: String) -> String {
        words.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            // Of names in a file; XML allows no controls.
            case _ where !HarmlessText.isHarmless(scalar): break
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

/// Gathers what a picture of a run shows.
struct LocateSketch {
    /// How many transmitters one picture can tell apart.
    private static let most = 24

    private let site: RecordedSite
    private var zones: [String]
    private var panels: [LocatePlot.Panel]

    /// A picture of what will be said of these readings, beside the truth.
    init(_ readings: RecordedReadings, at site: RecordedSite, truth: RecordedTruth) {
        self.site = site
        var zones = site.zones.map(\.id)
        panels = readings.transmitters.prefix(Self.most).enumerated().map { who, name in
            var panel = LocatePlot.Panel(name: name, first: readings.firstSeconds[who])
            panel.truth = (truth.visits[name] ?? []).map { visit in
                // A zone that only the truth knows is drawn, too.
                let zone = zones.firstIndex(of: visit.zone) ?? zones.count
                if zone == zones.count { zones.append(visit.zone) }
                return (visit.start, visit.end, zone)
            }
            return panel
        }
        self.zones = zones
    }

    /// A row was written.
    mutating func add(_ row: LocateRun.Row, _ locating: Locating) {
        guard row.transmitter < panels.count else { return }
        panels[row.transmitter].zones.append(row.zone)
        panels[row.transmitter].posterior.append(
            site.zones.indices.map { zone in
                locating.probability(
                    user: row.transmitter, room: RecordedSite.place(of: zone).room, station: nil)
            })
    }

    /// The picture.
    func svg(method: LocatingPolicy.Method) -> String {
        LocatePlot(title: "\(site.name), \(method.rawValue)", zones: zones, panels: panels).svg
    }
}
