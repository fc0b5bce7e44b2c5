@testable import SiteEngine
@testable import SiteModel
@testable import TrainingEngine

extension SimulatedSite {
    /// What the pipeline was told, to be told again to another one.
    enum Told {
        case message(topic: String, payload: [UInt8], isRetained: Bool, at: Timestamp)
        case tick(at: Timestamp)
        case recalled([Recalled]?, at: Timestamp)
        case overrides(Overrides, at: Timestamp)
    }
}
