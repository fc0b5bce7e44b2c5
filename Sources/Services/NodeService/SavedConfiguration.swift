import Wire

/// The last good configuration on disk, for a start without a broker.
struct SavedConfiguration {
    private let path: String

    /// In a directory that exists.
    init(directory: String) { path = directory + "/configuration.json" }

    /// What was kept, or `nil` if nothing was. Throws when it is there and of no use.
    func read() throws -> NodeConfiguration? {
        guard let bytes = try File.read(path, limit: NodeConfigurationPayload.limit) else {
            return nil
        }
        return try NodeConfiguration(json: bytes.span)
    }

    /// Keeps a configuration in the place of the last one.
    func write(_ configuration: NodeConfiguration) throws(File.Failure) {
        try File.replace(path, with: configuration.payload.json)
    }
}
