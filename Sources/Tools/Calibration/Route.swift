import Foundation
import SiteModel
import Platform

/// Where somebody is at which time of a walk.
package struct Route {
    /// The places, each with the second after the start from which the person is there; `nil`:
    /// between places, or the walk is over.
    package struct Step: Equatable {
        package var at: Double
        package var place: Place?

        package init(at: Double, place: Place? = nil) {
            self.at = at
            self.place = place
        }
    }

    /// In order of time.
    package private(set) var steps: [Step] = []

    package init() {}

    /// Reads lines `t,place`: seconds since the start, and a room or station or nothing. A line that
    /// begins with `t` is a header. Throws an `Exit` that names line and reason.
    package init(csv text: String, named file: String, at site: CalibrationSite) throws {
        for (index, line) in text.split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).enumerated() {
            let cells = line.split(separator: ",", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            if cells == [""] || (index == 0 && cells[0].hasPrefix("t")) { continue }
            let fault = "\(file):\(index + 1)"
            guard cells.count == 2, let at = Double(cells[0]), (0...86_400).contains(at) else {
                throw Exit(
                    code: 78, text: "\(fault): expected seconds since the start, and a place")
            }
            if let last = steps.last, at <= last.at {
                throw Exit(code: 78, text: "\(fault): \(cells[0]) is not after the line before")
            }
            do {
                try add(cells[1].isEmpty ? nil : site.place(cells[1]), at: at)
            } catch let exit as Exit {
                throw Exit(code: 78, text: "\(fault): \(exit.text)")
            }
        }
        guard steps.contains(where: { $0.place != nil }) else {
            throw Exit(code: 78, text: "\(file): names no place")
        }
    }

    /// From now on they are at a place.
    package mutating func add(_ place: Place?, at moment: Double) {
        steps.append(Step(at: moment, place: place))
    }

    /// When the last place is left, if that is said.
    package var end: Double? { steps.last.flatMap { $0.place == nil ? $0.at : nil } }

    /// The whole seconds at each place until the walk ended. Who presses a key is up to a second
    /// early or late, so the seconds next to a change are left out.
    package func stays(until end: Double) -> [(place: Place, seconds: ClosedRange<Int64>)] {
        steps.indices.compactMap { index in
            guard let place = steps[index].place else { return nil }
            let next = index + 1 < steps.count ? steps[index + 1].at : end
            let (first, last) = (steps[index].at + 2, min(next, end) - 1)
            guard first <= last else { return nil }
            return (place, Int64(first.rounded(.up))...max(Int64(first.rounded(.up)), Int64(last)))
        }
    }
}
