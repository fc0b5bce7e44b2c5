import Basics
import CTimex
import Foundation
import Glibc
import Radio
import Platform

/// Looks at the machine: switches, programs, privileges, clock. Reads files only; `root` stands
/// before their paths.
struct MachineProbe {
    /// Empty for the machine itself.
    var root = ""

    /// Where systemd looks for units, the first found counts.
    private static let unitFolders = [
        "/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system",
        "/lib/systemd/system", "/usr/lib/systemd/system",
    ]

    /// All about Bluetooth.
    func radio(wanted: [String], survey: AdapterSurvey = .now()) -> RadioFacts {
        let node = running("beacon-node")
        return RadioFacts(
            wanted: wanted, survey: survey, switches: switches,
            own: capabilities(ofProcess: "self") ?? 0,
            node: node.flatMap { process in
                capabilities(ofProcess: "\(process)").map {
                    RadioFacts.Running(process: process, capabilities: $0)
                }
            },
            unit: unit, bluetoothd: running("bluetoothd"))
    }

    func clock() -> Facts.Clock {
        var timex = timex()
        let state = adjtimex(&timex)  // Changes nothing: no mode is asked for.
        let isKept = state >= 0 && state != TIME_ERROR && timex.status & STA_UNSYNC == 0
        // Some time servers steer the clock without telling the kernel; systemd's leaves a mark.
        let isMarked = FileManager.default.fileExists(
            atPath: root + "/run/systemd/timesync/synchronized")
        return Facts.Clock(now: AnchoredClock().now, isSynced: isKept || isMarked)
    }

    /// The first process of a program, or `nil` if none runs.
    func running(_ program: String) -> Int32? {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: root + "/proc")) ?? []
        return entries.compactMap { Int32($0) }.sorted().first { process in
            line("/proc/\(process)/comm") == program
        }
    }

    /// The user that a process runs as.
    func user(ofProcess process: Int32) -> uid_t? {
        status("Uid", ofProcess: "\(process)")?.split(separator: "\t").dropFirst().first
            .flatMap { uid_t($0) }
    }

    private var switches: [RadioFacts.Switch] {
        let folder = "/sys/class/rfkill"
        let entries =
            (try? FileManager.default.contentsOfDirectory(atPath: root + folder)) ?? []
        return entries.sorted().compactMap { entry in
            let path = "\(folder)/\(entry)"
            guard line("\(path)/type") == "bluetooth" else { return nil }
            return RadioFacts.Switch(
                name: line("\(path)/name") ?? entry, isSoftBlocked: line("\(path)/soft") == "1",
                isHardBlocked: line("\(path)/hard") == "1")
        }
    }

    /// The first unit of a node, if it gives both capabilities.
    private var unit: String? {
        for folder in Self.unitFolders {
            let path = "\(folder)/beacon-node.service"
            guard let text = text(path) else { continue }
            let granted = text.split(separator: "\n").filter {
                $0.hasPrefix("AmbientCapabilities=")
            }.joined(separator: " ")
            let isEnough = granted.contains("CAP_NET_RAW") && granted.contains("CAP_NET_ADMIN")
            return isEnough ? path : nil
        }
        return nil
    }

    private func capabilities(ofProcess process: String) -> UInt64? {
        status("CapEff", ofProcess: process).flatMap { Hex.number($0.utf8) }
    }

    /// A line of a process's `status`, without its key.
    private func status(_ key: String, ofProcess process: String) -> String? {
        text("/proc/\(process)/status")?.split(separator: "\n")
            .first { $0.hasPrefix(key + ":") }
            .map { $0.dropFirst(key.count + 1).trimmingCharacters(in: .whitespaces) }
    }

    private func line(_ path: String) -> String? {
        text(path)?.split(separator: "\n").first.map(String.init)
    }

    private func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: root + path).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}
