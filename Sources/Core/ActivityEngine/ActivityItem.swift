/// A part of somebody's activity that they share with trainers, or not, by itself.
package enum ActivityItem: String, CaseIterable, Sendable, Codable {
    /// Steps, the goal for them, and whose count it is.
    case steps
    case distance
    case energy
    /// What the mesh saw: minutes of moving, the way between stations.
    case moving
    /// What they did, and when.
    case activities
    case heartRate = "heart_rate"
}
