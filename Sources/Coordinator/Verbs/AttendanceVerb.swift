import ArgumentParser

/// `beaconmesh attendance`: what people are paid by.
struct AttendanceVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attendance",
        abstract: "Checks people in and out.",
        subcommands: [CheckIn.self, CheckOut.self])
}
