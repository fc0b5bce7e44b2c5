import SiteModel

/// By how much receivers hear a user louder now than when the places were taught: receivers drift, and
/// another tag, worn another way, is received otherwise.
///
/// Each visit to a place gives one mean difference per receiver between what was received there and what the
/// survey says. A visit counts n / (n + 20) with its n seconds, however long it is: at one place the
/// difference is mostly that of the place. What all visits share is the bias, drawn towards 0 by half
/// a visit and forgotten over `memory` visits. It is believed as far as the bias known before each
/// visit explained that visit (`trust`): differences that change from place to place are no bias.
struct SurveyBias: Equatable, Sendable {
    /// What one receiver's visits add up to: differences in dB times weight, and weights.
    private struct Sum: Equatable, Sendable {
        var ear: Int32
        var difference: Float
        var weight: Float
    }

    /// The seconds of a visit that count half of a whole one. From 10 to 60 makes no difference.
    static let visitSeconds: Float = 20
    /// How many visits without a bias count. From 0.3 to 1 makes little difference.
    static let prior: Float = 0.5
    /// How much of the square of the differences is taken away by the bias when it is fully believed,
    /// as a share: 1/8. Receivers that drifted by 4 dB (sd) reach about 0.4. Without this condition a walk taught by
    /// cars loses 5 points, with 1/4 stations whose receivers drifted gain half as much.
    static let trusted: Float = 1 / 8.0
    /// Squares that explain nothing, in dB², counted beside those of the visits.
    static let unexplained: Float = 100
    /// No bias is more than this, in dB.
    static let most: Float = 12

    /// Over how many visits it forgets.
    let memory: Float
    /// By receiver that heard anything, sorted.
    private var sums: [Sum] = []
    /// The squares of the differences of visits, and by how much the bias known before lessened them.
    private var squares: Float = 0
    private var lessened: Float = 0

    /// Nothing known yet, to be forgotten over `memory` visits.
    init(memory: Float) { self.memory = memory }

    /// How much of what the visits share is believed, 0 ... 1.
    var trust: Float {
        min(max(lessened / (squares + Self.unexplained) / Self.trusted, 0), 1)
    }

    /// Adds to each ear's offset how much louder it hears now, in dB.
    func add(to offsets: inout [Double]) {
        let trust = trust
        guard trust > 0 else { return }
        for sum in sums { offsets[Int(sum.ear)] += Double(trust * Self.bias(sum)) }
    }

    /// How much louder an ear hears now, in dB; 0 for one that heard nothing yet.
    private func offset(of ear: Int32) -> Float {
        sums.first { $0.ear == ear }.map { trust * Self.bias($0) } ?? 0
    }

    /// Adds what is left of a visit that has ended beyond what a bias known otherwise explains.
    mutating func add(_ visit: Visit, beyond known: SurveyBias? = nil) {
        for receiver in visit.receivers {
            let weight = receiver.seconds / (receiver.seconds + Self.visitSeconds)
            let difference =
                receiver.sum / receiver.seconds - (known?.offset(of: receiver.ear) ?? 0)
            guard let index = sums.firstIndex(where: { $0.ear >= receiver.ear }),
                sums[index].ear == receiver.ear
            else {
                let new = Sum(ear: receiver.ear, difference: weight * difference, weight: weight)
                sums.insert(new, at: sums.firstIndex { $0.ear > receiver.ear } ?? sums.endIndex)
                continue
            }
            let left = difference - Self.bias(sums[index])
            squares += weight * difference * difference
            lessened += weight * (difference * difference - left * left)
            let forgotten = weight / memory
            sums[index].difference += weight * difference - forgotten * sums[index].difference
            sums[index].weight += weight - forgotten * sums[index].weight
        }
        squares *= 1 - 1 / memory
        lessened *= 1 - 1 / memory
    }

    private static func bias(_ sum: Sum) -> Float {
        min(max(sum.difference / (sum.weight + prior), -most), most)
    }

    /// The bytes that it and the present visit take for each receiver.
    static var bytesPerEar: Int {
        MemoryLayout<Sum>.stride + MemoryLayout<Visit.Receiver>.stride
    }
}

extension SurveyBias {
    /// A stay at one place: how much louder receivers heard than was taught there.
    struct Visit: Equatable, Sendable {
        /// Differences of one receiver in dB, added up, and over how many seconds.
        fileprivate struct Receiver: Equatable, Sendable {
            var ear: Int32
            var sum: Float = 0
            var seconds: Float = 0
        }

        /// A single difference counts at most this far from the mean, in dB: +42 dBm exist.
        private static let most: Float = 15

        /// Where the stay is, `nil` before the first.
        private(set) var zone: Int?
        /// By receiver, sorted.
        fileprivate var receivers: [Receiver] = []

        /// A stay at a zone of which nothing is known yet.
        init(zone: Int? = nil) { self.zone = zone }

        /// An ear heard `difference` dB more than was taught.
        mutating func note(ear: Int, difference: Double) {
            let index = receivers.firstIndex { $0.ear >= ear } ?? receivers.endIndex
            if index == receivers.endIndex || receivers[index].ear != ear {
                receivers.insert(Receiver(ear: Int32(ear)), at: index)
            }
            let seconds = receivers[index].seconds
            let mean = seconds > 0 ? receivers[index].sum / seconds : 0
            let difference = min(max(Float(difference), mean - Self.most), mean + Self.most)
            receivers[index].sum += difference
            receivers[index].seconds += 1
        }
    }
}

extension Weighing {
    /// Notes how much louder the second weighed last was than taught, if the place is known: at least
    /// 0.9 is believed of it, and levels, which nobody taught, name it too. Returns the visit that this
    /// second ended, if it did.
    mutating func note(
        _ belief: BeliefLog.Belief, in visit: inout SurveyBias.Visit
    ) -> SurveyBias.Visit? {
        guard let spots, scratch.devices == 1 else { return nil }
        var zone = 0
        for other in zones.indices
        where belief.probabilities[other] > belief.probabilities[zone] {
            zone = other
        }
        guard belief.probabilities[zone] > 0.9, named == zone, isTaught[zone],
            !spots.isInferred[scratch.bestSpots[zone]]
        else { return nil }
        var ended: SurveyBias.Visit?
        if visit.zone != zone {
            if visit.zone != nil { ended = visit }
            visit = SurveyBias.Visit(zone: zone)
        }
        for ear in ears.indices {
            guard let heard = scratch.heard[ear], spots.isKnown[ear],
                let level = spots.level(spot: scratch.bestSpots[zone], ear: ear)
            else { continue }
            visit.note(ear: ear, difference: heard + scratch.offsets[ear] - level.median)
        }
        return ended
    }
}
