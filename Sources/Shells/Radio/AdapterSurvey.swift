import Basics
import CBlueZ
import Glibc

/// What Bluetooth adapters this machine has, asked without any privilege and without touching them.
package struct AdapterSurvey: Equatable, Sendable {
    /// One adapter.
    package struct Adapter: Equatable, Sendable {
        /// As in `hci0`.
        package var index: UInt16
        /// Its address as people write it, upper case, colons.
        package var address: String
        /// Whether it is switched on.
        package var isUp: Bool

        package init(index: UInt16, address: String, isUp: Bool) {
            self.index = index
            self.address = address
            self.isUp = isUp
        }
    }

    /// Whether the kernel has a Bluetooth stack at all.
    package var hasBluetooth: Bool
    /// The adapters, by index.
    package var adapters: [Adapter]

    /// The most adapters that the kernel numbers (`HCI_MAX_DEV`).
    private static let most: UInt16 = 16

    package init(hasBluetooth: Bool, adapters: [Adapter]) {
        self.hasBluetooth = hasBluetooth
        self.adapters = adapters
    }

    /// Looks at this machine.
    package static func now() -> AdapterSurvey {
        var survey = AdapterSurvey(hasBluetooth: true, adapters: [])
        for index in 0..<most {
            var info = hci_dev_info()
            if hci_devinfo(Int32(index), &info) == 0 {
                survey.adapters.append(Adapter(info, index: index))
            } else if errno == EAFNOSUPPORT {
                survey.hasBluetooth = false
                break
            }
        }
        return survey
    }
}

extension AdapterSurvey.Adapter {
    fileprivate init(_ info: hci_dev_info, index: UInt16) {
        let bytes = info.bdaddr.b
        let address = [bytes.5, bytes.4, bytes.3, bytes.2, bytes.1, bytes.0]
            .reduce(0) { $0 << 8 | UInt64($1) }
        // The first flag of the kernel's adapters (`HCI_UP`).
        self.init(
            index: index, address: Hex.text(address: address).uppercased(),
            isUp: info.flags & 1 != 0)
    }
}
