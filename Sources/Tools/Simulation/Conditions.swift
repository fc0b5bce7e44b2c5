/// What the air, the tags and the receivers of a simulated recording are like. Decibels unless said
/// otherwise; deviations are standard deviations.
package struct Conditions: Equatable, Sendable {
    /// Between two packets of a tag, in seconds, from 0.02.
    package var interval = 1.0
    /// The chance that a packet is lost whatever its level, 0 ... 1.
    package var loss = 0.15
    /// How level falls with distance: 10 · exponent · log10 of metres.
    package var exponent = 2.5
    /// How receivers differ.
    package var receiverOffset = 2.0
    /// How tags and their carriers differ from day to day.
    package var tagOffset = 2.0
    /// What the carrier's body takes where it is wholly in the way.
    package var body = 6.0
    /// What each other person takes who stands in the way.
    package var crowd = 3.0
    /// What reflections add at a spot for a receiver, the same each day.
    package var multipath = 3.0
    /// The same that differs from day to day.
    package var otherDay = 1.5
    /// What drifts on each link within seconds.
    package var shadow = 2.5
    /// How long it takes to drift, in seconds.
    package var shadowTime = 6.0
    /// How packets of one link scatter.
    package var fading = 2.5
    /// The chance that a link fades for half a minute to one and a half, in each minute.
    package var slowFades = 0.02
    /// How deep such a fade is.
    package var slowFade = 8.0
    /// How far receivers' clocks are off, in seconds.
    package var skew = 0.05
    /// The chance that a reading comes twice, 0 ... 1.
    package var duplication = 0.01
    /// The chance that a reading is 20 dB too strong, 0 ... 1.
    package var spikes = 0.002
    /// By receiver: the seconds in which it is dead. Shorter lists are filled up with none.
    package var outages: [[ClosedRange<Double>]] = []
    /// How long people stay at a spot, in seconds.
    package var dwell = 40.0...160.0

    /// Ordinary ones: a tag a second, good receivers.
    package init() {}
}
