/// What people let others see of themselves, each by itself. Owners, managers and auditors see it in any case.
package enum Shared: String, CaseIterable, Codable, Sendable {
    /// Members see where they are.
    case place
    /// Trainers see what they train, workouts from before among it, and write it for them.
    case training
}
