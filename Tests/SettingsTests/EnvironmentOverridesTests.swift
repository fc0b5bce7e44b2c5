import Testing

/// Variables replace what the file says, and a wrong one is named in its fault.
struct EnvironmentOverridesTests {
    typealias Sample = SettingsReaderTests.Sample

    @Test func `a variable replaces a value, adds a missing one and reaches into lists`() throws {
        let sample = try Sample(
            "node: a\nbroker: {port: 1883}\nsites: [{id: x}, {id: y}]",
            environment: [
                "BEACONMESH_BROKER__PORT": "1884", "BEACONMESH_BROKER__HOST": "10",
                "BEACONMESH_ENTER_S": "7", "BEACONMESH_SITES__1__ID": "z",
                "BEACONMESH_ACTIVE": "true", "BEACONMESH_LOG": "", "PATH": "/bin",
            ])
        #expect(sample.port == 1884)
        #expect(sample.host == "10")
        #expect(sample.enter == 7)
        #expect(sample.sites == ["x", "z"])
        #expect(sample.active)
        #expect(sample.level == .info)
    }

    @Test func `a section may come from variables alone`() throws {
        #expect(try Sample("node: a", environment: ["BEACONMESH_BROKER__PORT": "7"]).port == 7)
        #expect(try Sample("", environment: ["BEACONMESH_NODE": "a"]).node == "a")
    }

    @Test func `faults of variables name them`() {
        let faults = Sample.faults(
            of: "node: a\nbroker: {port: 1883}\nlog: info\nsites: [{id: x}]",
            environment: [
                "BEACONMESH_BROKER__PORT": "x", "BEACONMESH_BROKER__PROT": "1",
                "BEACONMESH_LOG__LEVEL": "info", "BEACONMESH_SITES__1__ID": "y",
                "BEACONMESH_": "z",
            ])
        #expect(
            faults.sorted() == [
                "BEACONMESH_: names no key, expected BEACONMESH_SECTION__KEY",
                "BEACONMESH_BROKER__PORT: broker.port: expected a whole number from 1 to 65535,"
                    + " got \"x\"",
                "BEACONMESH_BROKER__PROT: broker.prot: unknown key, did you mean \"port\"?",
                "BEACONMESH_LOG__LEVEL: \"level\" lies inside a single value, expected a section"
                    + " there",
                "BEACONMESH_SITES__1__ID: \"1\" is no item of a list of 1",
            ])
    }

    @Test(arguments: ["BEACONMESH___", "BEACONMESH_____X", "BEACONMESH_A__", "BEACONMESH_É__Ü"])
    func `odd names are faults, not traps`(name: String) {
        #expect(Sample.faults(of: "node: a", environment: [name: "1"]).count == 1)
    }
}
