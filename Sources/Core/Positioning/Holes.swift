import SiteModel

/// Where somebody was while nobody was told: filled afterwards from what nodes heard.
///
/// Of each minute the node that heard best decides, so a place is right to a minute, not to a second.
/// What was decided live is never changed by it.
package struct Holes: Sendable {
    /// What a node of a room heard of one user within one minute.
    package struct Hearing: Equatable, Sendable {
        /// The room of the node.
        package var room: RoomID
        /// From the first second to the end of the last.
        package var interval: Interval
        /// The mean level.
        package var level: RSSI

        package init(room: RoomID, interval: Interval, level: RSSI) {
            self.room = room
            self.interval = interval
            self.level = level
        }
    }

    /// A stretch of time in one room.
    package struct Piece: Equatable, Sendable {
        package var room: RoomID
        package var interval: Interval

        /// A stretch of time in one room.
        package init(room: RoomID, interval: Interval) {
            self.room = room
            self.interval = interval
        }
    }

    /// Shorter pieces are the seconds between two decisions.
    package static let shortest = Timestamp.Span.seconds(60)
    /// Pieces in one room this close together are one.
    package static let joining = Timestamp.Span.seconds(120)

    private static let minute: Int64 = 60_000

    /// The pieces that hearings give beside what is known, oldest first.
    package static func pieces(of hearings: [Hearing], known: [Interval]) -> [Piece] {
        var best: [Hearing] = []
        for hearing in hearings.sorted(by: isBefore) {
            // Sorted by minute, the best of each first.
            if let last = best.last, minute(of: last) == minute(of: hearing) {
                guard last.room == hearing.room else { continue }
                best[best.count - 1].interval = Interval(
                    from: min(last.interval.from, hearing.interval.from),
                    to: max(last.interval.to, hearing.interval.to))
            } else {
                best.append(hearing)
            }
        }
        var pieces: [Piece] = []
        for hearing in best {
            guard let last = pieces.last, last.room == hearing.room,
                hearing.interval.from - last.interval.to <= joining
            else {
                // A run that reaches into the next minute ends where that one begins.
                let start = max(
                    hearing.interval.from, pieces.last?.interval.to ?? hearing.interval.from)
                guard start < hearing.interval.to else { continue }
                pieces.append(
                    Piece(
                        room: hearing.room, interval: Interval(from: start, to: hearing.interval.to)
                    ))
                continue
            }
            pieces[pieces.count - 1].interval = Interval(
                from: last.interval.from, to: max(last.interval.to, hearing.interval.to))
        }
        return pieces.flatMap { piece in
            known.reduce([piece.interval]) { parts, other in parts.flatMap { $0.without(other) } }
                .filter { $0.length >= shortest }
                .map { Piece(room: piece.room, interval: $0) }
        }
    }

    private static func minute(of hearing: Hearing) -> Int64 {
        hearing.interval.from.milliseconds / minute
    }

    private static func isBefore(_ a: Hearing, _ b: Hearing) -> Bool {
        (minute(of: a), -a.level.dBm, a.room, a.interval.from)
            < (minute(of: b), -b.level.dBm, b.room, b.interval.from)
    }
}
