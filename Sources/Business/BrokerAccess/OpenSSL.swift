import Foundation
import Glibc
import Platform

/// The program `openssl`, in a folder of its own that only this user can look into. It goes away with this object.
final class OpenSSL {
    private let directory: String

    /// Throws an `Exit` with 73 if there is no place for the folder.
    init() throws(Exit) {
        let path = NSTemporaryDirectory() + "beaconmesh-\(TokenFile.newToken().prefix(16))"
        guard mkdir(path, 0o700) == 0 else {
            throw Exit(code: 73, text: "\(path): \(String(cString: strerror(errno)))")
        }
        directory = path
    }

    deinit { _ = Result { try FileManager.default.removeItem(atPath: directory) } }

    /// An authority of its own, and its key.
    func authority(of site: String, days: Int) throws(Exit) -> (certificate: String, key: String) {
        try write(Self.configuration([]), to: "make.cnf")
        try make(
            [
                "-extensions", "authority", "-days", "\(days)", "-subj",
                "/O=\(site)/CN=Beaconmesh broker authority \(TokenFile.newToken().prefix(8))",
            ], "ca")
        return (try read("ca.pem"), try read("ca.key"))
    }

    /// A certificate for names such as `DNS:gym.lan`, of the authority `by`, and its key.
    func certificate(
        for names: [String], site: String, days: Int,
        by authority: (certificate: String, key: String)
    ) throws(Exit) -> (certificate: String, key: String) {
        try write(Self.configuration(names), to: "make.cnf")
        try write(authority.certificate, to: "signer.pem")
        try write(authority.key, to: "signer.key")
        try make(
            [
                "-extensions", "server", "-days", "\(days)", "-subj",
                "/O=\(site)/CN=Beaconmesh broker", "-CA", "signer.pem", "-CAkey", "signer.key",
            ], "server")
        return (try read("server.pem"), try read("server.key"))
    }

    /// The names of a certificate, as `BrokerCertificates.name` writes them.
    func names(of file: String) throws(Exit) -> Set<String> {
        let (status, text) = try run(["x509", "-in", file, "-noout", "-ext", "subjectAltName"])
        guard status == 0 else { throw Self.damage }
        let words = text.split { $0 == "," || $0.isNewline }
        return Set(
            words.compactMap { part -> String? in
                let word = part.drop(while: \.isWhitespace)
                guard word.hasPrefix("DNS:") || word.hasPrefix("IP Address:") else { return nil }
                return BrokerCertificates.name(String(word.drop { $0 != ":" }.dropFirst()))
            })
    }

    /// Whether a certificate is of an authority in `trusted.pem`, at any time. Whom else this machine trusts does
    /// not count.
    func isTrusted(_ file: String) throws(Exit) -> Bool {
        try run(
            [
                "verify", "-no_check_time", "-no-CApath", "-no-CAstore", "-CAfile", "trusted.pem",
                file,
            ]
        ).status == 0
    }

    /// Whether a key is that of a certificate.
    func fits(_ key: String, _ certificate: String) throws(Exit) -> Bool {
        try write(key, to: "pair.key")
        try write(certificate, to: "pair.pem")
        let own = try run(["pkey", "-in", "pair.key", "-pubout"])
        let certified = try run(["x509", "-in", "pair.pem", "-noout", "-pubkey"])
        return own.status == 0 && certified.status == 0 && own.output == certified.output
    }

    /// Whether a certificate ends within so many days.
    func ends(_ file: String, within days: Int) throws(Exit) -> Bool {
        try run(["x509", "-in", file, "-noout", "-checkend", "\(days * 86_400)"]).status != 0
    }

    /// The day on which the first certificate of a file ends.
    func end(of file: String) throws(Exit) -> String {
        let (status, output) = try run(
            ["x509", "-in", file, "-noout", "-enddate", "-dateopt", "iso_8601"])
        guard status == 0 else { throw Self.damage }
        return String(output.drop { $0 != "=" }.dropFirst().prefix(10))
    }

    private static var damage: Exit {
        Exit(
            code: 78,
            text: """
                the broker's files hold a certificate that openssl cannot read: copy \(BrokerFile.authority) back \
                from a machine that has it, or remove \(BrokerFile.certificate) and \
                \(BrokerFile.certificateKey) and give each --host again
                """)
    }

    /// Puts a text into the folder.
    func write(_ text: String, to file: String) throws(Exit) {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(directory)/\(file)"))
        } catch {
            throw Exit(code: 73, text: "\(directory)/\(file): \(error.localizedDescription)")
        }
    }

    private func read(_ file: String) throws(Exit) -> String {
        do {
            return try String(contentsOfFile: "\(directory)/\(file)", encoding: .utf8)
        } catch {
            throw Exit(code: 70, text: "openssl made no \(file): \(error.localizedDescription)")
        }
    }

    /// Makes `NAME.pem` and `NAME.key`. Everything that counts is said here, nothing is taken from the
    /// configuration of the machine.
    private func make(_ arguments: [String], _ name: String) throws(Exit) {
        let (status, output) = try run(
            [
                "req", "-x509", "-config", "make.cnf", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:P-256", "-noenc", "-sha256", "-keyout", name + ".key", "-out",
                name + ".pem",
            ] + arguments)
        guard status == 0 else {
            throw Exit(code: 70, text: "openssl req failed: \(output.suffix(300))")
        }
    }

    private static func configuration(_ names: [String]) -> String {
        """
        [req]
        distinguished_name = subject
        prompt = no
        [subject]
        CN = Beaconmesh
        [authority]
        basicConstraints = critical,CA:TRUE,pathlen:0
        keyUsage = critical,keyCertSign,cRLSign
        subjectKeyIdentifier = hash
        [server]
        basicConstraints = critical,CA:FALSE
        keyUsage = critical,digitalSignature
        extendedKeyUsage = serverAuth
        subjectKeyIdentifier = hash
        authorityKeyIdentifier = keyid
        \(names.isEmpty ? "" : "subjectAltName = \(names.joined(separator: ","))")

        """
    }

    private func run(_ arguments: [String]) throws(Exit) -> (status: Int32, output: String) {
        let ended = try Program.run(["openssl"] + arguments, in: directory)
        return (ended.status, ended.text + String(decoding: ended.faults, as: UTF8.self))
    }
}
