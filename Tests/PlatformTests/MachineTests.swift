import Foundation
import Testing

@testable import SiteModel
@testable import Platform

/// What the kernel's files say, read from copies of them.
struct MachineTests {
    /// A directory that stands for the root of a file system, with files in it.
    private func root(_ files: [String: String]) throws -> String {
        let root = NSTemporaryDirectory() + "beaconmesh-\(UUID().uuidString)"
        for (path, text) in files {
            let url = URL(fileURLWithPath: root + path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        return root
    }

    @Test(arguments: [
        ("48312\n", "0\n", 48.312, Int64(0), false, false),
        ("81000\n", "50005\n", 81, 0x50005, true, true),
        // It was slowed down once, and is not now.
        ("79999\n", "50000\n", 79.999, 0x50000, false, false),
    ])
    func `a Raspberry Pi says how it fares`(
        heat: String, firmware: String, temperature: Double, throttled: Int64, isThrottled: Bool,
        isHot: Bool
    ) throws {
        let root = try root([
            "/sys/class/thermal/thermal_zone0/temp": heat,
            "/sys/devices/platform/soc/soc:firmware/get_throttled": firmware,
        ])
        let figures = MachineFigures(root: root)
        #expect(figures.temperature == temperature)
        #expect(figures.throttled == throttled)
        #expect(figures.isThrottled == isThrottled)
        #expect(figures.isHot == isHot)
    }

    @Test(arguments: [[:], ["/sys/class/thermal/thermal_zone0/temp": "warm\n"]])
    func `what a machine does not say is not invented`(files: [String: String]) throws {
        let figures = MachineFigures(root: try root(files))
        #expect(figures.temperature == nil)
        #expect(figures.throttled == nil)
        #expect(!figures.isThrottled && !figures.isHot)
    }

    @Test func `a light blinks and is given back`() throws {
        let now = Timestamp(milliseconds: 0)
        let root = try root([
            "/sys/class/leds/ACT/trigger": "none [mmc0] timer\n",
            "/sys/class/leds/ACT/delay_on": "", "/sys/class/leds/ACT/delay_off": "",
        ])
        let trigger = {
            try String(contentsOfFile: root + "/sys/class/leds/ACT/trigger", encoding: .utf8)
        }
        var light = IdentifyLED(root: root)
        let isBlinking = light.begin(until: now + .seconds(10))
        #expect(isBlinking)
        #expect(try trigger().hasPrefix("timer"))
        light.tick(at: now + .seconds(9))
        #expect(try trigger().hasPrefix("timer"))
        light.tick(at: now + .seconds(10))
        #expect(try trigger().hasPrefix("mmc0"))
    }

    @Test func `without a light there is none to blink`() throws {
        var light = IdentifyLED(root: try root([:]))
        let isBlinking = light.begin(until: Timestamp(milliseconds: 10_000))
        #expect(!isBlinking)
    }

    @Test func `a process knows what it costs`() {
        #expect(ProcessFigures.memory > 1)
        let now = Timestamp(milliseconds: 0)
        var figures = ProcessFigures(at: now)
        var sum = 0
        for number in 0..<2_000_000 { sum &+= number &* number }
        figures.measure(at: now + .milliseconds(999))
        #expect(figures.processor == 0)
        figures.measure(at: now + .seconds(1))
        #expect(figures.processor > 0 || sum == 0)
    }
}
