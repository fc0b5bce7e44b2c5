import Broker
import Foundation
import Glibc
import Platform
import Registry
import SiteModel

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

/// Listens to a running site and gathers, second by second, what is heard of carried things.
package struct Following {
    /// The seconds without any frame, or without the carried thing, after which it gives up.
    package static let patience: Int64 = 10
    /// How many seconds after the end of a second its frames may arrive.
    package static let settled: Int64 = 2

    package let site: CalibrationSite
    package let listener: FrameListener
    package let clock: AnchoredClock
    package private(set) var heard: [HeardSeconds]
    private let begin: Timestamp

    /// Begins to listen to a site's broker. Throws an `Exit` where that is not possible.
    package init(
        _ subjects: [HeardSeconds.Subject], at site: CalibrationSite, address: BrokerAddress,
        clock: AnchoredClock
    ) throws {
        self.site = site
        self.clock = clock
        listener = try FrameListener(site: site.names.site, address: address, clock: clock)
        heard = subjects.map { HeardSeconds(subject: $0, plan: site.plan, names: site.names) }
        begin = clock.now
    }

    /// Waits a little and takes what came. Returns whether there is something to read on `input`.
    ///
    /// - Throws: An `Exit` with 69 if nothing is heard for `patience` seconds, or if the broker is
    ///   lost.
    package mutating func work(input: Int32? = nil) throws -> Bool {
        let isReadable = try listener.work(input: input)
        for item in listener.take() {
            for index in heard.indices {
                heard[index].heard(item.frame, of: item.node, at: item.at)
            }
        }
        if heard.allSatisfy({ $0.first == nil }),
            clock.now - begin > .seconds(Double(Self.patience))
        {
            throw Exit(code: 69, text: silence)
        }
        return isReadable
    }

    /// The seconds of which all has come, or `nil` if there are none yet.
    package var seconds: ClosedRange<Int64>? {
        guard let first = heard.compactMap(\.first).min() else { return nil }
        // Of the first second the frames of some nodes had come before we listened.
        let last = clock.now.second - Self.settled
        return first + 1 <= last ? first + 1...last : nil
    }

    /// Whether any of the carried things was heard in some seconds.
    package func isHeard(in seconds: ClosedRange<Int64>) -> Bool {
        heard.contains { $0.isHeard(in: seconds) }
    }

    /// Those that were heard at all.
    package func carried(in seconds: ClosedRange<Int64>) -> [HeardSeconds] {
        heard.filter { $0.isHeard(in: seconds) }
    }

    /// How each ear hears the carried thing, the loudest first.
    func qualities(in seconds: ClosedRange<Int64>) -> [EarQuality] {
        heard.flatMap { thing in
            zip(thing.names, thing.levels(in: seconds)).compactMap {
                EarQuality(name: $0, levels: $1)
            }
        }.sorted { ($1.median, $0.name) < ($0.median, $1.name) }
    }

    /// Why nothing comes, and what to do.
    private var silence: String {
        let online = listener.nodesOnline
        let known = site.plan.nodes.map { site.names.nodes.slug($0.id) }
        guard !online.isEmpty else {
            return "no node of site \(site.names.site) is online: is the broker the right one?"
        }
        let ours = online.filter(known.contains)
        guard !ours.isEmpty else {
            return "the nodes online (\(Gathered.list(online))) are not in the site's database"
        }
        return """
            \(Gathered.list(ours)) are online, but send no frames: only nodes of this project in \
            profile ranging do, and to a mobile node only fixed beacons count
            """
    }
}
