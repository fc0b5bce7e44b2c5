import Foundation
import Glibc
import Testing

@testable import BrokerAccess
@testable import Platform

/// The authority and the certificate of a broker: made, kept, renewed and changed, with the real `openssl`.
struct BrokerCertificatesTests {
    private let scratch: Scratch
    private let folder: BrokerFolder
    private let certificates: BrokerCertificates

    init() throws {
        scratch = try Scratch()
        folder = BrokerFolder(scratch.directory.path)
        certificates = BrokerCertificates(in: folder, site: "gym")
    }

    /// Makes what is due and writes it; the names of what was written, and what was said of the certificate.
    @discardableResult
    private func make(
        _ hosts: [String] = [], isRenewed: Bool = false,
        change: BrokerCertificates.Change = .keep
    ) throws -> (written: Set<String>, said: String) {
        let made = try certificates.make(hosts: hosts, isRenewed: isRenewed, change: change)
        try folder.write(made.files)
        return (Set(made.files.map(\.name)), made.notes.last ?? "")
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOf: scratch.directory.appending(path: name), encoding: .utf8)
    }

    /// Whether openssl says so.
    private func openssl(_ arguments: String...) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = scratch.directory
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// A certificate for gym.lan that ends in so many days, of the authority in `authority.pem`.
    private func sign(days: String, by authority: String = "ca") throws {
        let names = "DNS:gym.lan,DNS:localhost,IP:127.0.0.1,IP:::1"
        #expect(
            try openssl(
                "req", "-x509", "-CA", authority + ".pem", "-CAkey", authority + ".key", "-newkey",
                "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-days", days, "-subj",
                "/CN=b", "-addext", "subjectAltName=" + names, "-keyout", "server.key", "-out",
                "server.pem"))
    }

    /// Keeps the authority that is there as `old.pem` and `old.key`.
    private func keepAuthority() throws {
        for ending in ["pem", "key"] {
            try Data(try text("ca." + ending).utf8)
                .write(to: scratch.directory.appending(path: "old." + ending))
        }
    }

    private static let all: Set = ["ca.pem", "ca.key", "server.pem", "server.key"]
    private static let certificate: Set = ["server.pem", "server.key"]

    @Test func `the certificate is of the authority, and only the keys are secret`() throws {
        let (written, said) = try make(["Gym.LAN", "10.0.0.2"])
        #expect(written == Self.all)
        #expect(
            said.hasSuffix("for gym.lan, localhost, 10.0.0.2, 127.0.0.1, ::1"), "\(said)")
        for (name, mode) in [
            ("ca.pem", 0o644), ("ca.key", 0o600), ("server.pem", 0o644), ("server.key", 0o600),
        ] {
            var info = stat()
            #expect(stat(scratch.directory.appending(path: name).path, &info) == 0)
            #expect(Int(info.st_mode & 0o777) == mode, "\(name)")
        }
        for host in ["gym.lan", "localhost"] {
            #expect(
                try openssl(
                    "verify", "-CAfile", "ca.pem", "-purpose", "sslserver", "-verify_hostname",
                    host, "server.pem"))
        }
        for address in ["10.0.0.2", "127.0.0.1", "::1"] {
            #expect(
                try openssl("verify", "-CAfile", "ca.pem", "-verify_ip", address, "server.pem"))
        }
        #expect(
            try !openssl("verify", "-CAfile", "ca.pem", "-verify_hostname", "b.lan", "server.pem"))
    }

    @Test func `what is good is kept, and what is asked for is made anew`() throws {
        try make(["gym.lan"])
        for hosts in [[], ["gym.lan"], ["GYM.lan", "127.0.0.1"]] {
            let (written, said) = try make(hosts)
            #expect(written == [])
            #expect(said.hasPrefix("certificate: kept, until "))
        }
        let authority = try text("ca.pem")
        #expect(try make(["gym.lan", "fd00::5"]).written == Self.certificate)
        // An address is the same in each of its spellings.
        #expect(try make(["FD00:0::5", "gym.lan"]).written == [])
        let (written, said) = try make(isRenewed: true)
        #expect(written == Self.certificate)
        #expect(said.contains("certificate: renewed, ") && said.contains("gym.lan"), "\(said)")
        #expect(try text("ca.pem") == authority)
    }

    @Test func `a certificate near its end is renewed, for the same names`() throws {
        try make(["gym.lan"])
        for (days, isDue) in [("50", true), ("70", false)] {
            try sign(days: days)
            let (written, said) = try make()
            #expect(written == (isDue ? Self.certificate : []))
            #expect(said.contains("gym.lan"))
        }
    }

    @Test func `another authority comes in two steps, each of which everybody trusts`() throws {
        try make(["gym.lan"])
        let (old, server) = (try text("ca.pem"), try text("server.pem"))
        #expect(try make(change: .add).written == ["ca.pem", "ca.key"])
        let both = BrokerCertificates.blocks(of: try text("ca.pem"))
        #expect(both.count == 2 && both[1] == old && both[0] != old)
        #expect(try text("server.pem") == server)
        #expect(throws: Exit.self) { try make(change: .add) }
        try Data(old.utf8).write(to: scratch.directory.appending(path: "old.pem"))
        try Data(try text("ca.pem").utf8).write(to: scratch.directory.appending(path: "both.pem"))
        #expect(try make(change: .drop).written == ["ca.pem", "server.pem", "server.key"])
        #expect(try text("ca.pem") == both[0])
        #expect(try openssl("verify", "-CAfile", "both.pem", "server.pem"))
        #expect(try openssl("verify", "-CAfile", "ca.pem", "server.pem"))
        #expect(try !openssl("verify", "-CAfile", "old.pem", "server.pem"))
        #expect(try make().written == [])
    }

    @Test func `while two authorities are handed out the certificate stays of the old one`() throws
    {
        try make(["gym.lan"])
        try keepAuthority()
        try make(change: .add)
        try sign(days: "50", by: "old")
        let plain = try certificates.make(hosts: [])
        #expect(plain.files == [])
        #expect(plain.notes.contains { $0.contains("--drop-old-ca") }, "\(plain.notes)")
        // The names that it has are nothing new.
        #expect(try make(["gym.lan"]).written == [])
        for hosts in [["b.lan"], []] {
            do {
                try make(hosts, isRenewed: hosts.isEmpty)
                Issue.record("a certificate of the new authority, \(hosts)")
            } catch let error as Exit {
                #expect(error.code == 78 && error.text.contains("--drop-old-ca"), "\(error.text)")
            }
        }
        #expect(try openssl("verify", "-CAfile", "old.pem", "server.pem"))
        let dropped = try make(["b.lan"], change: .drop)
        #expect(dropped.written == ["ca.pem", "server.pem", "server.key"])
        #expect(dropped.said.contains("for b.lan, "), "\(dropped.said)")
    }

    @Test func `at its end the certificate is made by the new authority, and that is said`() throws
    {
        try make(["gym.lan"])
        try keepAuthority()
        try make(change: .add)
        try sign(days: "5", by: "old")
        let made = try certificates.make(hosts: [])
        #expect(Set(made.files.map(\.name)) == Self.certificate)
        #expect(made.notes.contains { $0.contains("is cut off") }, "\(made.notes)")
        try folder.write(made.files)
        #expect(try openssl("verify", "-CAfile", "ca.pem", "server.pem"))
        #expect(try !openssl("verify", "-CAfile", "old.pem", "server.pem"))
        #expect(try make().written == [])
        #expect(try make(change: .drop).written == ["ca.pem"])
    }

    @Test func `a certificate that is due beside another authority is of the one before`() throws {
        try make(["gym.lan"])
        try keepAuthority()
        try sign(days: "50")
        #expect(try make(change: .add).written == Self.all)
        #expect(try openssl("verify", "-CAfile", "old.pem", "server.pem"))
        #expect(try make(change: .drop).written == ["ca.pem", "server.pem", "server.key"])
        try keepAuthority()
        for name in Self.certificate {
            try FileManager.default.removeItem(at: scratch.directory.appending(path: name))
        }
        #expect(try make(change: .add).written == Self.all)
        #expect(try openssl("verify", "-CAfile", "old.pem", "server.pem"))
        // Without the key of the one before it stays as it is.
        try make(change: .drop)
        try sign(days: "50")
        try FileManager.default.removeItem(at: scratch.directory.appending(path: "ca.key"))
        #expect(try make(change: .add).written == ["ca.pem", "ca.key"])
    }

    @Test func `a certificate without its own key is made anew, and so is an authority`() throws {
        func write(_ text: String, to name: String) throws {
            try Data(text.utf8).write(to: scratch.directory.appending(path: name))
        }
        try make(["gym.lan"])
        let before = try text("server.key")
        try make(isRenewed: true)
        for key in [before, ""] {
            try write(key, to: "server.key")
            let (written, said) = try make()
            #expect(written == Self.certificate)
            #expect(said.contains("gym.lan"), "\(said)")
            #expect(try make().written == [])
        }
        try write(before, to: "ca.key")
        #expect(try make().written == [])
        do {
            try make(isRenewed: true)
            Issue.record("a certificate by another's key")
        } catch let error as Exit {
            #expect(error.code == 78 && error.text.contains("--new-ca"), "\(error.text)")
        }
        #expect(try make(change: .add).written == ["ca.pem", "ca.key"])
    }

    @Test func `no authority is made where files of another are left`() throws {
        try make(["gym.lan"])
        let authority = try text("ca.pem")
        let file = scratch.directory.appending(path: "ca.pem")
        try Data().write(to: file)
        for name in ["", "ca.pem", "ca.key", "server.pem"] {
            if !name.isEmpty {
                try FileManager.default.removeItem(at: scratch.directory.appending(path: name))
            }
            for change in [BrokerCertificates.Change.keep, .add, .drop] {
                do {
                    try make(change: change)
                    Issue.record("made, without \(name)")
                } catch let error as Exit {
                    #expect(error.code == 78 && error.text.contains("/ca.pem: "), "\(error.text)")
                    #expect(error.text.contains("server.key of its authority"), "\(error.text)")
                }
            }
        }
        try Data(authority.utf8).write(to: file)
        #expect(throws: Exit.self) { try make() }
        for name in ["ca.pem", "server.key"] {
            try FileManager.default.removeItem(at: scratch.directory.appending(path: name))
        }
        #expect(try make().written == Self.all)
    }

    @Test func `what cannot be is refused, and nothing is made`() throws {
        for host in ["", "-a", "a b", "a,b", "10.0.0.300", "a\nb", "ä", "a..b"] {
            #expect(throws: Exit.self, "\(host)") { try certificates.make(hosts: [host]) }
        }
        #expect(throws: Exit.self) { try certificates.make(hosts: [], change: .add) }
        #expect(throws: Exit.self) { try certificates.make(hosts: [], change: .drop) }
        try make()
        try FileManager.default.removeItem(at: scratch.directory.appending(path: "ca.key"))
        #expect(try make().written == [])
        do {
            try make(isRenewed: true)
            Issue.record("a certificate without the authority's key")
        } catch let error as Exit {
            #expect(error.code == 78 && error.text.contains("--new-ca"))
        }
        try make(change: .add)
        #expect(try make(change: .drop).written == ["ca.pem", "server.pem", "server.key"])
    }

    @Test func `a damaged certificate is refused, so that no name is lost`() throws {
        try make(["gym.lan"])
        let file = scratch.directory.appending(path: "server.pem")
        try Data(try text("server.pem").utf8.prefix(200)).write(to: file)
        do {
            try make()
            Issue.record("made, without gym.lan")
        } catch let error as Exit {
            #expect(error.code == 78 && error.text.contains("remove server.pem and server.key"))
        }
    }

    @Test func `a certificate that ended is renewed, as one of this authority`() throws {
        try make(["gym.lan"])
        #expect(
            try openssl(
                "req", "-new", "-key", "server.key", "-subj", "/CN=b", "-addext",
                "subjectAltName=DNS:gym.lan", "-out", "ended.csr"))
        #expect(
            try openssl(
                "x509", "-req", "-in", "ended.csr", "-CA", "ca.pem", "-CAkey", "ca.key",
                "-CAcreateserial", "-days", "-1", "-copy_extensions", "copy", "-out", "server.pem"))
        let (written, said) = try make()
        #expect(written == Self.certificate)
        #expect(said.hasPrefix("certificate: renewed, ") && said.contains("gym.lan"), "\(said)")
    }
}
