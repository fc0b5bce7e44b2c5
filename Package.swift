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
        .executable(name: "mesh-lab", targets: ["mesh-lab"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        .systemLibrary(
            name: "CBlueZ", path: "Sources/CLibraries/CBlueZ", pkgConfig: "bluez",
            providers: [.apt(["libbluetooth-dev"])]),
        .systemLibrary(
            name: "CMosquitto", path: "Sources/CLibraries/CMosquitto", pkgConfig: "libmosquitto",
            providers: [.apt(["libmosquitto-dev"])]),
        .systemLibrary(
            name: "CCrypto", path: "Sources/CLibraries/CCrypto", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CTimex", path: "Sources/CLibraries/CTimex"),
        .systemLibrary(
            name: "CZlib", path: "Sources/CLibraries/CZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]),

        // Core
        .target(
            name: "Basics", dependencies: [], path: "Sources/Core/Basics",
            swiftSettings: strict + optimised),
        .target(
            name: "SiteModel", dependencies: ["Basics"], path: "Sources/Core/SiteModel",
            swiftSettings: strict + optimised),
        .target(
            name: "Scheduling", dependencies: ["Basics", "SiteModel"],
            path: "Sources/Core/Scheduling",
            swiftSettings: strict + optimised),
        .target(
            name: "Permissions", dependencies: ["Basics"], path: "Sources/Core/Permissions",
            swiftSettings: strict),
        .target(
            name: "BeaconDecoding", dependencies: ["Basics", "SiteModel"],
            path: "Sources/Core/BeaconDecoding", swiftSettings: strict + optimised),
        .target(
            name: "Positioning", dependencies: ["Basics", "SiteModel"],
            path: "Sources/Core/Positioning",
            swiftSettings: strict + optimised),
        .target(
            name: "NodeEngine", dependencies: ["Basics", "BeaconDecoding", "SiteModel"],
            path: "Sources/Core/NodeEngine", swiftSettings: strict + optimised),
        .target(
            name: "AnomalyDetection", dependencies: ["SiteModel"],
            path: "Sources/Core/AnomalyDetection", swiftSettings: strict + optimised),
        .target(
            name: "TrainingEngine", dependencies: ["SiteModel"],
            path: "Sources/Core/TrainingEngine", swiftSettings: strict + optimised),
        .target(
            name: "ActivityEngine", dependencies: ["Scheduling", "Basics", "SiteModel"],
            path: "Sources/Core/ActivityEngine", swiftSettings: strict + optimised),
        .target(
            name: "SiteEngine",
            dependencies: [
                "Scheduling",
                "AnomalyDetection", "Basics", "Positioning", "SiteModel", "TrainingEngine",
            ], path: "Sources/Core/SiteEngine", swiftSettings: strict + optimised),
        .target(
            name: "JSON", dependencies: ["Basics"], path: "Sources/Core/JSON",
            swiftSettings: strict + optimised),
        .target(
            name: "SiteSchema", dependencies: ["SiteEngine", "SiteModel"],
            path: "Sources/Core/SiteSchema", swiftSettings: strict),
        .target(
            name: "Wire", dependencies: ["Basics", "JSON", "Permissions", "SiteModel"],
            path: "Sources/Core/Wire",
            swiftSettings: strict + optimised),
        .target(
            name: "NodePipeline",
            dependencies: ["Basics", "BeaconDecoding", "NodeEngine", "SiteModel", "JSON", "Wire"],
            path: "Sources/Core/NodePipeline", swiftSettings: strict + optimised),
        .target(
            name: "Operations",
            dependencies: ["Basics", "JSON", "Permissions", "SiteModel", "Wire"],
            path: "Sources/Core/Operations", swiftSettings: strict + optimised),
        .target(
            name: "SitePipeline",
            dependencies: [
                "Scheduling",
                "TrainingEngine",
                "Basics", "Permissions", "SiteEngine", "SiteModel", "JSON", "Operations", "Wire",
            ],
            path: "Sources/Core/SitePipeline", swiftSettings: strict + optimised),

        // Shells
        .target(
            name: "Radio",
            dependencies: ["Basics", "BeaconDecoding", "NodeEngine", "SiteModel", "CBlueZ"],
            path: "Sources/Shells/Radio", swiftSettings: strict),
        .target(
            name: "Outbox", dependencies: ["SiteModel"], path: "Sources/Shells/Outbox",
            swiftSettings: strict + optimised),
        .target(
            name: "Broker",
            dependencies: ["Permissions", "Basics", "SiteModel", "Wire", "CMosquitto"],
            path: "Sources/Shells/Broker", swiftSettings: strict),
        .target(
            name: "SiteStore",
            dependencies: [
                "Scheduling",
                "TrainingEngine",
                "Basics", "SiteEngine", "SiteModel", "SiteSchema", "Wire",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ], path: "Sources/Shells/SiteStore", swiftSettings: strict),
        .target(
            name: "WebServer",
            dependencies: [
                "Basics", "CZlib", "Permissions", "JSON", "Operations", "SiteModel", "Wire",
                .product(name: "Hummingbird", package: "hummingbird"),
            ], path: "Sources/Shells/WebServer", exclude: ["Page"], swiftSettings: strict,
            plugins: ["EmbedPages"]),
        .plugin(name: "EmbedPages", capability: .buildTool(), dependencies: ["embed-pages"]),
        .executableTarget(
            name: "embed-pages", path: "Plugins/embed-pages", swiftSettings: strict),
        .target(
            name: "Settings", dependencies: ["Basics", .product(name: "Yams", package: "Yams")],
            path: "Sources/Shells/Settings", swiftSettings: strict),
        .target(
            name: "Ciphers", dependencies: ["Basics", "SiteModel", "CCrypto"],
            path: "Sources/Shells/Ciphers", swiftSettings: strict),
        .target(
            name: "Platform", dependencies: ["Scheduling", "Basics", "SiteModel", "CZlib"],
            path: "Sources/Shells/Platform", swiftSettings: strict),

        // Business
        .target(
            name: "Registry",
            dependencies: [
                "Scheduling",
                "AnomalyDetection", "Basics", "Ciphers", "Operations", "Permissions", "Platform",
                "Positioning", "Records", "Settings",
                "SiteEngine", "SiteModel",
                "SiteStore", "JSON", "Wire", .product(name: "GRDB", package: "GRDB.swift"),
            ], path: "Sources/Business/Registry", resources: [.embedInCode("Devices")],
            swiftSettings: strict),
        .target(
            name: "Detections",
            dependencies: [
                "ActivityEngine", "Basics", "Ciphers", "JSON", "Notifications",
                "Platform", "Records", "Reporting",
                "Scheduling", "SiteModel", "SiteStore",
                .product(name: "GRDB", package: "GRDB.swift"),
            ], path: "Sources/Business/Detections", swiftSettings: strict),
        .target(
            name: "Records",
            dependencies: [
                "Scheduling",
                "Basics", "Ciphers", "Positioning", "SiteEngine", "SiteModel", "SiteSchema",
                "SiteStore", "JSON", "Wire",
                .product(name: "GRDB", package: "GRDB.swift"),
            ], path: "Sources/Business/Records", swiftSettings: strict),
        .target(
            name: "Accounts",
            dependencies: [
                "Ciphers", "Permissions", "Records", "SiteModel", "SiteStore",
                .product(name: "GRDB", package: "GRDB.swift"),
            ], path: "Sources/Business/Accounts", swiftSettings: strict),
        .target(
            name: "Notifications",
            dependencies: [
                "Scheduling",
                "Basics", "Ciphers", "Permissions", "Records", "SiteEngine", "SiteModel",
                "SiteStore", "Platform",
                "Wire", .product(name: "GRDB", package: "GRDB.swift"),
            ], path: "Sources/Business/Notifications", swiftSettings: strict),
        .target(
            name: "Reporting",
            dependencies: [
                "Scheduling",
                "Basics", "Ciphers", "Records", "SiteEngine", "SiteModel", "SiteSchema",
                "SiteStore", "Platform",
                .product(name: "GRDB", package: "GRDB.swift"),
            ], path: "Sources/Business/Reporting", swiftSettings: strict + optimised),

        .target(
            name: "Workouts",
            dependencies: [
                "Scheduling",
                "Basics", "Records", "Reporting", "SiteModel", "SiteStore", "TrainingEngine",
                .product(name: "GRDB", package: "GRDB.swift"),
            ], path: "Sources/Business/Workouts", swiftSettings: strict),
        .target(
            name: "Activities",
            dependencies: [
                "Scheduling",
                "ActivityEngine", "Basics", "Ciphers", "Notifications", "Records", "Reporting",
                "SiteModel", "SiteStore",
                .product(name: "GRDB", package: "GRDB.swift"),
            ], path: "Sources/Business/Activities", swiftSettings: strict),
        .target(
            name: "BrokerAccess",
            dependencies: [
                "Basics", "Ciphers", "Permissions", "Records", "SiteModel", "SitePipeline",
                "SiteStore",
                "Platform", "Operations", "Wire", .product(name: "GRDB", package: "GRDB.swift"),
            ], path: "Sources/Business/BrokerAccess", swiftSettings: strict),

        // Services
        .target(
            name: "NodeService",
            dependencies: [
                "Basics", "BeaconDecoding", "Broker", "Ciphers", "JSON", "NodeEngine",
                "NodePipeline",
                "Outbox", "Radio", "Settings", "SiteModel", "Platform", "Wire",
            ], path: "Sources/Services/NodeService", swiftSettings: strict),
        .target(
            name: "SiteService",
            dependencies: [
                "Accounts", "Activities", "ActivityEngine", "Basics", "BeaconDecoding",
                "BrokerAccess", "Ciphers", "Detections",
                "JSON", "Notifications", "Operations", "Permissions", "Platform", "Positioning",
                "Records", "Registry", "Reporting", "Scheduling", "SiteModel", "SitePipeline",
                "SiteStore", "WebServer", "Wire", "Workouts",
            ], path: "Sources/Services/SiteService", swiftSettings: strict),
        .target(
            name: "CoordinatorService",
            dependencies: [
                "Scheduling",
                "TrainingEngine",
                "Accounts", "Activities", "Basics", "Broker", "Ciphers", "Notifications",
                "Positioning",
                "Records", "Registry", "Settings", "SiteEngine", "SiteService",
                "SiteModel",
                "SitePipeline",
                "SiteStore", "Platform", "WebServer", "JSON", "Operations", "Wire", "BrokerAccess",
                .product(name: "Logging", package: "swift-log"),
            ], path: "Sources/Services/CoordinatorService", swiftSettings: strict),

        // Tools
        .target(
            name: "Scanner",
            dependencies: [
                "Basics", "BeaconDecoding", "Broker", "Ciphers", "NodeEngine", "Radio", "SiteModel",
                "Platform", "JSON", "Registry", "Wire",
            ], path: "Sources/Tools/Scanner", swiftSettings: strict),
        .target(
            name: "Diagnostics",
            dependencies: [
                "Permissions",
                "Scheduling",
                "Basics", "Broker", "CoordinatorService", "Radio", "Registry", "Settings",
                "SiteModel", "SiteStore", "Platform", "JSON", "Operations", "Wire", "CTimex",
                "BrokerAccess",
            ], path: "Sources/Tools/Diagnostics", swiftSettings: strict),
        .target(
            name: "Calibration",
            dependencies: [
                "Basics", "Broker", "CoordinatorService", "Positioning", "Registry", "Reporting",
                "Scanner", "SiteClient", "SiteService", "SiteModel", "SiteStore", "SurveyFiles",
                "Platform", "Wire",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Sources/Tools/Calibration", swiftSettings: strict),
        .target(
            name: "SurveyFiles", dependencies: ["Platform", "Positioning", "SiteModel"],
            path: "Sources/Tools/SurveyFiles", swiftSettings: strict),
        .target(
            name: "Simulation",
            dependencies: [
                "Basics", "NodeEngine", "Positioning", "SiteEngine", "SiteModel", "Wire",
            ], path: "Sources/Tools/Simulation", swiftSettings: strict + optimised),
        .target(
            name: "Demo",
            dependencies: [
                "Accounts", "Basics", "Broker", "BrokerAccess", "NodeEngine", "Radio", "Registry",
                "Simulation", "SiteEngine", "SiteModel", "SiteStore", "TrainingEngine", "Platform",
                "Settings",
                "JSON", "Operations", "Wire",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Sources/Tools/Demo", swiftSettings: strict),
        .target(
            name: "Commands",
            dependencies: [
                "Basics", "Platform",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Sources/Tools/Commands", swiftSettings: strict),

        .target(
            name: "Logbook",
            dependencies: [
                "Basics", "JSON", "Operations", "Platform", "Registry", "Scheduling", "SiteClient",
                "SiteModel", "Workouts",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Sources/Tools/Logbook", swiftSettings: strict),
        .target(
            name: "SiteClient",
            dependencies: [
                "Permissions",
                "Basics", "Broker", "CoordinatorService", "Reporting", "SiteService", "SiteModel",
                "SiteStore", "Platform", "Operations", "Registry", "Wire",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Sources/Tools/SiteClient", swiftSettings: strict),

        // Lab
        .target(
            name: "LocatingLab",
            dependencies: [
                "Basics", "Positioning", "SiteModel", "SurveyFiles", "Platform",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Sources/Lab/LocatingLab", swiftSettings: strict),
        .target(
            name: "Scenarios",
            dependencies: [
                "Basics", "LocatingLab", "Notifications", "Positioning", "Records", "Registry",
                "Reporting", "Simulation", "SiteEngine", "SiteModel", "SiteStore", "SurveyFiles",
                "Platform", "TrainingEngine", "JSON", "Wire", "CZlib",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Sources/Lab/Scenarios", swiftSettings: strict),
        .target(
            name: "Benchmarks",
            dependencies: [
                "Activities", "ActivityEngine", "Scheduling",
                "Basics", "BeaconDecoding", "Broker", "CoordinatorService", "Demo", "Detections",
                "NodeEngine", "NodePipeline", "Positioning", "Records", "Registry", "Reporting",
                "Simulation", "SiteEngine", "SiteService", "SiteModel", "SitePipeline",
                "SiteStore", "TrainingEngine", "Platform", "JSON", "Operations", "Wire", "Workouts",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Sources/Lab/Benchmarks", swiftSettings: strict),

        // Programs
        .executableTarget(
            name: "beacon-node", dependencies: ["NodeService"],
            path: "Sources/Programs/beacon-node", swiftSettings: strict),
        .executableTarget(
            name: "beacon-coordinator", dependencies: ["CoordinatorService"],
            path: "Sources/Programs/beacon-coordinator", swiftSettings: strict),
        .executableTarget(
            name: "beaconmesh",
            dependencies: [
                "Scheduling",
                "Accounts", "Activities", "Basics", "Broker", "Calibration", "Commands",
                "CoordinatorService", "Demo", "Diagnostics", "Logbook",
                "Radio", "Records", "Registry", "Reporting", "Scanner", "SiteClient",
                "SiteService", "SiteModel", "SiteStore", "Permissions", "Platform",
                "WebServer",
                "JSON", "Operations", "Wire", "BrokerAccess", "SitePipeline",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Sources/Programs/beaconmesh", swiftSettings: strict),
        .executableTarget(
            name: "mesh-lab",
            dependencies: [
                "Benchmarks", "Commands", "LocatingLab", "Scenarios", "SiteModel",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Sources/Programs/mesh-lab", swiftSettings: strict),

        // Tests
        .target(
            name: "TestSupport", dependencies: ["Operations"], path: "Tests/TestSupport",
            swiftSettings: strict),
        .testTarget(
            name: "BeaconDecodingTests", dependencies: ["BeaconDecoding", "SiteModel"],
            swiftSettings: strict),
        .testTarget(
            name: "BrokerTests", dependencies: ["Broker", "SiteModel", "Wire"],
            swiftSettings: strict),
        .testTarget(
            name: "CiphersTests", dependencies: ["Basics", "Ciphers", "NodeEngine", "SiteModel"],
            swiftSettings: strict),
        .testTarget(
            name: "CoordinatorServiceTests",
            dependencies: [
                "Permissions",
                "Accounts", "Basics", "Broker", "BrokerAccess", "CoordinatorService",
                "Notifications",
                "Platform", "Registry", "Reporting", "SiteEngine",
                "SiteService", "SiteModel", "SitePipeline", "SiteStore", "WebServer", "Wire",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ], swiftSettings: strict),
        .testTarget(
            name: "MeshCoreTests",
            dependencies: [
                "Scheduling",
                "Basics", "BeaconDecoding", "NodeEngine", "Permissions", "Positioning",
                "AnomalyDetection", "TrainingEngine", "SiteEngine", "SiteModel",
                "TestSupport",
            ], swiftSettings: strict),
        .testTarget(
            name: "MeshWireTests",
            dependencies: [
                "Scheduling",
                "TrainingEngine",
                "Basics", "NodeEngine", "NodePipeline", "Permissions", "SiteEngine", "SiteModel",
                "SitePipeline", "JSON", "Operations", "TestSupport", "Wire",
            ], swiftSettings: strict),
        .testTarget(
            name: "NodeServiceTests",
            dependencies: [
                "BeaconDecoding", "Broker", "NodeEngine", "NodeService", "Outbox", "Platform",
                "Radio", "SiteModel", "Wire",
            ], swiftSettings: strict),
        .testTarget(
            name: "OutboxTests", dependencies: ["Basics", "Outbox", "SiteEngine", "SiteModel"],
            swiftSettings: strict),
        .testTarget(
            name: "PlatformTests", dependencies: ["Platform", "SiteModel", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ProcessTests",
            dependencies: [
                "Basics", "Broker", "CoordinatorService", "Demo", "Diagnostics", "NodeEngine",
                "Platform", "Radio", "Registry", "Simulation", "SiteEngine", "SiteService",
                "SiteModel", "BrokerAccess",
                "SitePipeline", "SiteStore", "TestSupport", "Operations", "Wire",
            ], swiftSettings: strict),
        .testTarget(
            name: "RadioTests",
            dependencies: ["BeaconDecoding", "NodeEngine", "Radio", "SiteModel"],
            swiftSettings: strict),
        .testTarget(
            name: "ReportingTests",
            dependencies: [
                "Scheduling", "ActivityEngine", "Basics", "Platform", "Reporting", "SiteModel",
                "Wire",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ServiceTests",
            dependencies: [
                "Detections", "CZlib", "SiteClient", "SiteService",
                "Scheduling",
                "Accounts", "Activities", "ActivityEngine", "Basics", "BeaconDecoding",
                "Calibration", "Ciphers", "CoordinatorService", "JSON", "NodeEngine",
                "NodePipeline", "NodeService",
                "Notifications", "Operations", "Permissions", "Platform", "Positioning",
                "Records",
                "Registry", "Reporting", "Settings", "SiteEngine",
                "SiteModel",
                "SitePipeline",
                "SiteSchema", "SiteStore", "WebServer", "BrokerAccess",
                "Wire",
            ], swiftSettings: strict),
        .testTarget(
            name: "SettingsTests", dependencies: ["Basics", "Settings", "SiteModel"],
            swiftSettings: strict),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "Scheduling",
                "TrainingEngine",
                "AnomalyDetection", "Basics", "BeaconDecoding", "Calibration", "CoordinatorService",
                "Demo",
                "LocatingLab", "NodeEngine", "NodePipeline", "Notifications", "Outbox", "Platform",
                "Positioning", "Records", "Registry", "Reporting", "Scenarios", "Simulation",
                "SiteEngine",
                "SiteModel", "SitePipeline", "SiteStore", "SurveyFiles", "TestSupport",
                "Operations", "Wire",
                .product(name: "GRDB", package: "GRDB.swift"),
            ], exclude: ["Baselines"], swiftSettings: strict),
        .testTarget(
            name: "StorageTests",
            dependencies: [
                "Permissions",
                "Scheduling",
                "TrainingEngine",
                "Accounts", "Activities", "ActivityEngine", "Basics", "Workouts", "BrokerAccess",
                "Ciphers", "Notifications",
                "Positioning",
                "Records",
                "Registry",
                "Reporting", "Operations", "SiteEngine", "SiteModel", "SitePipeline", "SiteSchema",
                "SiteStore",
                "Platform",
                "TestSupport",
                "Wire",
            ], exclude: ["Schemas"], swiftSettings: strict),
        .testTarget(
            name: "ToolTests",
            dependencies: [
                "Scheduling",
                "Basics", "beaconmesh", "Benchmarks", "Broker", "Calibration", "CoordinatorService",
                "Diagnostics", "LocatingLab", "NodeEngine", "Platform", "Positioning", "Radio",
                "Records", "Registry", "Scanner", "SiteEngine", "SiteService", "SiteModel",
                "SitePipeline",
                "SiteStore", "SurveyFiles", "JSON", "Wire",
            ], swiftSettings: strict),
        .testTarget(
            name: "WebTests", dependencies: ["Permissions", "SiteModel", "WebServer", "Wire"],
            swiftSettings: strict),
        .testTarget(name: "TidyTests", swiftSettings: strict + optimised),
    ]
)
