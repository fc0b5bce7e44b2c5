import Logging
import SiteModel
import SitePipeline
import Platform

extension StartClock {
    /// The clock to run by, given the newest row of the database: waits where that helps, and says so.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits.
    package static func agreed(newest: Timestamp, logger: Logger) async throws -> AnchoredClock {
        let clock = AnchoredClock()
        let start = clock.now
        var isSaid = false
        while true {
            let wall = AnchoredClock.wallNow
            let behind = """
                the clock is \((newest - wall).seconds) s behind the newest row of the database
                """
            switch course(
                wall: wall, isSynced: AnchoredClock.isSynced, newest: newest,
                waited: clock.now - start)
            {
            case .goOn: return AnchoredClock()
            case .distrustRows:
                logger.error("\(behind), whose rows are of a time to come: going by the clock")
                return AnchoredClock()
            case .begin(let moment):
                logger.error("\(behind), and nobody sets it: going on from that row")
                return AnchoredClock(at: moment)
            case .wait:
                if !isSaid {
                    logger.error("\(behind): waiting up to \(patience.seconds) s until it is set")
                }
                isSaid = true
                if StopSignal.isRaised { return AnchoredClock() }
                try await Task.sleep(for: .milliseconds(250))
            }
        }
    }
}
