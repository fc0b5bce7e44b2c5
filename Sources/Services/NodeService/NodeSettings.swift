import Broker
import Glibc
import NodeEngine
import Outbox
import NodePipeline
import Platform
import Radio
import Settings
import SiteModel
import Wire

/// What a node needs to start. Which beacons it knows it is told by the coordinator.
struct NodeSettings {
    /// Our name on topics.
    var node: String
    /// The site's name on topics.
    var site: String
    /// The radio as the file names it, and the radio itself, not yet in use.
    var source: String
    var radio: RadioSource
    var scan: ScanSettings
    var broker: BrokerAddress
    /// The directory that keeps the last good configuration.
    var state: String
    /// The file that holds what a coordinator has not stored yet, and its size in MiB.
    var outbox: (path: String, megabytes: Int)
    /// What holds until the coordinator has spoken.
    var fallback: NodeConfiguration
    /// What private addresses and changing names are recognised by.
    var keys: NodeKeys
    var log: Log.Level
    /// Whether the command `restart` is obeyed although nobody may be there to start us again.
    var mayRestart: Bool

    /// Reads a file with the overrides of the environment. Throws every fault at once.
    init(file: String) throws(SettingsError) {
        var settings = try SettingsReader(file: file)
        node = settings.slug("node")
        site = settings.slug("site")
        if site == "core" { settings.refuse("site", "\"core\" cannot be a site, topics use it") }
        scan = settings.section("scan") { ScanSettings(&$0) }
        source = settings.string("radio")
        let radio = Self.radio(&settings, source, scan)
        broker = settings.section("broker") { BrokerAddress(&$0) }
        state = settings.path("state")
        Self.prepare(state, &settings)
        let preset = state + "/outbox.ring"
        outbox = settings.section("outbox") {
            (
                $0.path("path", default: preset),
                $0.int("megabytes", in: Outbox.megabytes, default: 32)
            )
        }
        let profile: NodePolicy.Profile = settings.choice("profile", default: .ranging)
        fallback = NodeConfiguration(
            profile: profile,
            publishesUnregistered: settings.bool("publish_unregistered", default: false),
            maximumRange: Self.range(&settings, in: profile), allowed: NodeKeys.allowed(&settings))
        keys = NodeKeys(&settings, of: file)
        mayRestart = settings.bool("allow_restart", default: false)
        log = settings.choice("log", default: .info)
        try settings.finish()
        guard let radio else { preconditionFailure("a radio that is missing is a fault") }
        self.radio = radio
    }

    /// How far away beacons may seem: `max_range_m`, a number or one for each profile.
    private static func range(
        _ settings: inout SettingsReader, in profile: NodePolicy.Profile
    ) -> Double {
        let limits = 1.0...1000.0
        let preset = NodePolicy.usualRange
        guard settings.holdsSection("max_range_m") else {
            return settings.number("max_range_m", in: limits, default: preset)
        }
        let ranges = settings.section("max_range_m") { section in
            NodePolicy.Profile.allCases.map { each in
                (each, section.number(each.rawValue, in: limits, default: preset))
            }
        }
        return ranges.first { $0.0 == profile }?.1 ?? preset
    }

    private static func radio(
        _ settings: inout SettingsReader, _ source: String, _ scan: ScanSettings
    ) -> RadioSource? {
        guard !source.isEmpty else { return nil }
        do {
            return try RadioSource(source, scan: scan)
        } catch {
            settings.refuse("radio", "\(error)")
            return nil
        }
    }

    private static func prepare(_ directory: String, _ settings: inout SettingsReader) {
        guard !directory.isEmpty else { return }
        let isMade = mkdir(directory, 0o755) == 0 || errno == EEXIST
        guard isMade, access(directory, W_OK | X_OK) == 0 else {
            settings.refuse(
                "state", "\(directory) cannot be written: \(String(cString: strerror(errno)))")
            return
        }
    }
}

extension ScanSettings {
    fileprivate init(_ scan: inout SettingsReader) {
        let preset = ScanSettings()
        self.init(
            intervalMilliseconds: scan.number(
                "interval_ms", in: 2.5...10_240, default: preset.intervalMilliseconds),
            windowMilliseconds: scan.number(
                "window_ms", in: 2.5...10_240, default: preset.windowMilliseconds),
            isActive: scan.bool("active", default: preset.isActive))
        if windowMilliseconds > intervalMilliseconds {
            scan.refuse("window_ms", "longer than interval_ms")
        }
    }
}

extension BrokerAddress {
    fileprivate init(_ broker: inout SettingsReader) {
        let port = Self.usualPort(isEncrypted: broker.holds("tls"))
        self.init(
            host: broker.string("host", default: "127.0.0.1"),
            port: broker.int("port", in: 1...65535, default: port),
            username: broker.stringIfPresent("username"),
            version: broker.choice("protocol", default: .five),
            tls: broker.sectionIfPresent("tls") { BrokerTLS(&$0) })
        if let tls, !tls.authority.isEmpty, let fault = tls.fault {
            broker.refuse("tls", fault.description)
        }
        let isClearAllowed = broker.bool("plaintext", default: false)
        guard let path = broker.pathIfPresent("password_file") else { return }
        if username == nil {
            broker.refuse("password_file", "is of no use without username")
        } else if !isClearAllowed, Self.isInClear(to: host, tls) {
            broker.refuse("tls", Self.clearFault(host))
        }
        do {
            password = try Secret.line(of: path)
        } catch {
            broker.refuse("password_file", "\(path): \(error)")
        }
    }
}

extension BrokerTLS {
    /// Reads `ca`, `certificate` and `key`.
    fileprivate init(_ tls: inout SettingsReader) {
        self.init(
            authority: tls.path("ca"), certificate: tls.pathIfPresent("certificate"),
            key: tls.pathIfPresent("key"))
    }
}

/// The last good configuration on disk, for a start without a broker.
struct SavedConfiguration {
    private let path: String

    /// In a directory that exists.
    init(directory: String) { path = directory + "/configuration.json" }

    /// What was kept, or `nil` if nothing was. Throws when it is there and of no use.
    private func read() throws -> NodeConfiguration? {
        guard let bytes = try File.read(path, limit: NodeConfigurationPayload.limit) else {
            return nil
        }
        return try NodeConfiguration(json: bytes.span)
    }

    /// What to start with: what was kept, or `fallback` if that is nothing, or of no use.
    func configuration(else fallback: NodeConfiguration, _ log: Log) -> NodeConfiguration {
        do {
            if let configuration = try read() {
                log(.info, "starting with the kept configuration \(configuration.policy.revision)")
                return configuration
            }
        } catch {
            log(.warning, "the kept configuration is of no use: \(error)")
        }
        return fallback
    }

    /// Keeps a configuration in the place of the last one.
    func write(_ configuration: NodeConfiguration) throws(File.Failure) {
        try File.replace(path, with: configuration.payload.json)
    }
}
