import SiteModel

/// Two people who were in one room at the same time.
package struct Contact: Equatable, Sendable {
    /// The one with the lower row.
    package var first: UserID
    package var second: UserID
    package var room: RoomID
    /// When both were there for the first time.
    package var from: Timestamp
    /// When both were there for the last time.
    package var to: Timestamp
    /// How long they were there together.
    package var time: Timestamp.Span

    private struct Pair: Hashable {
        var first: UserID
        var second: UserID
        var room: RoomID
    }

    /// Everybody who shared a room for `least` or longer in all, by people and room.
    ///
    /// - Parameters:
    ///   - stays: Stays in rooms that touch `asked`, in any order. Others are left out.
    ///   - asked: What is looked at.
    ///   - now: To when open stays count.
    ///   - user: Only contacts of this person, or `nil` for everybody's.
    package static func rows(
        of stays: [Stay], in asked: Interval, least: Timestamp.Span, now: Timestamp,
        with user: UserID? = nil
    ) -> [Contact] {
        struct Part {
            var user: UserID
            var from: Timestamp
            var to: Timestamp
        }
        var rooms: [RoomID: [Part]] = [:]
        for stay in stays {
            guard case .room(let room) = stay.place else { continue }
            let from = max(stay.from, asked.from)
            let to = min(stay.to ?? max(stay.from, now), asked.to)
            guard from < to else { continue }
            rooms[room, default: []].append(Part(user: stay.user, from: from, to: to))
        }
        var found: [Pair: Contact] = [:]
        for (room, parts) in rooms {
            var there: [Part] = []
            for part in parts.sorted(by: { ($0.from, $0.user) < ($1.from, $1.user) }) {
                there.removeAll { $0.to <= part.from }
                for other in there where other.user != part.user {
                    guard user == nil || user == part.user || user == other.user else { continue }
                    let pair = Pair(
                        first: min(part.user, other.user), second: max(part.user, other.user),
                        room: room)
                    let to = min(part.to, other.to)
                    var contact =
                        found[pair]
                        ?? Contact(
                            first: pair.first, second: pair.second, room: room, from: part.from,
                            to: to, time: .milliseconds(0))
                    contact.to = max(contact.to, to)
                    contact.time = contact.time + (to - part.from)
                    found[pair] = contact
                }
                there.append(part)
            }
        }
        return found.values.filter { $0.time >= least }.sorted {
            ($0.first, $0.second, $0.room) < ($1.first, $1.second, $1.room)
        }
    }
}
