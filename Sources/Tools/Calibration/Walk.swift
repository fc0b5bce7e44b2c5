import Foundation
import Glibc
import SiteModel
import SiteStore
import Platform

/// Somebody walks by places and says where they are: from a file, or at the keyboard.
package struct Walk {
    /// The route of a file, or `nil` if places are typed on standard input.
    package let route: Route?
    /// How long at most, in seconds.
    package let seconds: Int
    /// Told a line each second, and one for what was typed.
    package let say: (String) -> Void

    package init(route: Route?, seconds: Int, say: @escaping (String) -> Void) {
        self.route = route
        self.seconds = seconds
        self.say = say
    }

    /// Listens until the walk is over. Returns the legs of each carried thing.
    ///
    /// - Throws: An `Exit` with 69 if nothing is heard or the broker is lost, or one for a line
    ///   that cannot be understood.
    package func run(_ following: inout Following) throws -> [[SurveyLeg]] {
        var typed = Route()
        var line: [UInt8] = []
        var isOver = false
        var told = 0
        var start: Timestamp?
        while !isOver {
            if StopSignal.isRaised { break }
            let isReadable = try following.work(input: route == nil ? STDIN_FILENO : nil)
            // Time counts from the first frame on.
            if start == nil, following.heard.contains(where: { $0.first != nil }) {
                start = following.clock.now
                say("go")
            }
            if isReadable {
                let elapsed = start.map { (following.clock.now - $0).seconds } ?? 0
                isOver = try !type(&line, into: &typed, at: elapsed, following.site)
            }
            guard let start else { continue }
            let elapsed = (following.clock.now - start).seconds
            if Int(elapsed) > told {
                told = Int(elapsed)
                say(status(elapsed, (route ?? typed).steps, following))
            }
            let end = min(route?.end ?? Double(seconds), Double(seconds))
            isOver = isOver || elapsed >= end
        }
        guard let start else { return [] }
        // The last frames are on their way.
        let over = following.clock.now
        while following.clock.now - over < .seconds(Double(Following.settled)) {
            _ = try following.work()
        }
        return legs(following, route ?? typed, from: start, to: over)
    }

    /// Takes what was typed. Returns whether there may be more.
    private func type(
        _ line: inout [UInt8], into route: inout Route, at elapsed: Double, _ site: CalibrationSite
    ) throws -> Bool {
        var buffer: [UInt8] = Array(repeating: 0, count: 256)
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0 { return errno == EINTR || errno == EAGAIN }
        guard count > 0 else { return false }
        for byte in buffer.prefix(count) {
            guard byte == UInt8(ascii: "\n") else {
                if line.count < 256 { line.append(byte) }
                continue
            }
            let text = String(decoding: line, as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            line.removeAll()
            if text == "." { return false }
            do {
                let place = text.isEmpty ? nil : try site.place(text)
                route.add(place, at: max(elapsed, (route.steps.last?.at ?? -1) + 0.001))
                say(place.map { "at \(site.text($0)) from now on" } ?? "between places")
            } catch let exit as Exit {
                say(exit.text)
            }
        }
        return true
    }

    private func status(_ elapsed: Double, _ steps: [Route.Step], _ following: Following) -> String
    {
        let now = steps.last { $0.at <= elapsed }
        let place = now?.place.map { following.site.text($0) } ?? "between places"
        let next = steps.first { $0.at > elapsed }.flatMap { step in
            step.place.map {
                "\(following.site.text($0)) in \(Int((step.at - elapsed).rounded(.up))) s"
            }
        }
        var parts = ["\(Int(elapsed)) s", place]
        if let next { parts.append(next) }
        if let range = following.seconds, !following.isHeard(in: range.suffix(5)) {
            parts.append("not heard")
        }
        return parts.joined(separator: " · ")
    }

    private func legs(
        _ following: Following, _ route: Route, from start: Timestamp, to end: Timestamp
    ) -> [[SurveyLeg]] {
        let whole = start.second...max(start.second, end.second)
        return following.carried(in: whole).map { thing in
            let constant = thing.constant(in: whole)
            return route.stays(until: (end - start).seconds).compactMap { stay in
                // A second is named by its end.
                let range =
                    start.second + stay.seconds.lowerBound...start.second + stay.seconds.upperBound
                let seconds = thing.seconds(at: stay.place, in: range, constant: constant)
                guard !seconds.isEmpty else { return nil }
                return SurveyLeg(
                    place: stay.place, source: .walk, carrier: thing.subject.slug,
                    ears: constant.map { thing.ears[$0] }, seconds: seconds)
            }
        }.filter { !$0.isEmpty }
    }
}

extension ClosedRange<Int64> {
    /// The last `count` of them.
    fileprivate func suffix(_ count: Int64) -> ClosedRange<Int64> {
        Swift.max(lowerBound, upperBound - count + 1)...upperBound
    }
}
