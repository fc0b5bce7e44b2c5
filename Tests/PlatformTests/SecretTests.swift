import Foundation
import Testing

@testable import Platform

/// The files that passwords and tokens are read from.
final class SecretTests {
    private let folder = NSTemporaryDirectory() + "beaconmesh-secret-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
    }

    deinit { _ = Result { try FileManager.default.removeItem(atPath: folder) } }

    private func file(_ bytes: some Sequence<UInt8>, mode: Int = 0o600) throws -> String {
        let path = "\(folder)/\(UUID().uuidString)"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    @Test(arguments: ["s3cret", "s3cret\n", " s3cret \r\nmore\n", "s3cret\n\n"])
    func `the secret is the first line without the space around it`(text: String) throws {
        #expect(try Secret.line(of: file(text.utf8)) == "s3cret")
    }

    @Test(arguments: ["", "\n", " \r\nsecond line\n"])
    func `an empty first line is no secret`(text: String) throws {
        let path = try file(text.utf8)
        #expect(Secret.fault(in: path) == "its first line is empty")
    }

    @Test(arguments: [0o640, 0o604, 0o620])
    func `what others may read is no secret`(mode: Int) throws {
        let path = try file("s3cret\n".utf8, mode: mode)
        #expect(
            Secret.fault(in: path) == "others may read this secret; run chmod 600 \(path)")
        #expect(throws: Secret.Fault.self) { try Secret.checkIsPrivate(path) }
    }

    @Test func `a file that cannot be read is said with the reason`() throws {
        #expect(
            Secret.fault(in: folder + "/none") == "cannot be read: No such file or directory")
        let directory = folder + "/directory"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        #expect(Secret.fault(in: directory) == "cannot be read: Is a directory")
    }

    @Test func `without a file there is no secret, and a fault names the file`() throws {
        #expect(try Secret.read(nil) == nil)
        let path = try file([])
        let error = #expect(throws: Exit.self) { try Secret.read(path) }
        #expect(error?.text == "\(path): its first line is empty")
        #expect(error?.code == 78)
    }
}
