import NodeEngine
import NodePipeline
import Platform
import SiteModel
import Wire

/// The machine a node runs on, and whoever supervises it there. Tests put one together.
struct NodeHost {
    /// The wall clock, which may be set while we run.
    var wall: () -> Timestamp = { AnchoredClock.wallNow }
    /// Whether a time server keeps the wall clock.
    var isSynced: () -> Bool = { AnchoredClock.isSynced }
    /// Heat, and what the firmware does about it.
    var figures: () -> MachineFigures = { MachineFigures() }
    /// Whoever started us.
    var manager = ServiceManager()
    /// The light by which a person finds the machine.
    var blinker = IdentifyLED()
}

/// How a node's process and its machine fare, and what its supervisor is told.
struct NodeVitals {
    private var host: NodeHost
    private var process: ProcessFigures
    private var machine: MachineFigures
    private var clock = ClockWatch()

    /// Without a broker, we are ready when we have listened for so long.
    private static let lonely = Timestamp.Span.seconds(10)

    init(_ host: NodeHost, at now: Timestamp) {
        self.host = host
        process = ProcessFigures(at: now)
        machine = host.figures()
    }

    /// The wall clock.
    var wall: Timestamp { host.wall() }

    /// Whether a time server keeps the wall clock.
    var isSynced: Bool { host.isSynced() }

    /// Whether somebody starts us again when we leave.
    var isSupervised: Bool { host.manager.isThere }

    /// What is measured at this moment.
    func gauges(refused: Int64, unsent: Int64) -> NodeMessageEncoder.Gauges {
        var gauges = NodeMessageEncoder.Gauges(
            wall: wall, isSynced: isSynced, refused: refused, memory: ProcessFigures.memory,
            processor: process.processor)
        gauges.unsent = unsent
        gauges.clock = clock
        gauges.temperature = machine.temperature
        gauges.throttled = machine.throttled
        return gauges
    }

    /// Measures what the process costs, for the health that follows.
    mutating func measure(at now: Timestamp) { process.measure(at: now) }

    /// Looks at the machine and its clock, once a second. How far the wall clock is ahead of ours, if
    /// it was set since the last look.
    mutating func look(at now: Timestamp) -> Timestamp.Span? {
        host.blinker.tick(at: now)
        machine = host.figures()
        return clock.look(offset: wall - now) ? clock.offset : nil
    }

    /// What a person should look at. Beside the broker (`isHere`), our clock is that of all we talk to.
    func conditions(isHere: Bool) -> Set<NodeAlert> {
        var conditions: Set<NodeAlert> = []
        if clock.isOff { conditions.insert(.clockStepped) }
        if !isHere, !isSynced { conditions.insert(.clockUnsynced) }
        if machine.isThrottled { conditions.insert(.throttled) }
        if machine.isHot { conditions.insert(.hot) }
        return conditions
    }

    /// Blinks until then. Whether there is a light for it.
    mutating func blink(until end: Timestamp) -> Bool { host.blinker.begin(until: end) }

    /// Tells the supervisor what we do, that we are ready once we are, and, if `isUseful`, that we work.
    /// `listeningSince`: since when the radio has listened, if it does.
    mutating func report(
        _ text: String, isConnected: Bool, listeningSince: Timestamp?, isUseful: Bool,
        at now: Timestamp
    ) {
        host.manager.say("\(text), \(isConnected ? "connected" : "no broker")")
        if let listeningSince, isConnected || now - listeningSince >= Self.lonely {
            host.manager.ready()
        }
        if isUseful { host.manager.feed(at: now) }
    }

    /// The node leaves: the supervisor is told, and the light is as it was.
    mutating func leave(at now: Timestamp) {
        host.manager.stopping()
        host.blinker.tick(at: now, isLeaving: true)
    }
}
