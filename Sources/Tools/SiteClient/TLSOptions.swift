import ArgumentParser
import Broker
import Platform

/// How a verb that is told a broker encrypts the connection to it.
package struct TLSOptions: ParsableArguments {
    @Option(
        help: """
            The file with the authority that the broker's certificate is of (ca.pem): the connection is \
            encrypted, by default at port 8883.
            """)
    package var ca: String?

    @Option(help: "The file of a certificate of our own, for brokers that ask for one.")
    package var cert: String?

    @Option(help: "The file of its key.")
    package var key: String?

    @Flag(help: "Send the password in the clear to another machine.")
    package var plaintext = false

    package init() {}

    package func validate() throws {
        guard (cert == nil) == (key == nil) else {
            throw ValidationError("give both of --cert and --key")
        }
        guard ca != nil || cert == nil else {
            throw ValidationError("--cert is of no use without --ca")
        }
    }

    /// Whether anything was given.
    package var isGiven: Bool { ca != nil || plaintext }

    /// Whether the connection is to be encrypted.
    package var isEncrypted: Bool { ca != nil }

    /// What to encrypt with, or `nil`. Throws an `Exit` with 78 that names a file which is of no use.
    package func files() throws(Exit) -> BrokerTLS? {
        guard let ca else { return nil }
        let tls = BrokerTLS(authority: ca, certificate: cert, key: key)
        if let fault = tls.fault { throw Exit(code: 78, text: fault.description) }
        return tls
    }

    /// Throws an `Exit` with 78 if the password would cross a network in the clear, and nobody said that it
    /// may.
    package func check(_ address: BrokerAddress) throws(Exit) {
        guard address.password != nil, !plaintext,
            BrokerAddress.isInClear(to: address.host, address.tls)
        else { return }
        throw Exit(
            code: 78,
            text: """
                --ca: missing, the password would go to \(address.host) in the clear: give --ca FILE \
                (beaconmesh broker config --tls makes it), or --plaintext where nobody else can listen
                """)
    }
}
