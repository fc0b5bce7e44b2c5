import Foundation
import Testing

@testable import Basics

/// What is printed to be pasted is one word to a shell.
struct ShellWordTests {
    @Test(arguments: [
        "plain/path-1.sqlite", "", "a b", "it's", "$HOME", "`id`", "a;b", "\\", "\"", "~", "*",
        "#x",
        "line\nbreak", "ümlaut", "!!", "'", "''",
    ])
    func `a shell takes it for the word it is`(word: String) throws {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", "printf %s. \(ShellWord.quoted(word))"]
        let output = Pipe()
        shell.standardOutput = output
        try shell.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        shell.waitUntilExit()
        #expect(String(decoding: data, as: UTF8.self) == word + ".")
    }

    @Test func `a plain word stays plain`() {
        #expect(ShellWord.quoted("/tmp/a_b-1.sqlite") == "/tmp/a_b-1.sqlite")
    }
}
