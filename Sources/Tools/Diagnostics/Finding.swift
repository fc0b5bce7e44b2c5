/// One thing that was looked at: what was seen, and what to do.
package struct Finding: Equatable {
    /// What is looked at. docs/troubleshooting.md has a row for each.
    enum ID: String, CaseIterable {
        case configuration
        case adapter
        case rfkill
        case power
        case capability
        case bluetoothd
        case clock
        case broker
        case login = "broker-login"
        case rights = "broker-rights"
        case disk
        case state
        case database
        case backup
        case outbox
        case port
    }

    /// How bad it is, the least first.
    package enum Level: String, Comparable {
        case ok
        /// It works, and somebody should know.
        case warning
        /// It does not work.
        case fault

        package static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }

        private var rank: Int {
            switch self {
            case .ok: 0
            case .warning: 1
            case .fault: 2
            }
        }
    }

    /// What was looked at.
    var id: ID
    /// How bad it is.
    package var level: Level
    var seen: String
    /// What to do; empty if nothing.
    var action: String

    /// A finding that asks for nothing.
    static func ok(_ id: ID, _ seen: String) -> Finding {
        Finding(id: id, level: .ok, seen: seen, action: "")
    }

    /// A finding that somebody should know.
    static func warning(_ id: ID, _ seen: String, do action: String) -> Finding {
        Finding(id: id, level: .warning, seen: seen, action: action)
    }

    /// A finding that something does not work.
    static func fault(_ id: ID, _ seen: String, do action: String) -> Finding {
        Finding(id: id, level: .fault, seen: seen, action: action)
    }
}
