/// What `--json` writes: where everything of a demonstration is.
struct DemoDescription: Encodable {
    struct Address: Encodable {
        var host = "127.0.0.1"
        var port: Int

        enum CodingKeys: String, CodingKey {
            case host, port, websocket_port, username, password_file
        }

        /// The keys without a value are written as null: they are part of the promise.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(host, forKey: .host)
            try container.encode(port, forKey: .port)
            try container.encodeNil(forKey: .websocket_port)
            try container.encodeNil(forKey: .username)
            try container.encodeNil(forKey: .password_file)
        }
    }

    struct Part: Encodable {
        var name: String
        var pid: Int32
    }

    var version = 1
    var site: String
    var broker: Address
    var dashboard: String
    var api_token_file: String
    var database: String
    var processes: [Part]
    var seed: UInt64
}
