import Broker
import SiteModel
import Platform

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
