/// Seconds that belong to a room: listened to there, or heard there.
package struct RoomTime: Equatable, Sendable, Codable {
    package var room: RoomID
    /// The whole seconds.
    package var seconds: IntervalSet

    package init(room: RoomID, seconds: IntervalSet) {
        self.room = room
        self.seconds = seconds
    }
}

extension [RoomTime] {
    /// Adds an interval to the seconds of `room`, keeping the list sorted.
    /// Returns whether anything changed.
    @discardableResult
    package mutating func add(_ interval: Interval, to room: RoomID, joining: Timestamp.Span)
        -> Bool
    {
        for index in indices {
            if self[index].room == room { return self[index].seconds.insert(interval) }
            if self[index].room > room {
                insert(
                    RoomTime(room: room, seconds: IntervalSet([interval], joining: joining)),
                    at: index)
                return true
            }
        }
        append(RoomTime(room: room, seconds: IntervalSet([interval], joining: joining)))
        return true
    }
}
