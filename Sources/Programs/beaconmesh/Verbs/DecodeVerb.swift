import ArgumentParser
import Scanner

/// `beaconmesh decode`: says everything that advertisements say.
struct DecodeVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Decodes advertisements, one JSON object a line.",
        discussion: """
            Without an option it reads lines from standard input: hexadecimal (an HCI event if it \
            begins with 043e, else advertising data), or a JSON object with "id", "kind" \
            (hci-event, ad, hci-sequence), "hex" and perhaps "context". Each line is answered by \
            one JSON object, in order, whatever is in it.
            """)

    @Option(
        help: """
            Decode the packets of an HCI log instead: btsnoop, or pcap with link type 187 or 201, \
            either also compressed with gzip.
            """)
    var btsnoop: String?

    func run() async throws {
        if let btsnoop {
            try DecodeRun.capture(btsnoop)
        } else {
            try DecodeRun.lines()
        }
    }
}
