import Basics
import JSON

/// What makes a machine a node of a site: what it gets from the coordinator when it joins, or from a file.
package struct NodeBundle: Equatable, Sendable {
    /// How such a text says what it is.
    private static let form = "node-1"
    /// The longest text, in bytes.
    package static let limit = 48 << 10
    /// The longest list of authorities, in bytes.
    private static let longestAuthority = 32 << 10

    /// The slugs of both.
    package var site: String
    package var node: String
    /// Where the broker is, as its certificate names it.
    package var host: String
    package var port: Int
    /// The user name is the node's slug.
    package var password: String
    /// The broker's authority in PEM; `nil`: what is said to the broker is not encrypted.
    package var authority: String?
    /// When it was made, by the coordinator's clock, in ms since 1970.
    package var madeMs: Int64

    package init(
        site: String, node: String, host: String, port: Int, password: String, authority: String?,
        madeMs: Int64
    ) {
        self.site = site
        self.node = node
        self.host = host
        self.port = port
        self.password = password
        self.authority = authority
        self.madeMs = madeMs
    }

    /// Reads one and checks each value: it becomes lines of files. Throws what is wrong with it.
    package init(json: Span<UInt8>) throws(PayloadError) {
        let object = try JSONObject(document: json, limit: Self.limit)
        let form = try object.required("beaconmesh", json)
        guard try form.text(json) == Self.form else { throw .unknownValue(field: form.name) }
        site = try object.required("site", json).slug(json)
        node = try object.required("node", json).slug(json)
        let host = try object.required("host", json)
        self.host = try host.text(json)
        guard Self.isHost(self.host) else { throw .unknownValue(field: host.name) }
        port = Int(try object.required("port", json).integer(json, from: 1, through: 65_535))
        password = try object.required("password", json).token(json)
        let authority = try object.optional("ca", json)
        self.authority = try authority?.text(json)
        if let authority, let text = self.authority, !Self.isAuthority(text) {
            throw .unknownValue(field: authority.name)
        }
        madeMs = try object.required("made_ms", json).time(json)
    }

    package var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }

    private func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("beaconmesh", Self.form)
        writer.field("site", site)
        writer.field("node", node)
        writer.field("host", host)
        writer.field("port", port)
        writer.field("password", password)
        if let authority { writer.field("ca", authority) }
        writer.field("made_ms", madeMs)
        writer.endObject()
    }

    /// A name or address, without what would end a word of a file.
    package static func isHost(_ text: String) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":")
                    || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
            } && text.first != "-"
    }

    /// A list of certificates in PEM that is not too long.
    package static func isAuthority(_ text: String) -> Bool {
        text.utf8.count <= longestAuthority && text.contains("-----BEGIN CERTIFICATE-----")
            && text.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A || $0 == 0x0D }
    }

    /// The answer to a machine that joins, before it is sealed.
    package struct Answer: Sendable {
        /// The request it answers.
        package var request: String
        package var bundle: NodeBundle

        package init(request: String, bundle: NodeBundle) {
            self.request = request
            self.bundle = bundle
        }

        package init(json: Span<UInt8>) throws(PayloadError) {
            let object = try JSONObject(document: json, limit: NodeBundle.limit + 1024)
            request = try object.required("request", json).token(json)
            let bytes = try object.required("bundle", json).bytes(json)
            bundle = try NodeBundle(json: bytes.span)
        }

        package var json: [UInt8] {
            var writer = JSONWriter()
            writer.beginObject()
            writer.field("request", request)
            writer.key("bundle")
            writer.raw(bundle.json)
            writer.endObject()
            return writer.bytes
        }
    }

    /// What a machine says of itself when it joins, before it is sealed.
    package struct Request: Equatable, Sendable {
        /// Made once for each code, so that whoever got no answer may ask again.
        package var request: String
        /// What the machine is called.
        package var machine: String

        package init(request: String, machine: String) {
            self.request = request
            self.machine = machine
        }

        package init(json: Span<UInt8>) throws(PayloadError) {
            let object = try JSONObject(document: json, limit: 1024)
            request = try object.required("request", json).token(json)
            machine = HarmlessText.line(try object.required("machine", json).text(json, limit: 64))
        }

        package var json: [UInt8] {
            var writer = JSONWriter()
            writer.beginObject()
            writer.field("request", request)
            writer.field("machine", machine)
            writer.endObject()
            return writer.bytes
        }
    }
}
