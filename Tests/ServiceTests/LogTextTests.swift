import Testing

@testable import CoordinatorService
@testable import NodeService
@testable import Platform

/// Lines of both daemons' logs.
struct LogTextTests {
    /// Half of it was chosen by whoever may publish: C0, C1 (`CSI` is one byte to some terminals),
    /// the direction of writing, line ends.
    static let hostile = "a\u{1B}[2J\u{7F}\u{80}\u{9B}31m\u{9F}\u{202E}b\r\n<0>c\u{2028}d"
    static let harmless =
        #"a\u{1B}[2J\u{7F}\u{80}\u{9B}31m\u{9F}\u{202E}b\u{D}\u{A}<0>c\u{2028}d"#

    @Test func `no control passes from a message to a coordinator's log`() {
        let line = LogLine(label: "web")
        #expect(line.line(Self.hostile, .warning, isJournal: false) == "web: \(Self.harmless)")
        #expect(line.line(Self.hostile, .warning, isJournal: true) == "<4>web: \(Self.harmless)")
    }

    @Test func `no control passes from a message to a node's log`() {
        let line = { Log.line(Self.hostile, .error, isJournal: $0) }
        #expect(line(false) == "beacon-node: \(Self.harmless)")
        #expect(line(true) == "<3>\(Self.harmless)")
    }

    @Test func `of the same the first three are told, then powers of two`() {
        #expect((1...40).filter(LogThrottle.isTold) == [1, 2, 3, 4, 8, 16, 32])
    }
}
