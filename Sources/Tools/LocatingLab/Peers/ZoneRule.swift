/// A way to say each second in which zone a transmitter is, from what receivers heard. Only for
/// comparison: nothing a site decides comes from one of these.
package protocol ZoneRule: Sendable {
    /// A reading of the receiver at an index of the site, `level` in dBm, `at` in seconds. Readings
    /// come in the order of time.
    mutating func heard(receiver: Int, level: Double, at: Double)
    /// The zone at whole second `now` (an index of the site's zones), or `nil` while nothing is
    /// decided; with a probability if the rule has one. To be called each second, after the
    /// readings up to it.
    mutating func zone(at now: Double) -> (zone: Int, confidence: Double?)?
}
