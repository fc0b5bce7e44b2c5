import SiteModel

/// What a row of `reasons` says beside its columns, as JSON. Readings are rows of eight values, some
/// 40 bytes each: `["node", node, beacon, level or null, age in ms, expected or null, support,
/// against]`, and for what a user's own node heard `["beacon", beacon, node, …]`.
struct ReasonsDetail: Codable {
    var prior: Double
    var runner_up: [Int64?]?
    var runner_up_prior: Double
    var runner_up_probability: Double
    var spot_weight: Double
    var model: Int64?
    var readings: [Reading]

    init(_ reasons: Reasons) {
        prior = reasons.prior
        runner_up = reasons.runnerUp.map { [$0.room.row, $0.station?.row] }
        runner_up_prior = reasons.runnerUpPrior
        runner_up_probability = reasons.runnerUpProbability
        spot_weight = reasons.spotWeight
        model = reasons.model
        readings = reasons.readings.map { Reading(value: $0) }
    }

    /// The place that came next, or `nil` if there was none.
    var runnerUp: Place? {
        guard let places = runner_up, let room = places.first ?? nil else { return nil }
        let station = places.count > 1 ? places[1] : nil
        return Place(room: RoomID(room), station: station.map { StationID($0) })
    }

    struct Reading: Codable {
        var value: Reasons.Reading

        init(value: Reasons.Reading) { self.value = value }

        init(from decoder: any Decoder) throws {
            var row = try decoder.unkeyedContainer()
            let end = try row.decode(String.self)
            let number = try row.decode(Int64.self)
            value = Reasons.Reading(
                ear: end == "node" ? .node(NodeID(number)) : .beacon(BeaconID(number)),
                device: try row.decode(Int64.self),
                level: try row.decode(Double?.self).map { RSSI(dBm: $0) },
                age: .milliseconds(try row.decode(Int64.self)),
                expected: try row.decode(Double?.self), support: try row.decode(Double.self),
                against: try row.decode(Double.self))
        }

        func encode(to encoder: any Encoder) throws {
            var row = encoder.unkeyedContainer()
            switch value.ear {
            case .node(let node):
                try row.encode("node")
                try row.encode(node.row)
            case .beacon(let beacon):
                try row.encode("beacon")
                try row.encode(beacon.row)
            }
            try row.encode(value.device)
            try row.encode(value.level?.dBm)
            try row.encode(value.age.milliseconds)
            try row.encode(value.expected)
            try row.encode(value.support)
            try row.encode(value.against)
        }
    }
}
