import Foundation
import Testing

/// The manifest, the Debian packages, and the scripts that use them.
struct PackageTests {
    static func loose(in manifest: String) -> [Substring] {
        manifest.replacing(/\.package\(\s+/, with: ".package(").split(separator: "\n").filter {
            $0.contains(".package(") && !$0.contains(", exact: \"")
        }
    }

    @Test func `every dependency has one version`() throws {
        let manifest = try Checkout.text("Package.swift")
        #expect(manifest.contains(".package("))
        #expect(Self.loose(in: manifest) == [])
        let line = ".package(url: \"https://example.org/a\", from: \"1.0.0\"),"
        #expect(Self.loose(in: manifest + line).count == 1)
    }

    @Test func `every Swift target is strict`() throws {
        let manifest = try Checkout.text("Package.swift")
        let targets = try Regex(
            #"\.(target|executableTarget|testTarget)\(\s*name: "([^"]+)"[\s\S]*?(?=\n        \.|\n    \])"#
        )
        let found = manifest.matches(of: targets)
        #expect(found.count > 15)
        for target in found {
            let text = manifest[target.range]
            #expect(text.contains("swiftSettings: strict"), "\(text)")
        }
    }

    /// Dependencies import these modules wherever the compiler finds one (`canImport`): a target of ours
    /// with such a name is taken for it, depending on which is built first.
    @Test func `no target has the name of a module that dependencies look for`() throws {
        let taken: Set = [
            "System", "Crypto", "Network", "Security", "Combine", "Dispatch", "Accelerate", "CRT",
            "CommonCrypto", "CoreGraphics", "Darwin", "Musl", "Android", "Bionic", "os",
        ]
        let rooms = Set(try Checkout.swift(in: "Sources").map(\.module))
        #expect(rooms.count > 20)
        #expect(rooms.isDisjoint(with: taken))
    }

    /// The packages by section.
    static func sections() throws -> [String: [String]] {
        var sections: [String: [String]] = [:]
        var name = ""
        for line in try Checkout.text("deploy/packages.txt").split(separator: "\n") {
            let words = line.prefix { $0 != "#" }.split(separator: " ")
            guard let first = words.first else { continue }
            if first.hasPrefix("[") {
                name = String(first.dropFirst().dropLast())
            } else {
                #expect(words.count == 1, "\(line)")
                sections[name, default: []].append(String(first))
            }
        }
        return sections
    }

    @Test func `the packages of the C libraries are installed for a build`() throws {
        let manifest = try Checkout.text("Package.swift")
        let packages = manifest.matches(of: /\.apt\(\["([^"]+)"\]\)/).map { String($0.1) }
        #expect(packages.count == 4)
        let build = try #require(Self.sections()["build"])
        for package in packages { #expect(build.contains(package), "\(package)") }
    }

    @Test func `the rig asks for what the list says`() throws {
        let script = try Checkout.text("deploy/rig/run")
        let needed = try #require(script.firstMatch(of: /needed=\(([^)]*)\)/)).1
        let rig = try #require(Self.sections()["rig"])
        #expect(Set(needed.split(separator: " ").map(String.init)) == Set(rig))
    }

    @Test(arguments: [
        "deploy/up", "deploy/test", "deploy/install-packages", "deploy/rig/run", ".ci/run",
    ])
    func `a command can be executed`(path: String) {
        let file = Checkout.root.appending(path: path).path(percentEncoded: false)
        #expect(FileManager.default.isExecutableFile(atPath: file))
    }

    static func strays(in paths: [String]) -> [String] {
        let rule =
            /(^|\/)(\.build|\.swiftpm)\/|(^|\/)Package\.resolved$|\.(sqlite|db)(-\w+)?$|\.(pem|key|p12)$|(^|\/)(id_rsa|id_ed25519|\.env)$|__pycache__|\.profraw$/
        return paths.filter { $0.contains(rule) }
    }

    @Test(.enabled(if: Checkout.isClone, "not a clone: nothing says which files are tracked"))
    func `nothing built, no database and no key is tracked`() throws {
        let tracked = try Checkout.tracked()
        #expect(tracked.contains("Package.swift"))
        #expect(Self.strays(in: tracked) == [])
    }

    @Test(arguments: [
        ".build/x", "Package.resolved", "a/site.sqlite", "site.sqlite-wal", "tls/server.key",
        "Tests/x/__pycache__/y.pyc",
    ])
    func `a file that must not be tracked is noticed`(path: String) {
        #expect(
            Self.strays(in: [path, "Sources/Shells/WebServer/Page/app.js", "schemas/README.md"])
                == [path])
    }
}
