import NodeEngine
import Radio

/// What the node's decisions ask of its radio, beside what comes from it. Tests script one.
struct RadioLink {
    /// Takes the radio into use again after `stop`. Throws why that is not possible.
    var open: () throws -> Void
    /// Gives the radio up, so that others may have it.
    var stop: () -> Void
    /// What the scanner does.
    var status: () -> ScanStatus
    /// Whether it is an adapter, which never falls silent for long; a recording may.
    var isAdapter: Bool
}

/// The radio in use: another source each time the node begins to listen again. Belongs to the node's
/// one thread.
final class NodeRadio {
    private(set) var source: RadioSource
    private let name: String
    private let scan: ScanSettings

    init(_ settings: NodeSettings) {
        source = settings.radio
        name = settings.source
        scan = settings.scan
    }

    /// This radio, as long as somebody holds the link.
    var link: RadioLink {
        var isAdapter = false
        if case .adapter = source { isAdapter = true }
        return RadioLink(
            open: { self.source = try RadioSource(self.name, scan: self.scan) },
            stop: { self.source.stop() }, status: { self.source.status }, isAdapter: isAdapter)
    }
}
