/// In which rooms people are first heard when they come.
///
/// An entrance is where people arrive; nobody says which rooms have one. Somebody who is near a
/// node within seconds of being heard at all, in a room in which nobody else has ever arrived, was
/// carried in shielded, or is no person. One false alarm a room is the most there can be: from then
/// on people have arrived there.
struct Arrivals: Sendable {
    /// Somebody unheard for this long, in seconds, is away.
    static let absence: Int64 = 600
    /// The seconds in which an arrival is judged.
    static let seconds: Int64 = 5
    /// The number of arrivals to learn from before anything is doubted.
    static let lessons = 100

    private var total = 0
    /// By room: the first two people who arrived there.
    private var users: [[Int]]

    init(rooms: Int) { users = Array(repeating: [], count: rooms) }

    /// Somebody arrived in a room. Returns whether nobody else ever did, if that is known.
    mutating func add(_ user: Int, in room: Int) -> Bool {
        let isNew = total >= Self.lessons && !users[room].contains { $0 != user }
        total += 1
        if users[room].count < 2, !users[room].contains(user) { users[room].append(user) }
        return isNew
    }
}
