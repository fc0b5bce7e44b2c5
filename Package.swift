// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target is built in Swift 6 mode with warnings as errors.
let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

/// The pure targets are optimised in debug builds, too: tests run months of simulated sites through
/// them, which takes a quarter of an hour otherwise. Assertions stay.
let optimised: [SwiftSetting] = [
    .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))
]

let package = Package(
    name: "beaconmesh",
    products: [
        .executable(name: "beacon-node", targets: ["beacon-node"]),
        .executable(name: "beacon-coordinator", targets: ["beacon-coordinator"]),
        .executable(name: "beaconmesh", targets: ["beaconmesh"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        .systemLibrary(name: "CBlueZ", pkgConfig: "bluez", providers: [.apt(["libbluetooth-dev"])]),
        .systemLibrary(
            name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CTimex"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        .target(name: "MeshCore", swiftSettings: strict + optimised),
        .target(name: "MeshWire", dependencies: ["MeshCore"], swiftSettings: strict + optimised),

        .target(name: "Reports", dependencies: ["MeshCore"], swiftSettings: strict + optimised),
        .target(name: "Daemon", dependencies: ["MeshCore"], swiftSettings: strict),
        .target(name: "Radio", dependencies: ["MeshWire", "CBlueZ"], swiftSettings: strict),
        .target(name: "Outbox", dependencies: ["MeshCore"], swiftSettings: strict + optimised),
        .target(name: "Broker", dependencies: ["MeshWire", "CMosquitto"], swiftSettings: strict),
        .target(
            name: "Storage",
            dependencies: ["MeshWire", "CCrypto", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: strict),
        .target(
            name: "Web",
            dependencies: ["MeshWire", .product(name: "Hummingbird", package: "hummingbird")],
            resources: [.embedInCode("Page")], swiftSettings: strict),
        .target(name: "Ciphers", dependencies: ["MeshCore", "CCrypto"], swiftSettings: strict),
        .target(name: "MeshSim", dependencies: ["MeshWire"], swiftSettings: strict + optimised),
        .target(
            name: "Settings", dependencies: [.product(name: "Yams", package: "Yams")],
            swiftSettings: strict),

        .target(
            name: "Coordinator",
            dependencies: [
                "Radio", "Broker", "Storage", "Web", "MeshSim", "Settings", "Ciphers", "Daemon",
                "Reports", "CCrypto", "CTimex", "CZlib",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            resources: [.embedInCode("Scan/Rules")], swiftSettings: strict),

        .executableTarget(
            name: "beacon-node",
            dependencies: ["Radio", "Broker", "Outbox", "Settings", "Ciphers", "Daemon"],
            swiftSettings: strict),
        .executableTarget(
            name: "beacon-coordinator", dependencies: ["Coordinator"], swiftSettings: strict),
        .executableTarget(name: "beaconmesh", dependencies: ["Coordinator"], swiftSettings: strict),

        .testTarget(name: "MeshCoreTests", dependencies: ["MeshCore"], swiftSettings: strict),
        .testTarget(name: "MeshWireTests", dependencies: ["MeshWire"], swiftSettings: strict),
        .testTarget(name: "ReportsTests", dependencies: ["Reports"], swiftSettings: strict),
        .testTarget(name: "DaemonTests", dependencies: ["Daemon"], swiftSettings: strict),
        .testTarget(name: "RadioTests", dependencies: ["Radio"], swiftSettings: strict),
        .testTarget(name: "OutboxTests", dependencies: ["Outbox"], swiftSettings: strict),
        .testTarget(name: "BrokerTests", dependencies: ["Broker"], swiftSettings: strict),
        .testTarget(name: "StorageTests", dependencies: ["Storage"], swiftSettings: strict),
        .testTarget(name: "WebTests", dependencies: ["Web"], swiftSettings: strict),
        .testTarget(name: "CiphersTests", dependencies: ["Ciphers"], swiftSettings: strict),
        .testTarget(
            name: "CoordinatorTests", dependencies: ["Coordinator"], swiftSettings: strict),
        .testTarget(name: "SettingsTests", dependencies: ["Settings"], swiftSettings: strict),
        .testTarget(
            name: "ScenarioTests",
            dependencies: ["MeshSim", "Storage", "Daemon", "Outbox", "Coordinator"],
            swiftSettings: strict),
        .testTarget(name: "TidyTests", swiftSettings: strict),
    ]
)
