/// What the server can say about the coordinator when asked by machines.
///
/// The closures are called on the web's threads, at any time and several at once.
package struct Health: Sendable {
    /// Why nothing is recorded, one word, or `nil` if all is well. Behind `/healthz` and `/readyz`.
    package var fault: @Sendable () -> String?
    /// Why the coordinator cannot do its work now, or `nil` if it can. Behind `/readyz`.
    package var obstacle: @Sendable () -> String?
    /// Figures in the Prometheus text format. Behind `/metrics`.
    package var metrics: @Sendable () -> String

    /// How to ask the coordinator.
    package init(
        fault: @escaping @Sendable () -> String?, obstacle: @escaping @Sendable () -> String?,
        metrics: @escaping @Sendable () -> String
    ) {
        self.fault = fault
        self.obstacle = obstacle
        self.metrics = metrics
    }
}
