import Foundation
import Platform

/// `decode`: from the bytes of an HCI packet to identity and level, an advertisement.
enum DecodeBench {
    private static let packets = 20_000

    static func run(_ context: BenchContext) throws -> [Figure] {
        let folder = try context.directory("decode")
        let walk = try CWalk(into: folder, searchPath: context.searchPath)
        let corpus = DecodeCorpus(seed: context.seed, count: packets)
        let file = folder + "/packets"
        try corpus.file.write(to: URL(fileURLWithPath: file))

        let milliseconds = context.amount(quick: 100, full: 400)
        let expected = DecodeTotals(decoding: corpus)
        var walks: [Double] = []
        let samples = try context.samples { _ in
            let best = try walk.run(file, milliseconds: milliseconds)
            guard best.totals == expected else {
                throw BenchFailure.failed(
                    "the walk in C finds \(best.totals), the decoder \(expected)")
            }
            walks.append(best.each)
            return time(corpus, milliseconds: Double(milliseconds))
        }
        return [
            Figure(
                "decode", unit: "ns/advertisement", samples,
                limit: Figure.Limit(name: "c-walk", value: Samples(rounds: walks).value),
                bar: .atMost(40), ceiling: .atMost(300))
        ]
    }

    /// Nanoseconds of one advertisement, measured over at least `milliseconds`.
    private static func time(_ corpus: DecodeCorpus, milliseconds: Double) -> Double {
        let watch = Stopwatch()
        var reports: UInt64 = 0
        repeat {
            reports += DecodeTotals(decoding: corpus).reports
        } while watch.nanoseconds < milliseconds * 1e6
        return watch.nanoseconds / Double(max(reports, 1))
    }
}
