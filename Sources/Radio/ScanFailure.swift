import Glibc

/// Why a scan could not be started. It will be tried again.
enum ScanFailure: Error, Equatable, CustomStringConvertible {
    /// The system refused a call.
    case system(adapter: UInt16, SystemFailure)
    /// The controller refused a command.
    case refused(adapter: UInt16, opcode: UInt16, status: UInt8)

    /// Whether there is no such adapter.
    var isAbsence: Bool {
        switch self {
        case .system(_, let failure): failure.code == ENODEV || failure.code == EAFNOSUPPORT
        case .refused: false
        }
    }

    var description: String {
        switch self {
        case .system(let adapter, let failure):
            switch failure.code {
            case ENODEV: "there is no hci\(adapter)"
            case EAFNOSUPPORT: "this system has no Bluetooth"
            case ERFKILL: "hci\(adapter) is blocked by rfkill"
            case EPERM, EACCES:
                "hci\(adapter), \(failure): CAP_NET_RAW and CAP_NET_ADMIN are needed"
            default: "hci\(adapter), \(failure)"
            }
        case .refused(let adapter, let opcode, let status):
            "hci\(adapter) refused the command \(hex(opcode)) with status \(hex(status))"
        }
    }
}
