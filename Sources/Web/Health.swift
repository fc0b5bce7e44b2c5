/// What the server can say about the coordinator when asked by machines.
///
/// Both closures are called on the web's threads, at any time and several at once.
public struct Health: Sendable {
    /// Why the coordinator cannot do its work now, or `nil` if it can. Behind `/readyz`.
    public var obstacle: @Sendable () -> String?
    /// Figures in the Prometheus text format. Behind `/metrics`.
    public var metrics: @Sendable () -> String

    /// How to ask the coordinator.
    public init(
        obstacle: @escaping @Sendable () -> String?, metrics: @escaping @Sendable () -> String
    ) {
        self.obstacle = obstacle
        self.metrics = metrics
    }
}
