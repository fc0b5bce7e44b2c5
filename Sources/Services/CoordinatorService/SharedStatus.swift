import JSON
import Platform
import Positioning
import SiteEngine
import SiteModel
import SitePipeline
import Synchronization
import WebServer
import Wire

/// A copy of the loop's figures for the web server, `/healthz` and `/metrics`.
final class SharedStatus: Sendable {
    /// The figures.
    struct Figures: Sendable {
        var isConnected = false
        /// The broker does not let us read all that others write.
        var isHalfDeaf = false
        /// Why the coordinator cannot do its work; `nil`: it can.
        var obstacle: String? { !isConnected ? "no broker" : isHalfDeaf ? "half-deaf" : nil }
        var messages = 0
        var refused: [String: Int] = [:]
        var factsWaiting = 0
        var commits = 0
        /// Batches of facts that the database refused for good.
        var factsRefused = 0
        /// What keeps the coordinator from recording anything.
        var troubles: [String] = []
        var changes = ChangeCounts()
        var shadow: ShadowState?
        /// How much louder than others nodes hear and beacons send, and what of it is taken off.
        var offsets: [Offset] = []
        /// How much louder receivers hear than when places were taught.
        var surveyBias: [Bias] = []
        /// Notifications made, by kind.
        var notifications: [String: Int] = [:]
        /// Attempts at webhooks, by what came of them.
        var deliveries: [String: Int] = [:]
        /// Messages to browsers, by what came of them.
        var pushes: [String: Int] = [:]
        /// Mails, by what came of them.
        var mails: [String: Int] = [:]
        /// Requests at the socket of the owner that were refused.
        var localRefusals = 0
        /// Requests over MQTT that their client may not make.
        var requestsRefused = 0
        /// What a person should look at.
        var alerts: [RaisedSiteAlert] = []
        /// How the backups fare, or `nil` where none are made.
        var backups: CoreHealthPayload.Backups?
    }

    /// What was learned of a node's or beacon's loudness.
    struct Offset: Sendable {
        /// Its labels in `/metrics`.
        let label: String
        let row: OffsetRow

        init(_ row: OffsetRow, names: Names) {
            self.row = row
            label = SharedStatus.label(of: row.device, names)
        }
    }

    /// How much louder everybody is received than when places were taught.
    struct Bias: Sendable {
        /// Its labels in `/metrics`.
        let label: String
        let decibels: Double

        init(_ ear: Ear, decibels: Double, names: Names) {
            label = SharedStatus.label(of: ear, names)
            self.decibels = decibels
        }
    }

    private static func label(of device: Ear, _ names: Names) -> String {
        switch device {
        case .node(let node): "node=\"\(names.nodes.slug(node))\""
        case .beacon(let beacon): "beacon=\"\(names.beacons.slug(beacon))\""
        }
    }

    private let figures = Mutex(Figures())
    /// How long the loop was at work between two looks at what came.
    let turns = Durations()
    /// How long transactions took, their sync included.
    let transactions = Durations()

    /// Changes the figures.
    func update(_ change: (inout Figures) -> Void) { figures.withLock { change(&$0) } }

    /// Whether the broker hears us.
    var isConnected: Bool { figures.withLock(\.isConnected) }

    /// How the backups fare.
    var backups: CoreHealthPayload.Backups? { figures.withLock(\.backups) }

    /// What `/healthz`, `/readyz` and `/metrics` say.
    var health: Health {
        Health(
            fault: { self.figures.withLock(\.troubles.first) },
            obstacle: { self.figures.withLock(\.obstacle) },
            metrics: { self.metrics })
    }

    /// Prometheus text; names and units as in `DESIGN.md`.
    var metrics: String {
        let now = figures.withLock { $0 }
        var lines = [
            "# TYPE mesh_mqtt_connected gauge",
            "mesh_mqtt_connected \(now.isConnected ? 1 : 0)",
            "# TYPE mesh_mqtt_messages_total counter",
            "mesh_mqtt_messages_total{direction=\"in\"} \(now.messages)",
            "# TYPE mesh_db_transactions_total counter",
            "mesh_db_transactions_total \(now.commits)",
            "# TYPE mesh_facts_waiting gauge",
            "mesh_facts_waiting \(now.factsWaiting)",
            "# TYPE mesh_facts_refused_total counter",
            "mesh_facts_refused_total \(now.factsRefused)",
            "# TYPE mesh_messages_rejected_total counter",
        ]
        for (reason, count) in now.refused.sorted(by: { $0.key < $1.key }) {
            lines.append("mesh_messages_rejected_total{reason=\"\(reason)\"} \(count)")
        }
        lines += [
            "# TYPE mesh_place_changes_total counter",
            "mesh_place_changes_total \(now.changes.changes)",
            "# TYPE mesh_place_flaps_total counter",
            "mesh_place_flaps_total \(now.changes.flaps)",
        ]
        lines += [
            "# TYPE mesh_local_requests_rejected_total counter",
            "mesh_local_requests_rejected_total \(now.localRefusals)",
            "# TYPE mesh_requests_refused_total counter",
            "mesh_requests_refused_total \(now.requestsRefused)",
        ]
        lines.append("# TYPE mesh_loop_turn_seconds histogram")
        lines += turns.lines("mesh_loop_turn_seconds")
        lines.append("# TYPE mesh_db_transaction_seconds histogram")
        lines += transactions.lines("mesh_db_transaction_seconds")
        lines += Self.counter("mesh_notifications_total", "kind", now.notifications)
        lines += Self.counter("mesh_webhook_deliveries_total", "outcome", now.deliveries)
        lines += Self.counter("mesh_push_messages_total", "outcome", now.pushes)
        lines += Self.counter("mesh_mails_total", "outcome", now.mails)
        if let backups = now.backups { lines += Self.metrics(backups) }
        if let shadow = now.shadow { lines += Self.metrics(shadow) }
        lines.append("# TYPE mesh_alerts gauge")
        lines += StoreHealth.Trouble.allCases.map { trouble in
            let count = now.troubles.count { $0 == trouble.rawValue }
            return "mesh_alerts{alert=\"\(trouble.rawValue)\"} \(count)"
        }
        lines += SiteAlert.allCases.map { alert in
            "mesh_alerts{alert=\"\(alert.rawValue)\"} \(now.alerts.count { $0.alert == alert })"
        }
        lines.append("# TYPE mesh_offset_db gauge")
        lines += now.offsets.map { "mesh_offset_db{\($0.label)} \($0.row.offset)" }
        lines.append("# TYPE mesh_offset_applied_db gauge")
        lines += now.offsets.map { "mesh_offset_applied_db{\($0.label)} \($0.row.applied)" }
        lines.append("# TYPE mesh_offset_drift_db gauge")
        lines += now.offsets.map { "mesh_offset_drift_db{\($0.label)} \($0.row.drift ?? 0)" }
        lines.append("# TYPE mesh_survey_bias_db gauge")
        lines += now.surveyBias.map { "mesh_survey_bias_db{\($0.label)} \($0.decibels.inTenths)" }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A counter with one label.
    private static func counter(
        _ name: String, _ label: String, _ counts: [String: Int]
    ) -> [String] {
        ["# TYPE \(name) counter"]
            + counts.sorted { $0.key < $1.key }.map {
                "\(name){\(label)=\"\($0.key)\"} \($0.value)"
            }
    }

    /// When the newest backup was made, and what it took.
    private static func metrics(_ backups: CoreHealthPayload.Backups) -> [String] {
        var lines = [
            "# TYPE mesh_backup_failures_total counter",
            "mesh_backup_failures_total \(backups.failures)",
        ]
        guard let newest = backups.newest else { return lines }
        lines += [
            "# TYPE mesh_backup_timestamp_seconds gauge",
            "mesh_backup_timestamp_seconds \(newest.atMs / 1000)",
            "# TYPE mesh_backup_bytes gauge",
            "mesh_backup_bytes \(newest.bytes)",
        ]
        if let seconds = newest.tookS {
            lines += ["# TYPE mesh_backup_seconds gauge", "mesh_backup_seconds \(seconds)"]
        }
        return lines
    }

    /// How two locators compare, in seconds of people since the plan is in force.
    private static func metrics(_ shadow: ShadowState) -> [String] {
        var lines = [
            "# TYPE mesh_shadow_seconds_total counter",
            "mesh_shadow_seconds_total{places=\"same\"} \(shadow.agreed)",
            "mesh_shadow_seconds_total{places=\"different\"} \(shadow.seconds - shadow.agreed)",
        ]
        let sides = [("deciding", shadow.deciding), ("shadow", shadow.shadow)]
        for (name, kind, value) in [
            ("mesh_shadow_alone_seconds_total", "counter", { "\($0.alone)" }),
            ("mesh_shadow_place_changes_total", "counter", { "\($0.changes)" }),
            ("mesh_shadow_probability", "gauge", { "\($0.probability)" }),
        ] as [(String, String, (ShadowState.Side) -> String)] {
            lines.append("# TYPE \(name) \(kind)")
            for (role, side) in sides {
                let labels = "role=\"\(role)\",method=\"\(side.method.rawValue)\""
                lines.append("\(name){\(labels)} \(value(side))")
            }
        }
        return lines
    }
}

extension SharedStatus.Figures {
    /// Takes over what a pipeline says of itself.
    mutating func take(_ pipeline: Pipeline, names: Names) {
        messages = pipeline.counts.messages
        refused = pipeline.counts.refused
        factsWaiting = pipeline.factsWaiting
        changes = pipeline.mesh.changes.total
        shadow = pipeline.mesh.live.shadow
        offsets = pipeline.mesh.saved.offsets.map { .init($0, names: names) }
        surveyBias = pipeline.mesh.surveyBias.map {
            .init($0.ear, decibels: $0.decibels, names: names)
        }
    }
}

/// The names the page shows beside slugs, as JSON. They travel over HTTP only, never over MQTT.
enum PageNames {
    /// The names of what is in force: those of what was retired are for reports alone, and where the
    /// page still speaks of such a place, as in `why`, it has the slug.
    static func json(_ names: Names, in plan: Plan) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("site")
        writer.beginObject()
        writer.field("id", names.site)
        writer.field("name", names.siteName)
        writer.field("demo", names.isDemo)
        writer.endObject()
        write("rooms", names.rooms, of: plan.rooms.map(\.id), to: &writer)
        write("stations", names.stations, of: plan.stations.map(\.id), to: &writer)
        write("nodes", names.nodes, of: plan.nodes.map(\.id), to: &writer)
        write("users", names.users, of: plan.users.map(\.id), to: &writer)
        write("beacons", names.beacons, of: plan.beacons.map(\.id), to: &writer)
        writer.key("exercises")
        writer.beginObject()
        for exercise in names.exercises { writer.field(exercise.slug, exercise.name) }
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }

    private static func write<Of>(
        _ key: String, _ table: NameTable<Of>, of rows: [ID<Of>], to writer: inout JSONWriter
    ) {
        writer.key(key)
        writer.beginObject()
        for entry in rows.compactMap(table.entry) { writer.field(entry.slug, entry.name) }
        writer.endObject()
    }
}
