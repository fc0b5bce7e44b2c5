import GRDB
import SiteEngine
import SiteModel

extension SiteRow: StoredRow, FetchableRecord {
    package static let table = "site_state"

    package var columns: Columns {
        get throws {
            [
                "id": 1,
                "clock_ms": clock,
                "next": next,
                "coverage": Packed.bytes(of: coverage),
                "clocks": try JSONText.text(of: clocks),
                "epoch": epoch,
                "watermarks": try JSONText.text(of: watermarks),
                "watermark_ms": watermark,
                "listening_since_ms": listeningSince,
                "stations": try JSONText.text(of: stations),
            ]
        }
    }

    package init(row: Row) throws {
        self.init(
            clock: row["clock_ms"], next: row["next"],
            coverage: try Self.packed(row, "coverage", Packed.times),
            clocks: try Self.json(row, "clocks"), epoch: row["epoch"],
            watermarks: try Self.json(row, "watermarks"), watermark: row["watermark_ms"],
            listeningSince: row["listening_since_ms"], stations: try Self.json(row, "stations"))
    }
}

extension PresenceRow: StoredRow, FetchableRecord {
    package static let table = "presence"

    package var columns: Columns {
        get throws {
            [
                "user": user,
                "room": try JSONText.text(of: room),
                "station": try JSONText.text(of: station),
                "watch": try watch.map { try JSONText.text(of: $0) },
            ]
        }
    }

    package init(row: Row) throws {
        self.init(
            user: row["user"], room: try Self.json(row, "room"),
            station: try Self.json(row, "station"),
            watch: try Self.optionalJSON(row, "watch"))
    }
}

extension Stay: StoredRow, FetchableRecord {
    package static let table = "stay"

    package var columns: Columns {
        [
            "id": id,
            "user": user,
            "level": isRoom ? "room" : "station",
            "room": place.room,
            "station": place.station,
            "from_ms": from,
            "to_ms": to,
        ]
    }

    package init(row: Row) throws {
        guard let place = Place(row) else { throw Self.damaged(row, "level") }
        self.init(
            id: row["id"], user: row["user"], place: place, from: row["from_ms"],
            to: row["to_ms"])
    }
}

extension Stay.Place {
    /// The place of the columns `room` and `station`; `nil` if both are NULL.
    fileprivate init?(_ row: Row) {
        if let room = row["room"] as RoomID? {
            self = .room(room)
        } else if let station = row["station"] as StationID? {
            self = .station(station)
        } else {
            return nil
        }
    }

    fileprivate var room: RoomID? { if case .room(let room) = self { room } else { nil } }

    fileprivate var station: StationID? {
        if case .station(let station) = self { station } else { nil }
    }
}

extension Event: StoredRow {
    package static let table = "event"

    package var columns: Columns {
        [
            "id": id,
            "kind": kind.rawValue,
            "at_ms": at,
            "user": user,
            "room": place?.room,
            "station": place?.station,
            "subject": subject,
        ]
    }
}
