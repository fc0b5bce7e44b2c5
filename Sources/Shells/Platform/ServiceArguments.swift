/// What the command line of a daemon asks for. Both take a configuration file and `--check`; what else
/// one takes, it names.
package enum ServiceArguments: Equatable {
    /// Run on this configuration, with the values of further options by name (`record`).
    case run(config: String, values: [String: String])
    /// Only check this configuration.
    case check(config: String)
    case help
    case version

    /// Reads `--config FILE`, `--check`, `--help`, `--version` and the named options, each with a value
    /// after a blank or `=`. `nil` for anything else.
    package init?(_ arguments: some Collection<String>, options: Set<String> = []) {
        var values: [String: String] = [:]
        var isCheck = false
        var rest = Array(arguments)[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h":
                self = .help
                return
            case "--version":
                self = .version
                return
            case "--check": isCheck = true
            default:
                guard word.hasPrefix("--") else { return nil }
                let parts = word.dropFirst(2).split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let name = String(parts[0])
                guard name == "config" || options.contains(name), values[name] == nil,
                    let value = parts.count == 2 ? String(parts[1]) : rest.popFirst(),
                    !value.isEmpty
                else { return nil }
                values[name] = value
            }
        }
        guard let config = values.removeValue(forKey: "config") else { return nil }
        self = isCheck ? .check(config: config) : .run(config: config, values: values)
    }
}
