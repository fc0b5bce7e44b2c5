import Foundation
import Testing

@testable import Broker
@testable import Wire

/// A mosquitto whose only port is encrypted. Its certificate is its own authority and names 127.0.0.1.
final class EncryptedBroker {
    let folder: TemporaryDirectory
    let broker: PrivateBroker

    /// `more`: lines of its configuration.
    init(name: String = "IP:127.0.0.1", more: [String] = []) throws {
        folder = try TemporaryDirectory()
        try Self.certify(name, as: "broker", in: folder.path)
        let lines =
            ["certfile \(folder.path)/broker.pem", "keyfile \(folder.path)/broker.key"] + more
        let script = "printf '%s\\n' \(lines.map { "'\($0)'" }.joined(separator: " ")) >> "
        broker = try PrivateBroker(
            directory: folder.path,
            launcher: [
                "/bin/sh", "-c", script + "'\(folder.path)/mosquitto.conf' && exec \"$@\"", "sh",
            ])
    }

    /// What a client needs that trusts it.
    var trust: BrokerTLS { BrokerTLS(authority: folder.path + "/broker.pem") }

    /// Makes `AS.pem` and `AS.key`.
    static func certify(_ name: String, as file: String, in directory: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-days", "2", "-subj", "/CN=\(file)", "-addext", "subjectAltName=\(name)",
            "-keyout", "\(directory)/\(file).key", "-out", "\(directory)/\(file).pem",
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }
}

/// Encrypted connections, against a real mosquitto.
@Suite(.serialized) struct MQTTClientTLSTests {
    /// Why an attempt to connect did not succeed, or `nil` if it did.
    private func fault(_ tls: BrokerTLS, host: String = "127.0.0.1", port: Int) -> TLSFault? {
        let loop = Loop(MQTTClient(id: "tls", tls: tls))
        do {
            try loop.client.connect(
                host: host, port: port, keepalive: 5, username: "ann", password: "secret")
        } catch {
            return loop.client.tlsFault
        }
        #expect(loop.run { loop.connects == [0] || loop.client.descriptor == nil })
        #expect((loop.connects == [0]) == (loop.client.tlsFault == nil))
        return loop.client.tlsFault
    }

    @Test(arguments: MQTTClient.Version.allCases)
    func `all that is published arrives encrypted, in order`(version: MQTTClient.Version) throws {
        let own = try EncryptedBroker()
        let loop = Loop(MQTTClient(id: "both", version: version, tls: own.trust))
        try loop.client.connect(host: "127.0.0.1", port: own.broker.port)
        #expect(loop.run { loop.connects == [0] })
        try loop.subscribe("a")
        // More than is taken in one go, in few records of TLS: the rest waits where poll does not look.
        for number in 0..<2000 {
            try loop.client.publish(
                Publication(
                    topic: "a", payload: Array("\(number)".utf8), quality: 0, isRetained: false))
        }
        #expect(loop.run { loop.messages.count == 2000 })
        #expect(loop.texts == (0..<2000).map(String.init))
        let large = Publication(
            topic: "a", payload: [UInt8](repeating: 0x78, count: 500_000), quality: 1,
            isRetained: false)
        try loop.client.publish(large)
        #expect(loop.run { loop.messages.last?.payload.count == 500_000 })
        loop.client.disconnect()
        #expect(loop.run { loop.disconnects == [0] })
    }

    @Test func `a broker of another authority is refused, and it is said what to do`() throws {
        let own = try EncryptedBroker()
        try EncryptedBroker.certify("IP:127.0.0.1", as: "other", in: own.folder.path)
        let other = own.folder.path + "/other.pem"
        let found = fault(BrokerTLS(authority: other), port: own.broker.port)
        #expect(found == .untrusted(authority: other))
        #expect(found?.description.contains("copy the broker's ca.pem again") == true)
    }

    @Test func `a broker by another name than its certificate's is refused`() throws {
        let own = try EncryptedBroker(name: "DNS:elsewhere")
        let found = fault(own.trust, port: own.broker.port)
        #expect(found == .otherName(host: "127.0.0.1"))
        #expect(found?.description.contains("--host 127.0.0.1") == true)
    }

    /// The library itself would go on in the clear.
    @Test func `without the authority's file nothing is sent`() throws {
        let folder = try TemporaryDirectory()
        let plain = try PrivateBroker(directory: folder.path)
        let missing = folder.path + "/none.pem"
        let found = fault(BrokerTLS(authority: missing), port: plain.port)
        #expect(found == .unreadable(file: missing, reason: "No such file or directory"))
        try Data("no certificate".utf8).write(to: URL(fileURLWithPath: missing))
        #expect(
            fault(BrokerTLS(authority: missing), port: plain.port) == .useless(file: missing))
    }

    @Test func `a broker without TLS is told from one that is gone`() throws {
        let own = try EncryptedBroker()
        let folder = try TemporaryDirectory()
        let plain = try PrivateBroker(directory: folder.path)
        #expect(fault(own.trust, port: plain.port) == .noTLS)
        plain.stop()
        let loop = Loop(MQTTClient(id: "tls", tls: own.trust))
        let isBegun =
            (try? loop.client.connect(host: "127.0.0.1", port: plain.port, keepalive: 60)) != nil
        #expect(loop.run { loop.client.descriptor == nil })
        #expect(loop.disconnects.count == (isBegun ? 1 : 0))
        #expect(loop.client.tlsFault == nil)
    }

    @Test func `a client in the clear gets nowhere at an encrypted port`() throws {
        let own = try EncryptedBroker()
        let loop = Loop(MQTTClient(id: "clear"))
        try loop.client.connect(host: "127.0.0.1", port: own.broker.port, keepalive: 5)
        #expect(loop.run { !loop.disconnects.isEmpty })
        #expect(loop.connects.isEmpty)
    }

    @Test func `one that never answers is given up`() throws {
        let own = try EncryptedBroker()
        let listener = try SilentListener(isFull: false)
        let loop = Loop(MQTTClient(id: "tls", tls: own.trust))
        try loop.client.connect(host: "127.0.0.1", port: listener.port, keepalive: 5)
        #expect(loop.run { loop.disconnects.count == 1 })
        #expect(loop.connects.isEmpty)
    }

    @Test func `a broker that asks for a certificate gets ours`() throws {
        let folder = try TemporaryDirectory()
        try EncryptedBroker.certify("DNS:client", as: "client", in: folder.path)
        let file = folder.path + "/client"
        let own = try EncryptedBroker(more: ["require_certificate true", "cafile \(file).pem"])
        var tls = own.trust
        #expect(fault(tls, port: own.broker.port) == .certificateWanted)
        tls.certificate = file + ".pem"
        tls.key = file + ".key"
        #expect(fault(tls, port: own.broker.port) == nil)
    }

    @Test func `files that cannot be used are named before anything is tried`() throws {
        let folder = try TemporaryDirectory()
        try EncryptedBroker.certify("DNS:client", as: "client", in: folder.path)
        let (certificate, key) = (folder.path + "/client.pem", folder.path + "/client.key")
        func fault(_ certificate: String?, _ key: String?) -> TLSFault? {
            BrokerTLS(authority: folder.path + "/client.pem", certificate: certificate, key: key)
                .fault
        }
        #expect(fault(nil, nil) == nil)
        #expect(fault(certificate, key) == nil)
        #expect(fault(certificate, nil) == .keyMissing)
        #expect(fault(nil, key) == .certificateMissing)
        let none = folder.path + "/none"
        #expect(
            fault(certificate, none)
                == .unreadable(file: none, reason: "No such file or directory"))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        #expect(fault(certificate, key) == .keyIsOpen(file: key))
    }
}
