import ArgumentParser

extension AttendanceVerb {
    /// `beaconmesh attendance check-in`.
    struct CheckIn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says that somebody is in; a running coordinator stores it.",
            discussion: Saying.examples("check-in"))

        @OptionGroup var saying: Saying

        func run() async throws { try saying.say(.checkIn) }
    }

    /// `beaconmesh attendance check-out`.
    struct CheckOut: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says that somebody left; a running coordinator stores it.",
            discussion: Saying.examples("check-out"))

        @OptionGroup var saying: Saying

        func run() async throws { try saying.say(.checkOut) }
    }
}
