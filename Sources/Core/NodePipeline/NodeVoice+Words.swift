import BeaconDecoding
import NodeEngine
import Wire

extension NodeHealthPayload.Scanner.State {
    package init(_ state: ScanStatus.State) {
        self =
            switch state {
            case .absent: .absent
            case .blocked: .blocked
            case .down: .down
            case .starting: .starting
            case .scanning: .scanning
            case .foreign: .foreign
            case .quiet: .quiet
            case .recovering: .recovering
            case .failed: .failed
            case .stopped: .stopped
            }
    }
}

extension RawAdvertisement {
    /// What sort of address it came from, also where the address itself is withheld.
    var addressType: RawPayload.AddressType {
        switch report.addressKind {
        case .public: .public
        case .publicIdentity: .publicIdentity
        case .randomIdentity: .randomIdentity
        case .anonymous: .anonymous
        case .random:
            // The two highest bits tell them apart (Bluetooth Core 5.4, Vol 6 Part B 1.3.2).
            switch randomKind {
            case 0b00: .nrpa
            case 0b01: .rpa
            case 0b10: .reserved
            default: .randomStatic
            }
        }
    }
}

extension RawPayload.Event {
    package init(_ report: AdvertisingReport) {
        if !report.isLegacy {
            self = .extended
        } else if report.isScanResponse {
            self = .scanResponse
        } else if report.isDirected {
            self = .directed
        } else if report.isConnectable {
            self = .connectable
        } else {
            self = report.isScannable ? .scannable : .plain
        }
    }
}
