import Basics
import GRDB
import SiteModel

extension WorkoutSet: StoredRow, FetchableRecord {
    package static let table = "workout_set"

    package var columns: Columns {
        var reps: Int?
        var duration: Int?
        var distance: Int?
        switch measure {
        case .reps(let count): reps = count
        case .duration(let seconds): duration = seconds
        case .distance(let metres): distance = metres
        }
        return [
            "id": id,
            "workout": workout,
            "user": user,
            "client_key": key,
            "n": number,
            "station": station,
            "exercise": exercise,
            "kind": kind.rawValue,
            "at_ms": at,
            "reps": reps,
            "weight_g": weight,
            "duration_s": duration,
            "distance_m": distance,
            "rir": rir,
            "note": note?.storable,
            "target_reps": target?.reps,
            "target_weight_g": target?.weight,
            "deleted": isDeleted,
            "rev": revision,
            "sent_digest": Hex.text(digest, count: 16),
            "first_at_ms": firstAt,
            "first_station": firstStation,
            "rest_s": rest,
            "told": told.map(\.rawValue).joined(separator: ","),
        ]
    }

    package init(row: Row) throws {
        let target = Target(reps: row["target_reps"], weight: row["target_weight_g"])
        self.init(
            id: row["id"], workout: row["workout"], user: row["user"], key: row["client_key"],
            number: row["n"], exercise: row["exercise"], kind: try Self.choice(row, "kind"),
            measure: try Self.measure(row), weight: row["weight_g"], rir: row["rir"],
            station: row["station"], at: row["at_ms"],
            note: (row["note"] as String?)?.unstored, target: target == Target() ? nil : target,
            isDeleted: row["deleted"], revision: row["rev"],
            digest: try Self.digest(row), rest: row["rest_s"],
            told: try (row["told"] as String).split(separator: ",").map { word in
                guard let record = Record(rawValue: String(word)) else {
                    throw Self.damaged(row, "told")
                }
                return record
            })
        // The column allows NULL, which no release has written.
        guard let first = row["first_at_ms"] as Timestamp? else {
            throw Self.damaged(row, "first_at_ms")
        }
        firstAt = first
        firstStation = row["first_station"]
    }

    /// Older rows may hold a longer one, which nothing that is sent now can have.
    private static func digest(_ row: Row) throws -> UInt64 {
        guard let number = Hex.number((row["sent_digest"] as String).utf8.suffix(16)) else {
            throw damaged(row, "sent_digest")
        }
        return number
    }

    private static func measure(_ row: Row) throws -> Measure {
        if let count: Int = row["reps"] { return .reps(count) }
        if let seconds: Int = row["duration_s"] { return .duration(seconds) }
        if let metres: Int = row["distance_m"] { return .distance(metres) }
        throw damaged(row, "reps")
    }
}
