import Testing

@testable import BeaconDecoding
@testable import Simulation
@testable import SiteModel

/// What nodes receive looks like a gym, and is a real HCI event byte for byte.
struct SimRadioTests {
    let start = Timestamp(milliseconds: 1_790_000_000_000)
    let people = Layout.people(count: 12, seed: 7)

    func world(strays: Int = 0) -> World {
        World(.gym, people: people, pace: .live, seed: 7, from: start, strays: strays)
    }

    /// Every emission of some minutes.
    func emissions(minutes: Double, strays: Int = 0) -> [Emission] {
        var world = world(strays: strays)
        var list: [Emission] = []
        world.advance(to: start + .seconds(minutes * 60)) { list.append($0) }
        return list
    }

    @Test func `who trains is loudest at the station's own node`() {
        var world = world()
        var best = (own: 0, all: 0)
        var sums = world.layout.stations.map { _ in world.layout.nodes.map { _ in (0.0, 0) } }
        for second in start.second..<start.second + 1200 {
            let frames = world.frames(second: second)
            for person in people.indices {
                guard let station = world.truth(person)?.station else { continue }
                var loudest = (node: -1, level: -Double.infinity)
                for (node, frame) in frames.enumerated() {
                    guard let heard = frame.first(where: { $0.person == person }) else { continue }
                    sums[station][node].0 += heard.median.dBm
                    sums[station][node].1 += 1
                    if heard.median.dBm > loudest.level { loudest = (node, heard.median.dBm) }
                }
                best.all += 1
                if loudest.node == station { best.own += 1 }
            }
        }
        for (station, nodes) in sums.enumerated() {
            let means = nodes.map { $0.1 == 0 ? -100 : $0.0 / Double($0.1) }
            #expect(nodes[station].1 > 100, "station \(station) was hardly used")
            #expect(means.indices.max { means[$0] < means[$1] } == station)
            #expect((-64.0 ... -48).contains(means[station]), "\(means[station]) dBm")
        }
        #expect(Double(best.own) > 0.9 * Double(best.all), "\(best)")
    }

    @Test func `nearly every packet is heard close by, and few three rooms away`() {
        var world = world()
        var (near, far, seconds) = (0, 0, 0)
        for second in start.second..<start.second + 1200 {
            let frames = world.frames(second: second)
            for person in people.indices where world.truth(person)?.station == 0 {
                seconds += 1
                near += frames[0].first { $0.person == person }?.count ?? 0
                far += frames[7].first { $0.person == person }?.count ?? 0
            }
        }
        // A packet every 255 ms, of which 95 % are heard.
        let rate = Double(near) / Double(seconds)
        #expect((3.5...3.85).contains(rate), "\(rate) packets a second")
        #expect(Double(far) < 0.15 * Double(near))
    }

    @Test func `nobody is heard who is not there`() {
        var world = world()
        for second in start.second..<start.second + 1800 {
            let before = people.indices.map { world.truth($0) != nil }
            let frames = world.frames(second: second)
            for heard in frames.joined() where !before[heard.person] {
                #expect(world.truth(heard.person) != nil)
            }
        }
    }

    @Test func `packets of people decode to their identity, address and level`() {
        let list = emissions(minutes: 2)
        #expect(list.count > 1000)
        for emission in list {
            guard let person = emission.person else { continue }
            let packet = emission.packet(of: people)
            #expect(packet.count == 45)
            #expect(Int(packet[2]) == packet.count - 3)
            let outcome = AdvertisingEvent.forEachReport(in: packet.span) { report, data in
                #expect(report.address == people[person].address)
                #expect(report.addressKind == .random)
                #expect(report.address >> 46 == 0b11)
                #expect(report.rssi == RSSI(hci: emission.rssi))
                #expect(!report.isConnectable && !report.isScannable && report.isLegacy)
                let found = Identification.identity(of: report, data: data)
                #expect(found?.identity == people[person].identity)
                #expect(found?.measuredPower == Person.measuredPower)
            }
            var clean = AdvertisingEvent.Outcome()
            clean.reports = 1
            #expect(outcome == clean)
        }
    }

    @Test func `strays are phones that change address, a public machine and broken events`() {
        let list = emissions(minutes: 32, strays: 6)
        var (phones, machines, broken): (Set<UInt64>, Set<UInt64>, Int) = ([], [], 0)
        for emission in list where emission.person == nil {
            var identity: Identity?
            var isPublic = false
            var reports = 0
            let outcome = AdvertisingEvent.forEachReport(
                in: emission.packet(of: people).span
            ) { report, data in
                reports += 1
                isPublic = report.addressKind == .public
                identity = Identification.identity(of: report, data: data)?.identity
            }
            switch emission.sender {
            case .person: Issue.record("a person without an index")
            case .phone(let address):
                #expect(identity == nil && reports == 1)
                #expect(address >> 46 == 0b01)
                phones.insert(address)
            case .machine(let address):
                #expect(identity == .address(address) && isPublic)
                machines.insert(address)
            case .broken:
                var clean = AdvertisingEvent.Outcome()
                clean.reports = reports
                #expect(outcome != clean)
                broken += 1
            }
        }
        // Four phones, each over three or four quarters of an hour.
        #expect((12...16).contains(phones.count))
        #expect(machines.count == 1)
        #expect(broken > 50)
    }
}
