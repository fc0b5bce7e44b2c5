/// Everything that can be asked of a coordinator, whichever way: each route, stream, report, page and
/// request over MQTT names the one it needs.
package enum Right: String, CaseIterable, Sendable {
    /// What this server can do, in words.
    case documentation
    /// One's own session: who am I, change the password, sign out.
    case session
    /// The page, its stream and the snapshot.
    case live
    /// Rooms, stations, nodes and the site as they are set up.
    case placesRead = "places.read"
    case placesWrite = "places.write"
    /// People and their tags.
    case peopleRead = "people.read"
    case peopleWrite = "people.write"
    /// Whether others see where one is.
    case sharing
    /// Sessions of attendance and corrections.
    case attendanceRead = "attendance.read"
    /// To check in and out.
    case check
    /// To ask for a correction.
    case correct
    /// To decide on corrections.
    case decide
    /// To lock a period, and to unlock it.
    case lock
    /// Reports, of which wages are paid.
    case reports
    case workoutsRead = "workouts.read"
    case workoutsWrite = "workouts.write"
    /// Steps, distance, energy, and what somebody set for them: private to the person.
    case activityRead = "activity.read"
    case activityWrite = "activity.write"
    /// What people share with trainers of their activity, each part by itself.
    case activityShared = "activity.shared"
    /// Shifts, leave, calendars with a secret address.
    case rosterRead = "roster.read"
    case rosterWrite = "roster.write"
    /// Webhooks and the rules of notifications.
    case webhooks
    /// Surveys and models of places.
    case calibrationRead = "calibration.read"
    case calibrationWrite = "calibration.write"
    /// Orders to nodes.
    case nodesCommand = "nodes.command"
    /// Strangers' devices that were found, and by which rules: to read, change and delete.
    case detections
    /// To tell of some.
    case detecting = "detections.write"
    /// Accounts, invitations, tokens.
    case accounts
    /// The number by which somebody checks in at a kiosk.
    case pin
    /// All that is held about somebody: to have it as a file, and to have it deleted.
    case privacy
    case audit
    /// Figures of the process.
    case metrics

    /// How far a role may go. The whole table: nothing else decides.
    package func reach(of role: Role) -> Reach {
        switch role {
        case .owner: return .site
        case .node: return .nothing
        case .integration: return .nothing  // By scope: `Principal.reach`.
        case .manager: return manager
        case .auditor: return auditor
        case .trainer: return trainer
        case .member: return member
        case .screen, .kiosk: return device(role)
        }
    }

    private var manager: Reach {
        switch self {
        case .accounts, .activityShared: .nothing
        case .activityRead, .activityWrite, .privacy: .own
        default: .site
        }
    }

    private var auditor: Reach {
        switch self {
        case .documentation, .session, .live, .placesRead, .peopleRead, .attendanceRead, .reports,
            .workoutsRead, .rosterRead, .calibrationRead, .audit, .metrics:
            .site
        case .privacy: .own
        case .placesWrite, .peopleWrite, .sharing, .check, .correct, .decide, .lock, .workoutsWrite,
            .rosterWrite, .webhooks, .calibrationWrite, .nodesCommand, .detections, .detecting,
            .accounts,
            .activityRead,
            .activityWrite, .activityShared, .pin:
            .nothing
        }
    }

    private var trainer: Reach {
        switch self {
        case .documentation, .session, .live, .placesRead, .peopleRead, .workoutsRead,
            .workoutsWrite, .activityShared:
            .site
        case .sharing, .check, .correct, .attendanceRead, .rosterRead, .activityRead,
            .activityWrite, .pin, .privacy:
            .own
        case .placesWrite, .peopleWrite, .decide, .lock, .reports, .rosterWrite, .webhooks,
            .calibrationRead, .calibrationWrite, .nodesCommand, .detections, .detecting, .accounts,
            .audit,
            .metrics:
            .nothing
        }
    }

    private var member: Reach {
        switch self {
        case .documentation, .session, .placesRead: .site
        case .live, .peopleRead, .sharing, .attendanceRead, .check, .correct, .reports,
            .workoutsRead, .workoutsWrite, .rosterRead, .activityRead, .activityWrite, .pin,
            .privacy:
            .own
        case .placesWrite, .peopleWrite, .decide, .lock, .rosterWrite, .webhooks,
            .calibrationRead, .calibrationWrite, .nodesCommand, .detections, .detecting, .accounts,
            .audit,
            .metrics, .activityShared:
            .nothing
        }
    }

    private func device(_ role: Role) -> Reach {
        switch self {
        case .documentation, .session, .placesRead: .site
        case .live: .nameless
        case .check: role == .kiosk ? .site : .nothing
        default: .nothing
        }
    }

    /// The scope that opens it to an integration; `nil`: none does.
    package var scope: Scope? {
        switch self {
        case .live: .liveRead
        case .placesRead: .placesRead
        case .placesWrite: .placesWrite
        case .peopleRead: .peopleRead
        case .peopleWrite: .peopleWrite
        case .attendanceRead, .rosterRead: .attendanceRead
        case .check, .correct: .attendanceWrite
        case .workoutsRead: .workoutsRead
        case .workoutsWrite: .workoutsWrite
        case .reports: .reportsRead
        case .nodesCommand: .nodesCommand
        case .detecting: .detectionsWrite
        case .metrics: .metricsRead
        case .activityRead, .activityWrite: .activity
        case .documentation, .session, .sharing, .decide, .lock, .rosterWrite, .webhooks,
            .calibrationRead, .calibrationWrite, .detections, .accounts, .pin, .privacy, .audit,
            .activityShared:
            nil
        }
    }
}
