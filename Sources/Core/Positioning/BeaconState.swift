import SiteModel

/// Who hears a beacon, strongest first.
package struct BeaconState: Equatable, Sendable, Codable {
    /// What one node hears.
    package struct Hearing: Equatable, Sendable, Codable {
        package var node: NodeID
        /// The smoothed level.
        package var level: RSSI
        /// How long ago the last advertisement was, at the state's moment.
        package var age: Timestamp.Span

        package init(node: NodeID, level: RSSI, age: Timestamp.Span) {
            self.node = node
            self.level = level
            self.age = age
        }
    }

    package var beacon: BeaconID
    /// The moment this was so.
    package var at: Timestamp
    /// The nodes that hear it, strongest first.
    package var hearings: [Hearing]
    /// How often the decided place of its user changed within the last hour, `nil` if nobody does.
    package var lastHour: ChangeCounts?

    package init(
        beacon: BeaconID, at: Timestamp, hearings: [Hearing], lastHour: ChangeCounts? = nil
    ) {
        self.beacon = beacon
        self.at = at
        self.hearings = hearings
        self.lastHour = lastHour
    }
}

extension BeaconState {
    /// By how much another node must be louder to come before one it came after, in dB.
    static let reordering = 3.0

    /// Hearings, strongest first, in the order they had before as long as none is clearly louder
    /// than the one before it. New ones go where their level puts them.
    package static func ordered(_ hearings: [Hearing], after old: [Hearing]) -> [Hearing] {
        var list = old.compactMap { known in hearings.first { $0.node == known.node } }
        for index in list.indices {
            var place = index
            while place > 0,
                list[place].level.dBm >= list[place - 1].level.dBm + Self.reordering
            {
                list.swapAt(place, place - 1)
                place -= 1
            }
        }
        for hearing in hearings where !old.contains(where: { $0.node == hearing.node }) {
            let place = list.firstIndex { $0.level < hearing.level } ?? list.count
            list.insert(hearing, at: place)
        }
        return list
    }
}
