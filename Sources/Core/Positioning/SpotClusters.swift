/// Tells the spots of a place apart by what is heard there: groups of seconds that are alike.
///
/// The group with the largest squared error is cut in two across the direction in which its seconds
/// differ most, and stays cut if the halves are truly different: 3.5 dB at each ear in the root mean
/// square, and 20 seconds each. Cutting on regardless splits noise, and beginning with the farthest
/// seconds makes spots of outliers; both were worse on recordings.
enum SpotClusters {
    static let most = 8
    static let leastSeconds = 20
    static let leastDistance = 3.5
    private static let rounds = 25

    /// The rows of each group, by index.
    static func members(of rows: [[Double]]) -> [[Int]] {
        var groups = [Array(rows.indices)]
        var isWhole = [false]
        while groups.count < most {
            var widest: (group: Int, error: Double)?
            for group in groups.indices
            where !isWhole[group] && groups[group].count >= 2 * leastSeconds {
                let error = error(of: groups[group], rows)
                if error > widest?.error ?? 0 { widest = (group, error) }
            }
            guard let group = widest?.group else { break }
            guard let halves = halves(of: groups[group], rows) else {
                isWhole[group] = true
                continue
            }
            groups[group] = halves.0
            groups.append(halves.1)
            isWhole.append(false)
            groups = settled(groups, rows)
        }
        return groups.filter { !$0.isEmpty }
    }

    /// Two halves of a group, or `nil` if they would be alike or too small.
    private static func halves(of group: [Int], _ rows: [[Double]]) -> ([Int], [Int])? {
        let centre = mean(of: group, rows)
        let offsets = group.map { row in rows[row].indices.map { rows[row][$0] - centre[$0] } }
        var direction = offsets[0]
        for offset in offsets where square(offset) > square(direction) { direction = offset }
        for _ in 0..<30 {
            var next = centre.map { _ in 0.0 }
            for offset in offsets {
                let share = product(offset, direction)
                for index in next.indices { next[index] += share * offset[index] }
            }
            let size = square(next).squareRoot() + 1e-12
            direction = next.map { $0 / size }
        }
        let isFirst = offsets.map { product($0, direction) > 0 }
        let cut = [true, false].map { side in
            group.indices.filter { isFirst[$0] == side }.map { group[$0] }
        }
        guard cut.allSatisfy({ !$0.isEmpty }) else { return nil }
        let halves = settled(cut, rows)
        guard halves.allSatisfy({ $0.count >= leastSeconds }) else { return nil }
        let distance = distance(mean(of: halves[0], rows), mean(of: halves[1], rows))
        guard (distance / Double(centre.count)).squareRoot() >= leastDistance else { return nil }
        return (halves[0], halves[1])
    }

    /// The groups after each row has gone to the nearest centre, again and again.
    private static func settled(_ groups: [[Int]], _ rows: [[Double]]) -> [[Int]] {
        var groups = groups
        let members = groups.joined().sorted()
        var centres = groups.map { mean(of: $0, rows) }
        for _ in 0..<rounds {
            var next: [[Int]] = centres.map { _ in [] }
            for row in members {
                var best = (group: 0, distance: Double.infinity)
                for group in centres.indices {
                    let distance = distance(rows[row], centres[group])
                    if distance < best.distance { best = (group, distance) }
                }
                next[best.group].append(row)
            }
            if next == groups { break }
            groups = next
            for group in centres.indices where !groups[group].isEmpty {
                centres[group] = mean(of: groups[group], rows)
            }
        }
        return groups
    }

    private static func error(of group: [Int], _ rows: [[Double]]) -> Double {
        let centre = mean(of: group, rows)
        return group.reduce(0) { $0 + distance(rows[$1], centre) }
    }

    private static func mean(of group: [Int], _ rows: [[Double]]) -> [Double] {
        var sum = rows[group[0]].map { _ in 0.0 }
        for row in group {
            for index in sum.indices { sum[index] += rows[row][index] }
        }
        return sum.map { $0 / Double(group.count) }
    }

    private static func distance(_ a: [Double], _ b: [Double]) -> Double {
        var sum = 0.0
        for index in a.indices { sum += (a[index] - b[index]) * (a[index] - b[index]) }
        return sum
    }

    private static func square(_ vector: [Double]) -> Double { product(vector, vector) }

    private static func product(_ a: [Double], _ b: [Double]) -> Double {
        var sum = 0.0
        for index in a.indices { sum += a[index] * b[index] }
        return sum
    }
}
