import JSON
import SiteModel

/// `user/{u}/why`, retained: why somebody was last decided to be at another place.
package struct WhyPayload: Payload {
    /// What one link between a place and the user said.
    package struct Reading: Equatable, Sendable {
        /// Which end of the link has the known place.
        package enum Ear: String, Sendable {
            /// A fixed node, which heard the user's beacon or listened for it.
            case node
            /// A fixed beacon, which the user's own node heard or listened for.
            case beacon
        }

        /// Which end of the link has the known place.
        package var ear: Ear
        /// The slug of the node.
        package var node: String
        /// The slug of the beacon.
        package var beacon: String
        /// The level in dBm, −127 ... 20, or `nil` if nothing was heard.
        package var rssi: Double?
        /// How old it was, in seconds.
        package var ageS: Double
        /// What is usual at the new place, in dBm, or `nil` where that was not learned.
        package var expected: Double?
        /// The same at the runner-up.
        package var expectedAtRunnerUp: Double?
        /// How much likelier it makes the new place than the runner-up, as a logarithm, −1000 ... 1000.
        package var support: Double
        /// How much likelier it makes the runner-up than the new place.
        package var against: Double

        package init(
            ear: Ear, node: String, beacon: String, rssi: Double?, ageS: Double, expected: Double?,
            expectedAtRunnerUp: Double? = nil, support: Double, against: Double
        ) {
            self.ear = ear
            self.node = node
            self.beacon = beacon
            self.rssi = rssi
            self.ageS = ageS
            self.expected = expected
            self.expectedAtRunnerUp = expectedAtRunnerUp
            self.support = support
            self.against = against
        }
    }

    /// What logarithms may be.
    static let logarithms = -1000.0...1000.0

    /// When it was decided, in ms since 1970.
    package var tMs: Int64
    /// The rule that fired.
    package var rule: Reasons.Rule
    /// Where they were before.
    package var from: PlaceSlugs?
    /// Where they are now.
    package var to: PlaceSlugs?
    /// The place that came next.
    package var runnerUp: PlaceSlugs?
    /// What the second before gave to the new place, 0 ... 1.
    package var prior: Double
    /// What it gave to the runner-up.
    package var runnerUpPrior: Double
    /// The probability of the new place, 0 ... 1.
    package var probability: Double
    package var runnerUpProbability: Double
    /// How much the learned spots counted, 0 ... 1; the rest is the zone level.
    package var spotWeight: Double
    /// The revision of what was learned, or `nil` if nothing was.
    package var model: Int64?
    /// What each link said: those that tell the two places apart best, in that order.
    package var readings: [Reading]

    /// Takes the values out of a checked text.
    package init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        tMs = try object.required("t_ms", json).time(json)
        rule = try object.required("rule", json).choice(json, of: Reasons.Rule.self)
        from = try PlaceSlugs.nullable("from", of: object, in: json)
        to = try PlaceSlugs.nullable("to", of: object, in: json)
        runnerUp = try PlaceSlugs.nullable("runner_up", of: object, in: json)
        prior = try object.required("prior", json).number(json, in: 0...1)
        runnerUpPrior = try object.required("runner_up_prior", json).number(json, in: 0...1)
        probability = try object.required("probability", json).number(json, in: 0...1)
        runnerUpProbability =
            try object.required("runner_up_probability", json).number(json, in: 0...1)
        spotWeight = try object.required("spot_weight", json).number(json, in: 0...1)
        model = try object.nullable("model", json)?.integer(json)
        readings = try object.required("readings", json).list(json, atMost: Reasons.mostReadings) {
            (element, json) throws(PayloadError) in
            try Reading(try element.object(json), in: json)
        }
    }

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("t_ms", tMs)
        writer.field("rule", rule.rawValue)
        writer.field("from", from)
        writer.field("to", to)
        writer.field("runner_up", runnerUp)
        writer.field("prior", prior)
        writer.field("runner_up_prior", runnerUpPrior)
        writer.field("probability", probability)
        writer.field("runner_up_probability", runnerUpProbability)
        writer.field("spot_weight", spotWeight)
        writer.field("model", model)
        writer.key("readings")
        writer.beginArray()
        for reading in readings { reading.write(to: &writer) }
        writer.endArray()
        writer.endObject()
    }
}

extension WhyPayload {
    /// What is told of a decision; `reasons` as they are kept.
    package init(_ reasons: Reasons, names: Names) {
        tMs = reasons.at.milliseconds
        rule = reasons.rule
        from = reasons.from.map { PlaceSlugs($0, names: names) }
        to = reasons.to.map { PlaceSlugs($0, names: names) }
        runnerUp = reasons.runnerUp.map { PlaceSlugs($0, names: names) }
        prior = reasons.prior
        runnerUpPrior = reasons.runnerUpPrior
        probability = reasons.probability
        runnerUpProbability = reasons.runnerUpProbability
        spotWeight = reasons.spotWeight
        model = reasons.model
        readings = reasons.readings.map { Reading($0, names: names) }
    }
}

extension WhyPayload.Reading {
    fileprivate init(_ reading: Reasons.Reading, names: Names) {
        switch reading.ear {
        case .node(let id):
            ear = .node
            node = names.nodes.slug(id)
            beacon = names.beacons.slug(BeaconID(reading.device))
        case .beacon(let id):
            ear = .beacon
            node = names.nodes.slug(NodeID(reading.device))
            beacon = names.beacons.slug(id)
        }
        rssi = reading.level?.dBm
        ageS = reading.age.seconds
        expected = reading.expected
        expectedAtRunnerUp = reading.expectedAtRunnerUp
        support = reading.support
        against = reading.against
    }

    fileprivate init(_ object: JSONObject, in json: Span<UInt8>) throws(PayloadError) {
        ear = try object.required("ear", json).choice(json, of: Ear.self)
        node = try object.required("node", json).slug(json)
        beacon = try object.required("beacon", json).slug(json)
        rssi = try object.nullable("rssi", json)?.level(json)
        ageS = try object.required("age_s", json).amount(json)
        expected = try object.nullable("expected", json)?.level(json)
        expectedAtRunnerUp = try object.optional("expected_at_runner_up", json)?.level(json)
        support = try object.required("support", json).number(json, in: WhyPayload.logarithms)
        against = try object.required("against", json).number(json, in: WhyPayload.logarithms)
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("ear", ear.rawValue)
        writer.field("node", node)
        writer.field("beacon", beacon)
        writer.key("rssi")
        if let rssi { writer.tenths(rssi) } else { writer.null() }
        writer.field("age_s", ageS)
        writer.key("expected")
        if let expected { writer.tenths(expected) } else { writer.null() }
        if let expectedAtRunnerUp {
            writer.key("expected_at_runner_up")
            writer.tenths(expectedAtRunnerUp)
        }
        writer.field("support", support)
        writer.field("against", against)
        writer.endObject()
    }
}
