import Foundation
import Testing

@testable import Benchmarks

/// The decoder and the walk in C it is held against find the same in the same bytes.
struct BenchDecodeTests {
    static let searchPath = ProcessInfo.processInfo.environment["PATH"] ?? ""
    static let hasCompiler = Tool.find("cc", in: searchPath) != nil

    func withFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "beaconmesh-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { _ = try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test(.enabled(if: hasCompiler, "there is no cc"))
    func `C and the decoder agree on every advertisement`() throws {
        try withFolder { folder in
            let walk = try CWalk(into: folder, searchPath: Self.searchPath)
            for seed in UInt64(1)...20 {
                let corpus = DecodeCorpus(seed: seed, count: 2000)
                let file = "\(folder)/packets-\(seed)"
                try corpus.file.write(to: URL(fileURLWithPath: file))
                let best = try walk.run(file, milliseconds: 1)
                #expect(best.totals == DecodeTotals(decoding: corpus), "seed \(seed)")
                #expect(best.each > 0)
            }
        }
    }

    @Test func `the same seed gives the same packets`() {
        let corpus = DecodeCorpus(seed: 3, count: 1000)
        #expect(corpus == DecodeCorpus(seed: 3, count: 1000))
        #expect(corpus != DecodeCorpus(seed: 4, count: 1000))
        #expect(corpus.count >= 1000)
    }

    @Test func `some are tags, some are strangers, some are broken`() {
        let corpus = DecodeCorpus(seed: 3, count: 4000)
        let totals = DecodeTotals(decoding: corpus)
        #expect(totals.identified > totals.reports / 4)
        #expect(totals.reports - totals.identified > totals.reports / 10)
        #expect(totals.reports > UInt64(corpus.count) * 9 / 10)
    }

    @Test func `without a compiler the figure is skipped`() throws {
        try withFolder { folder in
            let context = BenchContext(folder: folder, seed: 7, isQuick: true, searchPath: folder)
            #expect {
                try DecodeBench.run(context)
            } throws: { error in
                guard case BenchFailure.skipped(let reason) = error else { return false }
                return reason.contains("no C compiler")
            }
        }
    }
}
