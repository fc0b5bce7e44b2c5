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
        let found = try Self.targets(in: manifest)
        #expect(found.count > 15)
        for target in found {
            #expect(target.text.contains("swiftSettings: strict"), "\(target.text)")
        }
    }

    /// The Swift targets, each with its part of the manifest.
    static func targets(in manifest: String) throws -> [(name: String, text: Substring)] {
        let target = try Regex(
            #"\.(?:target|executableTarget|testTarget)\(\s*name: "([^"]+)"[\s\S]*?(?=\n        \.|\n    \])"#
        )
        return manifest.matches(of: target).map { match in
            (String(match.output[1].substring ?? ""), manifest[match.range])
        }
    }

    /// Files in the folder of a target that the manifest does not speak of: SwiftPM warns of them at
    /// each build.
    static func unhandled(among paths: [String], in manifest: String) throws -> [String] {
        let targets = try targets(in: manifest).map { name, text in
            let folder = text.firstMatch(of: /path: "([^"]+)"/).map { String($0.1) }
            let handled = text.matches(of: /(?:exclude: \[|embedInCode\()"([^"]+)"/)
            return (folder: folder ?? "Tests/\(name)", handled: handled.map { String($0.1) })
        }
        return paths.filter { path in
            !path.hasSuffix(".swift")
                && targets.contains { folder, handled in
                    path.hasPrefix(folder + "/")
                        && !handled.contains { path.hasPrefix("\(folder)/\($0)/") }
                }
        }
    }

    @Test(.enabled(if: Checkout.isClone, "not a clone: nothing says which files are tracked"))
    func `the package speaks of every file in the folder of a target`() throws {
        let manifest = try Checkout.text("Package.swift")
        #expect(try Self.unhandled(among: try Checkout.tracked(), in: manifest) == [])
        let strays = ["Sources/Core/Wire/notes.md", "Tests/StorageTests/rows.sql"]
        let known = [
            "Tests/StorageTests/Schemas/01.sql", "Sources/Shells/WebServer/Page/start.js",
            "Sources/Core/Wire/Topic.swift", "Tests/browser/notes.md", "README.md",
        ]
        #expect(try Self.unhandled(among: strays + known, in: manifest) == strays)
    }

    /// Who runs a site does not wait for what developers measure with.
    @Test func `a demonstration builds the programs of a site, and no lab`() throws {
        let script = try Checkout.text("deploy/up")
        let loop = try #require(script.firstMatch(of: /for program in ([a-z -]+); do/)).1
        let programs: Set = ["beacon-coordinator", "beacon-node", "beaconmesh"]
        #expect(Set(loop.split(separator: " ").map(String.init)) == programs)
        let builds = script.split(separator: "\n").filter { $0.contains("$here/build") }
        #expect(builds.count == 1 && builds[0].contains("--product \"$program\""))
    }

    /// A Raspberry Pi builds for hours.
    @Test(arguments: [
        ("deploy/test", #"step "build" (\d+) deploy/build"#),
        (".ci/run", #"timeout \S+ (\d+) deploy/build"#), (".ci/run", #"part "deploy/test" (\d+) "#),
    ])
    func `no build is cut off`(path: String, line: String) throws {
        let match = try #require(try Checkout.text(path).firstMatch(of: try Regex(line)))
        let limit = try #require(match.output[1].substring.flatMap { Int($0) })
        #expect(limit >= 4 * 3600)
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
        "deploy/up", "deploy/test", "deploy/build", "deploy/install-packages", "deploy/rig/run",
        ".ci/run",
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
            Self.strays(in: [path, "Sources/Shells/WebServer/Page/start.js", "schemas/README.md"])
                == [path])
    }
}
