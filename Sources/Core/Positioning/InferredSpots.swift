import SiteModel

/// What places that nobody taught are like, by those that somebody did, so that a site taught in part finds
/// the rest, too.
///
/// The way from one place to another is the way back: what a receiver hears at another's place, that one
/// hears at its own. At its own place it hears what receivers usually hear at theirs. Of a place without a
/// receiver nothing is inferred, nor of a room at whose stations somebody stood: those are the room. Figures: docs/internals/locating.md.
enum InferredSpots {
    /// How far levels scatter about what is inferred, in dB, as the scale of Student's t. Each place of the
    /// recorded sites left untaught in turn, people there are found .58, .68, .47 and .65 of the time; with
    /// 5 the last is .34, with 8 the third .39, and with a penalty in logarithms of 1 they are .50, .66, .32, .41.
    static let scale = 7.0
    /// By how much a receiver hears louder at its own place than at others where that is not known, in dB.
    static let gain = 15.0

    /// By how much weaker a receiver hears on the open floor of its room than at its station, in dB: who stands
    /// there is three and a half times as far away, at 22 dB a decade.
    static let floor = 12.0

    /// Two spots, one of them for the whole, of each place with a receiver of which a model knows none.
    static func of(_ model: PlaceModel, for table: ZoneTable) -> [PlaceModel.Spot] {
        let taught = table.zones.map { zone in
            model.spots.first { $0.place == zone && $0.isWhole }
        }
        func level(at zone: Int, ear: Int) -> PlaceModel.Level? {
            taught[zone]?.levels.first { $0.ear == table.ears[ear] }
        }
        let ears = table.ears.indices
        func atHome(_ isMeant: (Place) -> Bool) -> Usual? {
            mean(
                ears.compactMap { ear in
                    isMeant(table.zones[table.zoneOfEar[ear]])
                        ? level(at: table.zoneOfEar[ear], ear: ear) : nil
                })
        }
        let atStation = atHome { $0.station != nil }
        let onFloor = atHome { $0.station == nil }
        let elsewhere = mean(
            table.zones.indices.flatMap { zone in
                ears.compactMap { table.zoneOfEar[$0] == zone ? nil : level(at: zone, ear: $0) }
            })
        guard
            let station = atStation ?? onFloor?.louder(by: floor) ?? elsewhere?.louder(by: gain),
            let away = elsewhere ?? (atStation ?? onFloor)?.louder(by: -gain)
        else { return [] }
        let room = onFloor ?? atStation?.louder(by: -floor) ?? away.louder(by: gain)
        return table.zones.indices.flatMap { zone -> [PlaceModel.Spot] in
            let own = ears.filter { table.zoneOfEar[$0] == zone }
            let place = table.zones[zone]
            let isRoomOfTaught =
                place.station == nil
                && table.zones.indices.contains {
                    taught[$0] != nil && table.zones[$0].room == place.room
                }
            guard taught[zone] == nil, !own.isEmpty, !isRoomOfTaught else { return [] }
            let levels = ears.map { ear in
                let other = table.zoneOfEar[ear]
                let usual =
                    other == zone
                    ? (place.station == nil ? room : station)
                    : mean(own.compactMap { level(at: other, ear: $0) }) ?? away
                return PlaceModel.Level(
                    ear: table.ears[ear], median: usual.median, scale: scale, chance: usual.chance)
            }
            return [false, true].map {
                PlaceModel.Spot(place: place, levels: levels, seconds: 0, isWhole: $0)
            }
        }
    }

    /// What is usually heard: a level in dBm, and the share of seconds with any.
    private struct Usual {
        var median: Double
        var chance: Double

        func louder(by decibels: Double) -> Usual {
            Usual(median: median + decibels, chance: chance)
        }
    }

    private static func mean(_ levels: [PlaceModel.Level]) -> Usual? {
        guard !levels.isEmpty else { return nil }
        let count = Double(levels.count)
        return Usual(
            median: levels.reduce(0) { $0 + $1.median } / count,
            chance: levels.reduce(0) { $0 + $1.chance } / count)
    }
}
