import Foundation
import Testing

@testable import CoordinatorService

/// How a coordinator's file says that the line to the broker is encrypted, and what is refused.
struct BrokerTLSSettingsTests {
    private static let sites = "sites: [{id: gym, database: gym.sqlite}]\n"

    private func faults(_ broker: String) -> [String] {
        do {
            _ = try CoordinatorConfiguration(
                text: Self.sites + "broker: {\(broker)}\n", named: "c.yaml")
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    @Test func `the files of TLS are beside the configuration, and its port is another`() throws {
        let broker = try CoordinatorConfiguration(
            text: Self.sites
                + "broker: {host: b.lan, tls: {ca: ca.pem, certificate: c.pem, key: /k}}\n",
            named: "/etc/b/c.yaml"
        ).broker
        #expect(broker.port == 8883)
        #expect(broker.tls?.authority == "/etc/b/ca.pem")
        #expect(broker.tls?.certificate == "/etc/b/c.pem")
        #expect(broker.tls?.key == "/k")
        #expect(faults("host: b.lan, tls: {cert: x}").count == 2)
    }

    @Test(arguments: [
        "10.0.0.2", "broker.lan", "\"2001:db8::1\"", "127.gym.example", "127.0.0.1.gym.example",
        "\"127.1\"", "127.0.0.256", "\"127.0.+0.1\"", "/run/mosquitto.sock",
    ])
    func `a password goes to another machine encrypted, or because that is said`(host: String) {
        let login = "host: \(host), username: n, password_file: p"
        let found = faults(login)
        #expect(found.count == 1)
        #expect(
            found.first?.hasPrefix("c.yaml:2: broker.tls: missing, the password would go to ")
                == true, "\(found)")
        #expect(found.first?.contains("set tls.ca (") == true)
        #expect(faults(login + ", tls: {ca: x}") == [])
        #expect(faults(login + ", plaintext: true") == [])
        #expect(faults("host: \(host)") == [])
    }

    @Test(arguments: ["127.0.0.1", "127.255.0.2", "localhost", "LocalHost", "\"::1\""])
    func `on its own machine a password needs no encryption`(host: String) {
        #expect(faults("host: \(host), username: n, password_file: p") == [])
    }

    @Test func `a file that is not there is named before the start`() throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("tls-\(UUID().uuidString).yaml")
        let text = Self.sites + "broker: {tls: {ca: /none/ca.pem}}\n"
        try Data(text.utf8).write(to: file)
        defer { _ = Result { try FileManager.default.removeItem(at: file) } }
        _ = try CoordinatorConfiguration(reading: file.path)
        do {
            _ = try CoordinatorConfiguration(reading: file.path, depth: .secrets)
            Issue.record("it was taken")
        } catch {
            let faults = error.faults.map(\.description)
            #expect(
                faults.contains {
                    $0.hasSuffix(
                        ":2: broker.tls: /none/ca.pem: cannot be read: No such file or directory")
                }, "\(faults)")
        }
    }
}
