import Records
import SiteModel

/// A change of what was taught of places that a person asks for.
package enum ModelCall: Codable, Sendable {
    /// One stand, or the parts of one walk.
    case addSurvey([SurveyLeg])
    case forgetSurvey(Place)
    case discardSurvey
    case apply(PlaceModel, through: Int64, seconds: Int, accuracy: Double?)
    case rollBack(Int64)
}

extension ModelTable {
    /// Does what is asked for. Returns the walk or the model's revision, or so many seconds that were dropped.
    ///
    /// - Throws: A `BooksRefusal` for what can be corrected, a `StoreError` if the database failed. Nothing was
    ///   written.
    package func perform(_ call: ModelCall, at now: Timestamp) throws -> Int64 {
        switch call {
        case .addSurvey(let legs):
            guard legs.allSatisfy(\.isPossible) else {
                throw BooksRefusal(.badRequest, "a stretch without seconds, or out of order")
            }
            return try addSurvey(legs)
        case .forgetSurvey(let place): return Int64(try forgetSurvey(of: place))
        case .discardSurvey: return Int64(try discardSurvey())
        case .apply(let model, let through, let seconds, let accuracy):
            return try apply(model, through: through, seconds: seconds, accuracy: accuracy, at: now)
        case .rollBack(let revision):
            guard try rollBack(to: revision, at: now) else {
                throw BooksRefusal(.notFound, "there is no model \(revision)")
            }
            return revision
        }
    }
}

extension SurveyLeg {
    /// Whether it can have been heard: whoever asks over a socket may say anything.
    fileprivate var isPossible: Bool {
        let possible = 0...Int64(4_102_444_800_000)  // until 2100
        return !seconds.isEmpty && seconds.allSatisfy { possible.contains($0.at.milliseconds) }
            && zip(seconds, seconds.dropFirst()).allSatisfy { $0.at < $1.at }
    }
}
