/// How the machines of a site decide. The defaults are the timings of `DESIGN.md`.
package struct Policy: Hashable, Sendable, Codable {
    /// How quickly presence at one level is believed and given up.
    package struct Timing: Hashable, Sendable, Codable {
        /// Evidence must last this long before an entry is believed.
        package var enter: Timestamp.Span
        /// The silence after which the state reads `leaving`.
        package var lost: Timestamp.Span
        /// The silence after which the place is left, with effect from the last heard moment.
        package var leave: Timestamp.Span

        /// Three spans, each at least 0.5 s.
        package init(enter: Timestamp.Span, lost: Timestamp.Span, leave: Timestamp.Span) {
            self.enter = enter
            self.lost = lost
            self.leave = leave
        }
    }

    /// Site presence, and with it attendance.
    package var site: Timing
    /// Room presence.
    package var room: Timing
    /// Station presence.
    package var station: Timing
    /// A station is believed only from this smoothed level on.
    package var stationFloor: RSSI
    /// Seconds below this level do not count as being at the site.
    package var siteFloor: RSSI
    /// Whether nodes publish what is not registered: fixed addresses and decoded beacons.
    package var publishesUnregistered: Bool
    /// What nodes regard at all beside the registered beacons; `nil` for everything.
    package var allowed: [Identity]?
    /// What nodes are to do beside that; `nil` where nothing else is said.
    package var practice: NodePractice?
    /// How it is decided where people are; `nil` where nothing is said.
    package var locating: LocatingPolicy?
    /// What counts as one session; `nil` where nothing is said.
    package var attendance: AttendancePolicy?
    /// Which doubts are told; `nil` for all.
    package var doubts: DoubtPolicy?

    /// A policy. The defaults: site 10/30/90 s, room 5/15/30 s, station 5/10/20 s.
    package init(
        site: Timing = Timing(enter: .seconds(10), lost: .seconds(30), leave: .seconds(90)),
        room: Timing = Timing(enter: .seconds(5), lost: .seconds(15), leave: .seconds(30)),
        station: Timing = Timing(enter: .seconds(5), lost: .seconds(10), leave: .seconds(20)),
        stationFloor: RSSI = RSSI(dBm: -75), siteFloor: RSSI = RSSI(dBm: -95),
        publishesUnregistered: Bool = false, allowed: [Identity]? = nil,
        practice: NodePractice? = nil, locating: LocatingPolicy? = nil,
        attendance: AttendancePolicy? = nil,
        doubts: DoubtPolicy? = nil
    ) {
        self.site = site
        self.room = room
        self.station = station
        self.stationFloor = stationFloor
        self.siteFloor = siteFloor
        self.publishesUnregistered = publishesUnregistered
        self.allowed = allowed
        self.practice = practice
        self.locating = locating
        self.attendance = attendance
        self.doubts = doubts
    }
}
