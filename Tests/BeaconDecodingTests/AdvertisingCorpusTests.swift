import Foundation
import Testing

@testable import BeaconDecoding
@testable import SiteModel

/// The shared vectors: real, published and malformed packets with what they hold.
struct AdvertisingCorpusTests {
    /// One line of the corpus.
    struct Vector: CustomTestStringConvertible, Sendable {
        struct Report: Equatable, Sendable {
            var address: UInt64?
            var rssi: RSSI?
            var data: [UInt8]?
            var identity: Identity?
        }

        var id: String
        var isEvent: Bool
        var format: String
        var bytes: [UInt8]
        var errors: String
        var count: Int?
        var most: Int?
        var reports: [Report]
        var contained: [Report]

        var testDescription: String { id }
    }

    static let file = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "../../../shared/vectors/corpus.jsonl")
    static let isPresent = FileManager.default.isReadableFile(atPath: file.path)
    static let vectors = isPresent ? load() : []

    @Test(.enabled(if: isPresent, "../shared/vectors is not there"))
    func `the corpus holds every kind of packet`() {
        let formats = Set(Self.vectors.map(\.format))
        for format in [
            "hci-real", "hci-multi", "ibeacon", "altbeacon", "eddystone-uid", "malformed-hci",
            "rssi-edge", "hci-real-ext", "hci-ext", "other-event",
        ] { #expect(formats.contains(format), "no case of \(format)") }
    }

    @Test(.enabled(if: isPresent, "../shared/vectors is not there"), arguments: vectors)
    func `a packet gives the reports it holds`(vector: Vector) {
        guard vector.isEvent else {
            #expect(
                Identification.beacon(in: vector.bytes.span)?.identity
                    == vector.reports.first?.identity)
            return
        }
        let (heard, outcome) = AdvertisingBytes.heard(in: vector.bytes)
        if let count = vector.count { #expect(heard.count == count) }
        if let most = vector.most { #expect(heard.count <= most) }
        if vector.errors == "none" { #expect(outcome.faults == 0) }
        if vector.format == "malformed-hci", vector.errors == "some" {
            #expect(outcome.faults > 0 || heard.contains { Self.isOverrun($0.data) })
        }
        let got = heard.map { heard in
            Vector.Report(
                address: heard.report.addressKind == .anonymous ? nil : heard.report.address,
                rssi: heard.report.rssi, data: heard.data, identity: heard.identified?.identity)
        }
        for (got, expected) in zip(got, vector.reports) {
            #expect(got.address == expected.address)
            #expect(got.rssi == expected.rssi)
            #expect(got.data == expected.data)
            // The corpus names beacons only; without one the address may be the name.
            if expected.identity == nil, case .address? = got.identity { continue }
            #expect(got.identity == expected.identity)
        }
        for expected in vector.contained {
            #expect(
                got.contains { $0.address == expected.address && $0.rssi == expected.rssi })
        }
    }

    private static func isOverrun(_ data: [UInt8]) -> Bool {
        var structures = AdvertisingStructures()
        while structures.next(in: data.span) != nil {}
        return structures.isOverrun
    }

    private static func load() -> [Vector] {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap { line in
            guard
                let json = try? JSONSerialization.jsonObject(with: Data(line.utf8)),
                let fields = json as? [String: Any],
                let expect = fields["expect"] as? [String: Any],
                let hex = fields["hex"] as? String, let bytes = bytes(hex),
                let kind = fields["kind"] as? String
            else { return nil }
            return Vector(
                id: fields["id"] as? String ?? "", isEvent: kind == "hci-event",
                format: fields["format"] as? String ?? "", bytes: bytes,
                errors: expect["errors"] as? String ?? "any",
                count: expect["report_count"] as? Int, most: expect["max_reports"] as? Int,
                reports: reports(expect["reports"]), contained: reports(expect["contains"]))
        }
    }

    private static func reports(_ json: Any?) -> [Vector.Report] {
        (json as? [[String: Any]] ?? []).map { report in
            let address = (report["address"] as? String)?.replacing(":", with: "")
            let rssi = (report["rssi"] as? NSNumber)?.doubleValue
            return Vector.Report(
                address: address.flatMap { UInt64($0, radix: 16) },
                // What no radio reports is read as none.
                rssi: rssi.flatMap { $0 > 20 ? nil : RSSI(dBm: $0) },
                data: (report["ad_hex"] as? String).flatMap(bytes),
                identity: identity(report["beacons"] as? [[String: Any]] ?? []))
        }
    }

    /// The identity of the beacon that counts among those a report holds.
    private static func identity(_ beacons: [[String: Any]]) -> Identity? {
        func text(_ type: String, _ keys: String...) -> [UInt8]? {
            guard let beacon = beacons.first(where: { $0["type"] as? String == type }) else {
                return nil
            }
            return bytes(
                keys.map { beacon[$0] as? String ?? "" }.joined().replacing("-", with: ""))
        }
        func sixteen(_ bytes: [UInt8]) -> Identity.Bytes16 {
            Identity.Bytes16(
                high: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) },
                low: bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) })
        }
        if let uuid = text("ibeacon", "uuid"), uuid.count == 16,
            let beacon = beacons.first(where: { $0["type"] as? String == "ibeacon" }),
            let major = beacon["major"] as? Int, let minor = beacon["minor"] as? Int
        {
            return .iBeacon(
                uuid: sixteen(uuid), major: UInt16(major), minor: UInt16(minor))
        }
        if let id = text("altbeacon", "id"), id.count == 20 {
            return .altBeacon(
                head: sixteen(id), tail: id[16...].reduce(0) { $0 << 8 | UInt32($1) })
        }
        if let id = text("eddystone-uid", "namespace", "instance"), id.count == 16 {
            return .eddystoneUID(sixteen(id))
        }
        return nil
    }

    private static func bytes(_ hex: String) -> [UInt8]? {
        let digits = hex.compactMap(\.hexDigitValue)
        guard digits.count == hex.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] * 16 + digits[$0 + 1])
        }
    }
}
