import Broker
import CoordinatorService
import Radio
import SiteModel
import SiteStore

/// Everything `beaconmesh doctor` has seen. What it means is decided by `Diagnosis`, which sees
/// nothing else.
package struct Facts: Equatable {
    /// The configurations that were read.
    var configurations: [Configuration] = []
    /// The Bluetooth side, or `nil` if nothing here uses an adapter.
    var radio: RadioFacts?
    var clock: Clock?
    /// The brokers that configurations name.
    var brokers: [BrokerFacts] = []
    /// The directories that are written to.
    var directories: [Directory] = []
    /// The sites' databases.
    var databases: [Database] = []
    /// The nodes' outboxes.
    var outboxes: [Outbox] = []
    /// The ports to be listened on.
    var ports: [PortState] = []
}

extension Facts {
    /// A configuration file.
    struct Configuration: Equatable {
        /// Which program it is for.
        enum Kind: String {
            case node
            case coordinator
            case site
            case unknown
        }

        /// As it was named.
        var file: String
        /// Which program it is for, by its keys.
        var kind: Kind
        /// What that program says against it, a line each.
        var faults: [String]
        /// Why it could not be checked, or `nil`.
        var unchecked: String?
    }

    /// The system's clock.
    struct Clock: Equatable {
        /// What it shows.
        var now: Timestamp
        /// Whether the kernel or systemd-timesyncd says that a time server keeps it.
        var isSynced: Bool
    }

    /// A directory that a program writes to.
    package struct Directory: Equatable {
        /// What came of writing to it.
        enum Trial: Equatable {
            /// Something was written, brought to the disk, and removed again.
            case written
            /// There is no such directory.
            case absent
            /// It was refused, with the error's number and words.
            case failed(code: Int32, reason: String)
        }

        /// Where it is.
        var path: String
        /// What is kept there.
        var purpose: String
        /// What came of writing to it.
        var trial: Trial
        /// The user of the service, if that user may not write there although we may.
        var excluded: String?
        /// Bytes that ordinary users may still write, or `nil` if the system does not say.
        var free: UInt64?
        /// Files that may still be made, or `nil` if there is no limit.
        var freeFiles: UInt64?
    }

    /// A site's database.
    struct Database: Equatable {
        /// Where it is.
        var path: String
        /// The site it should hold.
        var site: String
        /// Whether it is there.
        var exists: Bool
        /// What a look at it showed.
        var examination: Result<StoreExamination, StoreError>
        /// Whether all of it was read.
        var isDeep: Bool
        /// Its backups, or `nil` if none are made.
        var backups: Backups?
    }

    /// The backups of a site's database.
    struct Backups: Equatable {
        /// Where they are.
        var folder: String
        /// When the newest proven one was made, or `nil` if there is none.
        var newest: Timestamp?
        /// What is wrong with the newest, if it was read through, or `nil`.
        var fault: String?
    }

    /// A node's outbox.
    struct Outbox: Equatable {
        /// What was found.
        enum State: Equatable {
            /// There is none yet; the node makes it.
            case absent
            /// It can be read; `text` says what is in it.
            case sound(text: String)
            /// Some of it cannot be read.
            case damaged(reason: String)
            /// It is something else, or cannot be opened.
            case unusable(reason: String)
        }

        /// Where it is.
        var path: String
        /// What was found.
        var state: State
    }

}

/// What is known of adapters and of those who want to use one.
package struct RadioFacts: Equatable {
    /// A switch of `/sys/class/rfkill`.
    struct Switch: Equatable {
        /// As in `hci0`.
        var name: String
        /// Blocked by software, which can be undone.
        var isSoftBlocked: Bool
        /// Blocked by a switch of the machine.
        var isHardBlocked: Bool
    }

    /// A program that runs.
    struct Running: Equatable {
        var process: Int32
        /// The bits of its effective capabilities.
        var capabilities: UInt64
    }

    /// What is wanted: `hci0`, an address, `any`.
    var wanted: [String]
    /// What there is.
    var survey: AdapterSurvey
    /// The Bluetooth switches.
    var switches: [Switch]
    /// Our own effective capabilities.
    var own: UInt64
    /// A node that runs on this machine.
    var node: Running?
    /// The systemd unit of a node that gives it what it needs, or `nil`.
    var unit: String?
    /// The process of bluetoothd, or `nil` if none runs.
    var bluetoothd: Int32?
}

/// What a broker did when it was tried.
package struct BrokerFacts: Equatable {
    /// Who we said we are.
    enum Role: Equatable {
        case node(String, site: String)
        case coordinator(String, sites: [String])
    }

    /// How far it came.
    enum Outcome: Equatable {
        /// There was no connection.
        case unreachable(reason: String)
        /// The line could not be encrypted, or the broker did not prove who it is.
        case unencrypted(TLSFault)
        /// Somebody took the connection and did not answer as a broker does.
        case mute
        /// It refused us.
        case refused(reason: String)
        /// It took us.
        case connected([Right])
    }

    /// A topic that was tried.
    struct Right: Equatable {
        enum Verb: String {
            case write
            case read
        }

        enum Outcome: Equatable {
            case granted
            /// The broker said no.
            case refused(reason: String)
            /// It was sent, and did not come back.
            case silent
            /// Nothing was kept there, or we may not see it.
            case empty
        }

        var verb: Verb
        var topic: String
        var outcome: Outcome
    }

    /// The file that names it.
    var file: String
    /// Where it is.
    var host: String
    var port: Int
    /// The user we signed in as, or `nil` for nobody.
    var username: String?
    /// Who we said we are.
    var role: Role
    /// How far it came.
    var outcome: Outcome
}
