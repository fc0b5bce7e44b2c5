import Testing

@testable import SiteModel
@testable import SitePipeline

/// What ESPresense and Theengs/OpenMQTTGateway send, written down from their sources and threads;
/// each says where its form was seen.
struct ForeignAdapterTests {
    let espresense = ForeignNetwork(kind: .espresense)
    let theengs = ForeignNetwork(kind: .theengs)
    let uuid = "7b44b47b52a1538190c2f09b6838c5d4"
    let dashed = "7b44b47b-52a1-5381-90c2-f09b6838c5d4"

    private func read(
        _ network: ForeignNetwork, _ topic: String, _ text: String, isRetained: Bool = false
    ) throws(ForeignRefusal) -> ForeignReport? {
        let bytes = Array(text.utf8)
        return try network.read("\(network.root)/\(topic)", bytes.span, isRetained: isRetained)
    }

    private func level(_ report: ForeignReport?) -> Double? {
        if case .heard(_, let level)? = report?.content { level.dBm } else { nil }
    }

    private func identities(_ report: ForeignReport?) -> [String]? {
        if case .heard(let name, _)? = report?.content {
            name.identities.map(\.text)
        } else {
            nil
        }
    }

    // MARK: ESPresense

    /// From `BleFingerprint::report` of 2021 (a whole number and metres), of 2022
    /// (ESPresense#182, rpieasy#249) and of 2025/26 (survey, section 2.1).
    @Test(arguments: [
        #"{"id":"ID","name":"Tag","rssi@1m":-59,"rssi":-67,"raw":2.11,"distance":1.98}"#,
        #"{"id":"ID","idType":80,"rssi@1m":-59,"rssi":-67,"raw":2.1,"distance":2,"speed":0.02,"mac":"5a1b2c3d4e5f","interval":615}"#,
        #"{"mac":"5a1b2c3d4e5f","id":"ID","disc":"apple:0215","rssi@1m":-59,"rssi":-67,"rxAdj":20,"rssiVar":3.14,"distance":2.13,"var":0.05,"close":true,"int":504,"mV":3012,"batt":80,"temp":21.5,"rh":40}"#,
        #"{"rssi":-6.7e1,"extra":{"deep":[1,{"a":null}]}}"#,
    ])
    func `every generation of ESPresense tells the level`(payload: String) throws {
        let report = try read(espresense, "devices/iBeacon:\(dashed)-1-2/kitchen", payload)
        #expect(report?.node == "kitchen")
        #expect(level(report) == -67)
        #expect(identities(report)?.first == "ib-\(uuid)-1-2")
    }

    @Test(arguments: [
        ("iBeacon:7b44b47b-52a1-5381-90c2-f09b6838c5d4-100-65535", "ib-U-100-65535"),
        ("iBeacon:7b44b47b52a1538190c2f09b6838c5d4-0-0", "ib-U-0-0"),
        ("iBeacon:7B44B47B-52A1-5381-90C2-F09B6838C5D4-1-2", "ib-U-1-2"),
        ("altBeacon:7b44b47b-52a1-5381-90c2-f09b6838c5d4-1-258", "ab-U00010102"),
        // The fifth byte of the namespace comes twice (survey, section 2.1).
        ("eddy:00112233444455667788aa-0000000000ff", "eu-0011223344556677 88aa-0000000000ff"),
        ("eddy:001122334455667788aa-0000000000ff", "eu-001122334455667788aa-0000000000ff"),
        ("known:c4a7f10b22e8", "mac-c4a7f10b22e8"), ("c4a7f10b22e8", "mac-c4a7f10b22e8"),
        ("c4:a7:f1:0b:22:e8", "mac-c4a7f10b22e8"),
    ])
    func `the ids of ESPresense are identities`(id: String, text: String) {
        let wanted = text.replacing("U", with: uuid).replacing(" ", with: "")
        #expect(ESPresense.identity(id)?.text == wanted)
    }

    @Test(arguments: [
        "iBeacon:7b44-1-2", "iBeacon:7b44b47b52a1538190c2f09b6838c5d4-1-65536", "iBeacon:", "",
        "eddy:00112233445566778899aa-0000000000ff",
        "eddy:0011", "irk:000102030405060708090a0b0c0d0e0f", "name:fitbit", "apple:1005:9-26", ":",
        "md:0157:27", "known:nobody", "é:", "altBeacon:x-1-1",
    ])
    func `what is no identity of ours is none`(id: String) {
        #expect(ESPresense.identity(id) == nil)
    }

    @Test func `a name keeps its address as the last resort`() throws {
        let payload = #"{"rssi":-71.25,"mac":"f647c1324123"}"#
        let report = try read(espresense, "devices/mifit:f647c1324173/office", payload)
        #expect(
            report?.content
                == .heard(
                    ForeignName(
                        name: "mifit:f647c1324173", identities: [.address(0xf647_c132_4123)]),
                    RSSI(dBm: -71.25)))
    }

    @Test func `what an ESPresense node says of itself is a sign of life`() throws {
        let telemetry = #"{"ip":"10.0.0.9","uptime":927,"ver":"v4.0.1","adverts":23066}"#
        #expect(
            try read(espresense, "rooms/hall/telemetry", telemetry)
                == ForeignReport(node: "hall", content: .alive))
        #expect(try read(espresense, "rooms/hall/status", "online")?.content == .alive)
        #expect(
            try read(espresense, "rooms/hall/status", "online", isRetained: true)?.content
                == .known)
        #expect(
            try read(espresense, "rooms/hall/status", "offline", isRetained: true)?.content
                == .gone)
    }

    // MARK: Theengs

    /// OpenMQTTGateway's own documents (`docs/use/ble.md`), and old decoders that wrote the numbers
    /// as hexadecimal digits (survey, section 2.5).
    @Test(arguments: [
        #"{"id":"60:87:57:4C:9B:C2","mac_type":1,"rssi":-78,"distance":7.85288,"brand":"GENERIC","model":"iBeacon","model_id":"IBEACON","mfid":"4c00","uuid":"U","major":1,"minor":258,"txpower":-66}"#,
        #"{"id":"U","mac_type":1,"rssi":-78,"uuid":"U","major":1,"minor":258,"txpower":-66,"mac":"60:87:57:4C:9B:C2"}"#,
        #"{"id":"60:87:57:4C:9B:C2","rssi":-78,"model_id":"IBEACON","uuid":"U","major":"0001","minor":"0102","power":"c5"}"#,
        #"{"id":"60:87:57:4C:9B:C2","mac_type":1,"rssi":-78,"manufacturerdata":"4c000215U00010102c5"}"#,
    ])
    func `every form of an iBeacon is one`(payload: String) throws {
        let report = try read(
            theengs, "OMG_hall/BTtoMQTT/6087574C9BC2", payload.replacing("U", with: uuid))
        #expect(report?.node == "OMG_hall")
        #expect(level(report) == -78)
        #expect(identities(report)?.first == "ib-\(uuid)-1-258")
        // The address in these is a random one that will change.
        #expect(
            identities(report)?.contains("mac-6087574c9bc2") != true || !payload.contains("type"))
    }

    @Test(arguments: [
        (#""mac_type":0,"id":"C4:A7:F1:0B:22:E8""#, "mac-c4a7f10b22e8"),
        (#""mac_type":1,"id":"C4:A7:F1:0B:22:E8""#, "mac-c4a7f10b22e8"),
        (#""id":"44:A7:F1:0B:22:E8","name":"x""#, "mac-44a7f10b22e8"),
        (
            #""id":"44:A7:F1:0B:22:E8","mac_type":1,"servicedatauuid":"0xfeaa","servicedata":"00e700112233445566778899a0000000000f0000""#,
            "eu-00112233445566778899-a0000000000f"
        ),
        (
            #""id":"44:A7:F1:0B:22:E8","mac_type":1,"manufacturerdata":"1801BEAC000102030405060708090a0b0c0d0e0f10111213c500""#,
            "ab-000102030405060708090a0b0c0d0e0f10111213"
        ),
        (#""mac_type":1,"id":"44:A7:F1:0B:22:E8""#, ""), (#""id":"room-lamp""#, ""),
        (#""id":"x","uuid":"0xfe9f","major":1,"minor":1"#, ""),
    ])
    func `what else a gateway hears`(fields: String, text: String) throws {
        for topic in ["g/BTtoMQTT/undecoded", "g/BTtoMQTT/undecoded/44A7F10B22E8", "g/BTtoMQTT/A"] {
            let report = try read(theengs, topic, "{\(fields),\"rssi\":-60}")
            #expect(identities(report) == (text.isEmpty ? [] : [text]))
        }
    }

    @Test func `what a gateway says of itself is a sign of life`() throws {
        let absent = #"{"id":"C4:A7:F1:0B:22:E8","presence":"absent","unlocked":false}"#
        #expect(try read(theengs, "g/BTtoMQTT/C4A7F10B22E8", absent)?.content == .alive)
        let state = #"{"bleconnect":true,"interval":55555,"scanduration":10000}"#
        #expect(try read(theengs, "g/BTtoMQTT", state)?.content == .alive)
        #expect(try read(theengs, "g/SYStoMQTT", #"{"uptime":1}"#)?.content == .alive)
        #expect(try read(theengs, "g/LWT", "offline", isRetained: true)?.content == .gone)
        #expect(try read(theengs, "g/LWT", "online", isRetained: true)?.content == .known)
    }

    // MARK: Bad input

    @Test(arguments: [
        (#"{"id":"x"}"#, "missing-field"), (#"{"id":"x","rssi":"-60"}"#, "wrong-type"),
        (#"{"id":"x","rssi":null}"#, "wrong-type"), (#"{"id":"x","rssi":NaN}"#, "not-json"),
        (#"{"id":"x","rssi":1e999}"#, "unreadable-number"),
        (#"{"id":"x","rssi":127}"#, "out-of-range"), (#"{"id":"x","rssi":-128}"#, "out-of-range"),
        (#"{"id":"x","rssi":-60"#, "not-json"), ("", "not-json"), ("[]", "wrong-type"),
        ("-60", "wrong-type"), ("\u{FEFF}{}", "not-json"),
        (#"{"id":"x","rssi":-60,"mac":7}"#, "wrong-type"),
    ])
    func `a bad report is refused by both`(payload: String, reason: String) {
        for (network, topic) in [(espresense, "devices/x/n"), (theengs, "n/BTtoMQTT/x")] {
            #expect(throws: ForeignRefusal.self) { try read(network, topic, payload) }
            do throws(ForeignRefusal) {
                _ = try read(network, topic, payload)
            } catch {
                #expect(error.reason == reason, "\(network.kind)")
            }
        }
    }

    @Test func `deep and huge payloads are refused`() {
        let deep = #"{"rssi":-60,"id":"x","a":"# + String(repeating: "[", count: 5000)
        let huge = #"{"rssi":-60,"id":"x","a":""# + String(repeating: "a", count: 9000) + "\"}"
        let long = #"{"rssi":-60,"id":""# + String(repeating: "a", count: 200) + "\"}"
        #expect(throws: ForeignRefusal.payload(.tooDeep(offset: 40))) {
            try read(espresense, "devices/x/n", deep)
        }
        #expect(throws: ForeignRefusal.payload(.oversize(limit: 8192))) {
            try read(theengs, "n/BTtoMQTT/x", huge)
        }
        #expect(throws: ForeignRefusal.payload(.outOfRange(field: "id"))) {
            try read(theengs, "n/BTtoMQTT/x", long)
        }
    }

    @Test(arguments: [
        "devices/x/n", "rooms/n/telemetry", "n/BTtoMQTT/x", "n/BTtoMQTT", "n/SYStoMQTT",
    ])
    func `what a broker kept is no news`(topic: String) {
        let network = topic.hasPrefix("n/") ? theengs : espresense
        #expect(throws: ForeignRefusal.retained) {
            try read(network, topic, #"{"rssi":-60,"id":"x"}"#, isRetained: true)
        }
    }

    @Test(arguments: [
        "devices/a/b/n", "devices/x", "devices//n", "devices/x/", "rooms/n/known_irks", "rooms/n",
        "settings/x/config", "n/BTtoMQTT/a/b", "n/BTtoMQTT//", "presence/n", "a/b/c/d/e/f/g/h", "",
        "n/commands/MQTTtoBT/config", "/LWT",
    ])
    func `other topics are nobody's`(topic: String) throws {
        for network in [espresense, theengs] {
            #expect(try read(network, topic, #"{"rssi":-60,"id":"x"}"#) == nil, "\(network.kind)")
        }
    }

    @Test(arguments: [
        ("espresense", true), ("a/b", true), ("é", true), ("", false), ("a/", false), ("/a", false),
        ("a/+", false), ("#", false), ("mesh/v1", false), ("$SYS", false), ("a\0", false),
        (String(repeating: "a", count: 129), false),
    ])
    func `a root must not reach beyond itself`(root: String, isOne: Bool) {
        #expect(ForeignNetwork.isRoot(root) == isOne)
    }

    @Test(arguments: UInt64(1)...200) func `cut and changed payloads never trap`(seed: UInt64) {
        let samples = [
            #"{"mac":"5a1b2c3d4e5f","id":"ID","rssi@1m":-59,"rssi":-67.5,"int":504}"#,
            #"{"id":"60:87:57:4C:9B:C2","mac_type":1,"rssi":-78,"uuid":"\#(uuid)","major":"0001","minor":258,"manufacturerdata":"4c000215\#(uuid)00010102c5","servicedata":"00e700112233445566778899a0000000000f","servicedatauuid":"0xfeaa"}"#,
        ]
        var state = seed
        func next(_ below: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % below
        }
        for sample in samples {
            for _ in 0..<20 {
                var bytes = Array(sample.utf8)
                for _ in 0...next(3) { bytes[next(bytes.count)] = UInt8(next(256)) }
                bytes.removeLast(next(2) * next(bytes.count))
                let id = String(decoding: bytes.prefix(60), as: UTF8.self)
                _ = ESPresense.identity(id)
                _ = try? espresense.read(
                    "espresense/devices/\(id)/n", bytes.span, isRetained: false)
                _ = try? theengs.read("home/n/BTtoMQTT/x", bytes.span, isRetained: false)
            }
        }
    }
}
