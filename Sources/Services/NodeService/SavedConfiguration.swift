import Wire

/// The last good configuration on disk, for a start without a broker.
struct SavedConfiguration {
    private let path: String

    /// In a directory that exists.
    init(directory: String) { path = directory + "/configuration.json" }

    /// What was kept, or `nil` if nothing was. Throws when it is there and of no use.
    private func read() throws -> NodeConfiguration? {
        guard let bytes = try File.read(path, limit: NodeConfigurationPayload.limit) else {
            return nil
        }
        return try NodeConfiguration(json: bytes.span)
    }

    /// What to start with: what was kept, or `fallback` if that is nothing, or of no use.
    func configuration(else fallback: NodeConfiguration, _ log: Log) -> NodeConfiguration {
        do {
            if let configuration = try read() {
                log(.info, "starting with the kept configuration \(configuration.policy.revision)")
                return configuration
            }
        } catch {
            log(.warning, "the kept configuration is of no use: \(error)")
        }
        return fallback
    }

    /// Keeps a configuration in the place of the last one.
    func write(_ configuration: NodeConfiguration) throws(File.Failure) {
        try File.replace(path, with: configuration.payload.json)
    }
}
