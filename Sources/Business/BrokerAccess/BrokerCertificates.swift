import Foundation
import Glibc
import Platform

/// The authority of a broker and its certificate, as they lie in the broker's folder. Made with `openssl`, kept
/// as long as they are good, and changed so that who trusts the authority that was there goes on.
package struct BrokerCertificates: Sendable {
    /// What becomes of the authority.
    package enum Change: Sendable {
        /// It is made if there is none.
        case keep
        /// Another one is made, and both are handed out. The certificate stays of the one before, until `drop`.
        case add
        /// Only the newest is handed out; the certificate is of that.
        case drop
    }

    /// The files to write, and what was done, in words.
    package struct Made: Sendable {
        package var files: [BrokerFile] = []
        package var notes: [String] = []

        /// Nothing.
        package init() {}
    }

    /// In days: how long they last, how long before its end a certificate is renewed, and how long before it
    /// even by an authority that not everybody trusts yet.
    private static let days = (authority: 3650, certificate: 825, notice: 60, last: 7)
    /// What every certificate is for, besides.
    private static let own = ["DNS:localhost", "IP:127.0.0.1", "IP:::1"]

    private let folder: BrokerFolder
    private let site: String

    package init(in folder: BrokerFolder, site: String) {
        self.folder = folder
        self.site = site
    }

    /// Makes what is missing, what is near its end, and what is asked for; writes nothing. While two authorities
    /// are handed out it makes no certificate, unless the present one is untrusted or about to end.
    ///
    /// - Parameters:
    ///   - hosts: The names and addresses by which the broker is reached; without any those that its certificate
    ///     has, and in a first one those of this machine.
    ///   - isRenewed: Whether the certificate is made anew in any case.
    /// - Throws: An `Exit` with 64 for a host that is none, 69 without openssl, 77 if the authority's key cannot
    ///   be read, 78 if the folder's files do not belong together, or if a certificate is asked for that not
    ///   everybody would trust yet.
    package func make(
        hosts: [String], isRenewed: Bool = false, change: Change = .keep
    ) throws(Exit) -> Made {
        var asked: Set<String> = []
        for host in hosts {
            guard let name = Self.name(host) else {
                throw Exit(code: 64, text: "--host: \(host) is no name and no address")
            }
            asked.insert(name)
        }
        let openssl = try OpenSSL()
        var made = Made()
        let trusted = try authority(change, by: openssl, &made)
        try certify(asked, isRenewed, change, of: trusted, by: openssl, &made)
        return made
    }

    /// The certificates that are handed out, and the authority that is made now.
    private func authority(
        _ change: Change, by openssl: OpenSSL, _ made: inout Made
    ) throws(Exit) -> Trusted {
        let before = Self.blocks(of: try folder.text(of: BrokerFile.authority) ?? "")
        if before.isEmpty { try checkNothingIsLeft() }
        var trusted = Trusted(certificates: before)
        switch change {
        case .keep: break
        case .add:
            guard before.count == 1 else {
                throw Exit(
                    code: 78,
                    text: before.isEmpty
                        ? "there is no authority yet: leave out --new-ca"
                        : "there are two authorities already: end that with --drop-old-ca first")
            }
        case .drop:
            guard !before.isEmpty else {
                throw Exit(code: 78, text: "there is no authority yet: leave out --drop-old-ca")
            }
            trusted.certificates = [before[0]]
        }
        if before.isEmpty || change == .add {
            let new = try openssl.authority(of: site, days: Self.days.authority)
            trusted = Trusted(certificates: [new.certificate] + before, new: new)
            made.files.append(
                BrokerFile(name: BrokerFile.authorityKey, text: new.key, isSecret: true))
        }
        if trusted.certificates != before {
            made.files.append(
                BrokerFile(
                    name: BrokerFile.authority, text: trusted.certificates.joined(),
                    isSecret: false))
        }
        try openssl.write(trusted.certificates.joined(), to: "trusted.pem")
        let verb =
            switch change {
            case .add: "added beside the one before"
            case .drop: "the newest alone"
            case .keep: trusted.new == nil ? "kept" : "made"
            }
        let end = try openssl.end(of: "trusted.pem")
        made.notes.append("authority: \(verb), until \(end)")
        if trusted.isChanging {
            made.notes.append("a change of authority is under way: \(nextStep)")
        }
        return trusted
    }

    /// Throws where files are left of an authority whose own is not there: another one made unasked would cut
    /// everybody off.
    private func checkNothingIsLeft() throws(Exit) {
        let left = [BrokerFile.authorityKey, BrokerFile.certificate, BrokerFile.certificateKey]
            .filter { FileManager.default.fileExists(atPath: folder.path + "/" + $0) }
        guard left.isEmpty else {
            throw Exit(
                code: 78,
                text: """
                    \(folder.path)/\(BrokerFile.authority): there is no certificate, and \
                    \(left.joined(separator: ", ")) of its authority: copy it back from a machine that has \
                    it, or remove the others to begin anew, and copy the new one to every machine
                    """)
        }
    }

    private struct Trusted {
        /// The newest authority's first.
        var certificates: [String]
        /// The one that is made now.
        var new: (certificate: String, key: String)?

        /// Whether there are machines, maybe, that do not trust the newest yet.
        var isChanging: Bool { certificates.count > 1 }
    }

    /// What ends a change of authority.
    private var nextStep: String {
        """
        copy \(folder.path)/\(BrokerFile.authority) to every machine, then run broker config with \
        --drop-old-ca
        """
    }

    /// A new certificate, if one is needed.
    private func certify(
        _ asked: Set<String>, _ isRenewed: Bool, _ change: Change, of trusted: Trusted,
        by openssl: OpenSSL, _ made: inout Made
    ) throws(Exit) {
        var names: Set<String> = []
        var reason = "made"
        let key = try folder.text(of: BrokerFile.certificateKey)
        let certificate = try folder.text(of: BrokerFile.certificate)
        if let key, let certificate {
            try openssl.write(certificate, to: "present.pem")
            names = try openssl.names(of: "present.pem")
            let isForOthers = !asked.isEmpty && asked.union(Self.own) != names
            if try openssl.fits(key, certificate) {
                let found = try need(isRenewed, isForOthers, change, of: trusted, by: openssl)
                guard let found else {
                    return try note("kept", names, "present.pem", openssl, &made)
                }
                reason = found
            } else {
                // Of a power cut between two files.
                reason = "made anew, as its key was another's"
            }
        }
        if !asked.isEmpty { names = asked }
        names = (names.isEmpty ? Self.ofThisMachine : names).union(Self.own)
        try issue(names, of: trusted, by: openssl, &made)
        try note(reason, names, "server.pem", openssl, &made)
    }

    /// Why the certificate that is there does not do, or `nil`.
    private func need(
        _ isRenewed: Bool, _ isForOthers: Bool, _ change: Change, of trusted: Trusted,
        by openssl: OpenSSL
    ) throws(Exit) -> String? {
        guard try openssl.isTrusted("present.pem") else { return "made anew, of this authority" }
        if change == .add {
            // By the authority before, while there is its key: the change may take its time then.
            let other = try issuer(of: trusted, by: openssl)
            guard let other, other.certificate != trusted.certificates[0] else { return nil }
            return try openssl.ends("present.pem", within: Self.days.notice) ? "renewed" : nil
        }
        if trusted.isChanging {
            guard try !openssl.ends("present.pem", within: Self.days.last) else {
                return "made anew, as it was at its end"
            }
            guard !isRenewed, !isForOthers else {
                throw Exit(
                    code: 78,
                    text: """
                        a change of authority is under way, and a certificate made now would cut off who has \
                        not got the new \(BrokerFile.authority): \(nextStep)
                        """)
            }
            return nil
        }
        guard !isRenewed else { return "renewed" }
        guard !isForOthers else { return "made anew, for other names" }
        return try openssl.ends("present.pem", within: Self.days.notice) ? "renewed" : nil
    }

    /// Who issues: the authority whose key lies in the folder. That is the one before while another is made,
    /// which nobody has yet; the new one does it only if there is no other.
    private func issuer(
        of trusted: Trusted, by openssl: OpenSSL
    ) throws(Exit) -> (certificate: String, key: String)? {
        let known =
            trusted.new == nil ? trusted.certificates : Array(trusted.certificates.dropFirst())
        guard let certificate = known.first, let key = try folder.text(of: BrokerFile.authorityKey),
            try openssl.fits(key, certificate)
        else { return trusted.new }
        return (certificate: certificate, key: key)
    }

    private func issue(
        _ names: Set<String>, of trusted: Trusted, by openssl: OpenSSL, _ made: inout Made
    ) throws(Exit) {
        guard let issuer = try self.issuer(of: trusted, by: openssl) else {
            throw Exit(
                code: 78,
                text: """
                    \(folder.path)/\(BrokerFile.authorityKey): there is no key of the authority: --new-ca \
                    makes another authority
                    """)
        }
        let new = try openssl.certificate(
            for: names.sorted(), site: site, days: Self.days.certificate, by: issuer)
        made.files += [
            BrokerFile(name: BrokerFile.certificateKey, text: new.key, isSecret: true),
            BrokerFile(name: BrokerFile.certificate, text: new.certificate, isSecret: false),
        ]
        if trusted.isChanging, issuer.certificate == trusted.certificates[0] {
            made.notes.append(
                """
                the certificate had to be of the new authority: who has not got the new \
                \(BrokerFile.authority) is cut off
                """)
        }
    }

    private func note(
        _ what: String, _ names: Set<String>, _ file: String, _ openssl: OpenSSL,
        _ made: inout Made
    ) throws(Exit) {
        let end = try openssl.end(of: file)
        let hosts = names.sorted().map { $0.drop { $0 != ":" }.dropFirst() }
        made.notes.append(
            "certificate: \(what), until \(end), for \(hosts.joined(separator: ", "))")
    }

    /// The certificates of a text in PEM.
    static func blocks(of text: String) -> [String] {
        let end = "-----END CERTIFICATE-----"
        return text.components(separatedBy: end).dropLast().compactMap { part in
            part.range(of: "-----BEGIN CERTIFICATE-----").map {
                String(part[$0.lowerBound...]) + end + "\n"
            }
        }
    }

    /// A host as certificates name it, `DNS:gym.lan` or `IP:10.0.0.2`, always the same for the same host; `nil`
    /// for what is none.
    package static func name(_ host: String) -> String? {
        for (family, size) in [(AF_INET, INET_ADDRSTRLEN), (AF_INET6, INET6_ADDRSTRLEN)] {
            var address = in6_addr()
            guard inet_pton(family, host, &address) == 1 else { continue }
            var text = [CChar](repeating: 0, count: Int(size))
            guard inet_ntop(family, &address, &text, socklen_t(size)) != nil else { continue }
            return "IP:"
                + String(
                    decoding: text.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) },
                    as: UTF8.self)
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-"
                && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        }
        // What ends in a number is an address, here one with a slip.
        guard isName, host.utf8.count <= 253, labels.last?.allSatisfy(\.isNumber) == false else {
            return nil
        }
        return "DNS:" + host.lowercased()
    }

    /// This machine's name, as it is and as it is called in its network, and its private addresses.
    private static var ofThisMachine: Set<String> {
        var text = [CChar](repeating: 0, count: 256)
        gethostname(&text, text.count - 1)
        let host = String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
        let names = host.contains(".") ? [host] : [host, host + ".local"]
        return Set((names + OwnAddresses.inPrivateNetworks()).compactMap { name($0) })
    }
}
