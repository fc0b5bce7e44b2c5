import SiteModel

/// How much the level engine may say beside learned spots, by what labelled seconds say of it.
///
/// Strange seconds alone do not tell: who carries the tag otherwise is better located by levels,
/// and receivers that drifted are better located by spots, though both look equally strange. What
/// holds in either case is where levels cannot be right: where most places have no receiver of their
/// own, the loudest receiver names another one.
enum LevelTrust {
    /// What levels may say where nobody tried them, of 1: in simulated sites, taught by one stand
    /// at each place, 0.7 is right .870 of the time, 1 only .864.
    static let untried = 0.7
    /// What they may say for the share of seconds at which they were right when they named the place,
    /// at most 1: spots are wrong at times, too. Over 67 cases held out 1.4 is right .734, 1 at most
    /// 0.7 or 0.8 .729, and always 1 .728; with 1 a walk taught by cars loses 4 points.
    static let slope = 1.4
    /// How many seconds of a usual place of the site count beside those in which a place was named.
    static let prior = 60.0

    /// The most that counts when levels name a place, 0 ... 1.
    static func say(at place: Place, _ trial: PlaceModel.Trial?) -> Double {
        guard let trial else { return untried }
        let own = trial.results.filter { $0.place == place }
        let right = own.reduce(0) { $0 + $1.levels }
        let named = own.reduce(right) { $0 + $1.misled }
        // Of a place that was never named all others tell.
        let all = trial.results.reduce(0) { $0 + $1.levels }
        let total = trial.results.reduce(all) { $0 + $1.misled }
        let usual = total > 0 ? Double(all) / Double(total) : untried / slope
        let share = (Double(right) + prior * usual) / (Double(named) + prior)
        return min(slope * share, 1)
    }
}
