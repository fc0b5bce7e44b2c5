import Logging
import SitePipeline
import SiteModel
import Wire

/// Says in the log which alerts begin and which are over.
struct AlertLog {
    /// What a person was told to look at.
    private(set) var alerts: [RaisedSiteAlert] = []
    private let logger: Logger
    /// The coordinator's user name at the broker, if it has one.
    private let user: String?

    init(_ logger: Logger, user: String?) {
        self.logger = logger
        self.user = user
    }

    /// Says what is new of `raised`. Whether anything is.
    mutating func say(_ raised: [RaisedSiteAlert], names: Names, clock: LoopClock) -> Bool {
        guard raised != alerts else { return false }
        let isSame = { (a: RaisedSiteAlert, b: RaisedSiteAlert) in
            a.alert == b.alert && a.node == b.node && a.user == b.user
        }
        for alert in raised where !alerts.contains(where: { isSame($0, alert) }) {
            let level: Logger.Level = alert.alert == .setAside ? .critical : .error
            logger.log(
                level: level,
                "alert \(alert.alert.rawValue): \(text(of: alert, names: names, clock: clock))"
            )
        }
        for alert in alerts where !raised.contains(where: { isSame($0, alert) }) {
            let slug = alert.node.flatMap { names.nodes.entry($0)?.slug }
            let user = alert.user.map { " of user \(names.users.slug($0))" } ?? ""
            let node = slug.map { " of node \($0)" } ?? user
            logger.notice("alert \(alert.alert.rawValue)\(node) is over")
        }
        alerts = raised
        return true
    }

    private func text(
        of raised: RaisedSiteAlert, names: Names, clock: LoopClock
    ) -> String {
        let node = raised.node.map { names.nodes.slug($0) } ?? ""
        return switch raised.alert {
        case .duplicateID where raised.node == nil:
            """
            three times within ten minutes our connection to the broker ended within a minute, and the             broker took us again at once: another client signs in as \(user ?? "us"), or the broker cuts us             off. Its log has the address (“New client connected from”, after “already connected, closing             old connection”): stop that one, or revoke and enrol \(user ?? "the coordinator") for another             password; see that the broker has the files of this release (beaconmesh broker config)
            """
        case .duplicateID:
            """
            two nodes go by the id \(node), and throw each other off the broker: give the copy an id \
            and an outbox of its own
            """
        case .halfDeaf:
            """
            the broker refuses subscriptions, and is asked again and again: see its log and its access list. \
            It must let us read what docs/topics.md lists
            """
        case .outboxStuck:
            "what waits in the outbox of node \(node) has not become less for an hour"
        case .clockBehind where clock.isAhead:
            """
            the system's clock is \(-clock.offset.seconds) s behind what is stored: times go on from \
            there. Set the clock, then restart the coordinator
            """
        case .clockBehind:
            """
            time servers told most nodes a later time than the system's clock shows: set it, then \
            restart the coordinator
            """
        case .setAside:
            """
            a correction of user \(raised.user.map { names.users.slug($0) } ?? ""), or all of their \
            attendance, is left out, because the database refuses what follows from it; everybody else's \
            goes on. Correct the session anew, or withdraw the correction (beaconmesh attendance \
            refuse); beaconmesh attendance retry tries again. Report it with the newest row of \
            refused_input: it is a bug
            """
        case .clockStepped:
            """
            the system's clock was stepped by \(clock.offset.seconds) s: times are told and stored by \
            the old one until the coordinator is restarted
            """
        }
    }
}
