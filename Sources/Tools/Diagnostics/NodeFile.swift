import Broker
import Settings
import Platform

/// What the doctor needs of a node's configuration. Faults are none of its business: the node itself
/// tells them.
struct NodeFile {
    var node: String
    var site: String
    /// The adapters as the file names them, none for a recording.
    var adapters: [String]
    var broker: BrokerAddress
    /// Why the password cannot be read, or `nil`.
    var passwordFault: String?
    var state: String
    var outbox: String

    /// Reads a file. Throws if there is nothing to read on with.
    init(reading file: String) throws(SettingsError) {
        var settings = try SettingsReader(file: file)
        node = settings.slug("node")
        site = settings.slug("site")
        adapters = Self.adapters(settings.string("radio", default: ""))
        let (address, passwordFile) = settings.section("broker") { broker in
            (
                BrokerAddress(
                    host: broker.string("host", default: "127.0.0.1"),
                    port: broker.int("port", in: 1...65535, default: 1883),
                    username: broker.stringIfPresent("username"),
                    version: broker.choice("protocol", default: .five)),
                broker.pathIfPresent("password_file")
            )
        }
        broker = address
        do {
            broker.password = try Secret.read(passwordFile)
        } catch {
            passwordFault = "\(error)"
        }
        state = settings.path("state")
        let preset = state + "/outbox.ring"
        outbox = settings.section("outbox") { $0.path("path", default: preset) }
    }

    /// The adapters among radios such as `hci:hci0, hci:hci1` or `btsnoop:FILE`.
    static func adapters(_ text: String) -> [String] {
        text.split(separator: ",").compactMap { part in
            let words = part.split(separator: " ").joined()
            return words.hasPrefix("hci:") ? String(words.dropFirst("hci:".count)) : nil
        }
    }
}
