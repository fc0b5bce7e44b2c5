import Foundation
import Testing

@testable import Platform

/// A token is made once, whole, and for its owner.
struct TokenFileTests {
    let directory = NSTemporaryDirectory() + "token-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false)
    }

    @Test func `of many who make it at once one does, and the rest leave it alone`() async throws {
        let path = directory + "/token"
        let made = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<32 { group.addTask { try TokenFile.make(at: path) } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(made == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["token"])
        let token = try #require(try Secret.read(path))
        #expect(token.wholeMatch(of: /[0-9a-f]{64}/) != nil)
        #expect(try !TokenFile.make(at: path))
        #expect(try Secret.read(path) == token)
        try FileManager.default.removeItem(atPath: directory)
    }

    @Test func `a file that is there is never touched, whatever it is`() throws {
        let link = directory + "/link"
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: directory + "/nowhere")
        #expect(try !TokenFile.make(at: link))
        #expect(!FileManager.default.fileExists(atPath: directory + "/nowhere"))
        let empty = directory + "/empty"
        #expect(FileManager.default.createFile(atPath: empty, contents: Data()))
        #expect(try !TokenFile.make(at: empty))
        #expect(FileManager.default.contents(atPath: empty) == Data())
        #expect(throws: Exit.self, "an empty token lets nobody in") { try Secret.read(empty) }
        #expect(throws: Exit.self) { try TokenFile.make(at: directory + "/none/token") }
        try FileManager.default.removeItem(atPath: directory)
    }

    @Test func `tokens have their length and differ`() {
        let tokens = Set((0..<1000).map { _ in TokenFile.newToken() })
        #expect(tokens.count == 1000 && tokens.allSatisfy { $0.count == 64 })
    }
}
