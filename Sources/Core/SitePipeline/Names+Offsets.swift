import SiteModel
import Wire

extension Names {
    /// A line for the log if the row tells that something has just changed all at once.
    package func warning(of row: OffsetRow) -> String? {
        guard let drift = row.drift, row.since == row.at else { return nil }
        let much = "\(abs(drift)) dB \(drift > 0 ? "louder" : "fainter") than before"
        switch row.device {
        case .node(let node):
            return
                "node \(nodes.slug(node)) hears everything \(much): was it moved, or its antenna? "
                + "What was learned of it is learned anew"
        case .beacon(let beacon):
            return "beacon \(beacons.slug(beacon)) is heard \(much): was it moved, or its battery?"
        }
    }
}
