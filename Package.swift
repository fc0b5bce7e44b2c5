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

        .target(
            name: "MeshCore", path: "Sources",
            sources: [
                "Core/BeaconDecoding",
                "Core/NodeEngine",
                "Core/Positioning",
                "Core/SiteEngine",
                "Core/SiteModel",
            ],
            swiftSettings: strict + optimised),
        .target(
            name: "MeshWire", dependencies: ["MeshCore"], path: "Sources",
            sources: [
                "Core/Basics/HarmlessText.swift",
                "Core/Basics/Hex.swift",
                "Core/NodePipeline",
                "Core/SitePipeline",
                "Core/Wire/IdentityText.swift",
                "Core/Wire/Inbound.swift",
                "Core/Wire/Names.swift",
                "Core/Wire/NodeConfiguration.swift",
                "Core/Wire/PacketSize.swift",
                "Core/Wire/Publication.swift",
                "Core/Wire/Topic.swift",
                "Core/Wire/JSON",
                "Core/Wire/Payloads",
            ],
            swiftSettings: strict + optimised),

        .target(
            name: "Reports", dependencies: ["MeshCore"], path: "Sources",
            sources: [
                "Business/Reporting/CSVText.swift",
                "Business/Reporting/CalendarWriter.swift",
                "Business/Reporting/Contact.swift",
                "Business/Reporting/Counted.swift",
                "Business/Reporting/DayRow.swift",
                "Business/Reporting/DaySheet.swift",
                "Business/Reporting/PersonRecord.swift",
                "Business/Reporting/PlaceTime.swift",
                "Business/Reporting/Rounding.swift",
                "Business/Reporting/RowText.swift",
                "Business/Reporting/Sheet+Days.swift",
                "Business/Reporting/Sheet+Places.swift",
                "Business/Reporting/Sheet.swift",
                "Business/Reporting/SheetWriter.swift",
                "Business/Reporting/ShiftMatch.swift",
                "Business/Reporting/Twins.swift",
                "Shells/System/TimeZoneTable+IANA.swift",
            ],
            swiftSettings: strict + optimised),
        .target(
            name: "Daemon", dependencies: ["MeshCore"], path: "Sources",
            sources: [
                "Shells/System/AnchoredClock.swift",
                "Shells/System/Blinker.swift",
                "Shells/System/CodePages.swift",
                "Shells/System/LogThrottle.swift",
                "Shells/System/MachineFigures.swift",
                "Shells/System/ProcessFigures.swift",
                "Shells/System/ServiceManager.swift",
                "Shells/System/StopSignal.swift",
                "Shells/System/SystemFile.swift",
                "Shells/System/WakePipe.swift",
            ],
            swiftSettings: strict),
        .target(
            name: "Radio", dependencies: ["MeshWire", "CBlueZ"], path: "Sources",
            sources: [
                "Shells/Radio"
            ],
            swiftSettings: strict),
        .target(
            name: "Outbox", dependencies: ["MeshCore"], path: "Sources",
            sources: [
                "Shells/Outbox"
            ],
            swiftSettings: strict + optimised),
        .target(
            name: "Broker", dependencies: ["MeshWire", "CMosquitto"], path: "Sources",
            sources: [
                "Shells/Broker/MQTTClient.swift",
                "Shells/Broker/MQTTError.swift",
                "Shells/Broker/PrivateBroker.swift",
                "Shells/Broker/Reconnect.swift",
            ],
            swiftSettings: strict),
        .target(
            name: "Storage",
            dependencies: ["MeshWire", "CCrypto", .product(name: "GRDB", package: "GRDB.swift")],
            path: "Sources",
            sources: [
                "Business/Notifications/NoticeRules.swift",
                "Business/Notifications/Occasion.swift",
                "Business/Notifications/QuietHours.swift",
                "Business/Notifications/Store+Deliveries.swift",
                "Business/Notifications/Store+MissedShifts.swift",
                "Business/Notifications/Store+Notices.swift",
                "Business/Notifications/Store+Occasions.swift",
                "Business/Notifications/Webhook.swift",
                "Business/Records/AuditComparison.swift",
                "Business/Records/AuditVerdict.swift",
                "Business/Records/BooksCall.swift",
                "Business/Records/BooksRefusal.swift",
                "Business/Records/CorrectionRow.swift",
                "Business/Records/ErasedPerson.swift",
                "Business/Records/Erasure.swift",
                "Business/Records/ExcuseRow.swift",
                "Business/Records/PersonExport.swift",
                "Business/Records/Retention.swift",
                "Business/Records/RetentionRule.swift",
                "Business/Records/RosterAsker.swift",
                "Business/Records/RosterError.swift",
                "Business/Records/Store+Amendments.swift",
                "Business/Records/Store+Audit.swift",
                "Business/Records/Store+Books.swift",
                "Business/Records/Store+Consent.swift",
                "Business/Records/Store+Corrections.swift",
                "Business/Records/Store+Disputes.swift",
                "Business/Records/Store+Erasure.swift",
                "Business/Records/Store+Excuses.swift",
                "Business/Records/Store+Export.swift",
                "Business/Records/Store+Feeds.swift",
                "Business/Records/Store+Locks.swift",
                "Business/Records/Store+Lookup.swift",
                "Business/Records/Store+Shifts.swift",
                "Business/Records/Wish.swift",
                "Business/Reporting/Store+Reporting.swift",
                "Shells/Ciphers/SHA256.swift",
                "Shells/SiteStore",
            ],
            swiftSettings: strict),
        .target(
            name: "Web",
            dependencies: ["MeshWire", .product(name: "Hummingbird", package: "hummingbird")],
            path: "Sources/Shells/WebServer",
            resources: [.embedInCode("Page")], swiftSettings: strict),
        .target(
            name: "Ciphers", dependencies: ["MeshCore", "CCrypto"], path: "Sources",
            sources: [
                "Shells/Ciphers/LibCrypto.swift"
            ],
            swiftSettings: strict),
        .target(
            name: "MeshSim", dependencies: ["MeshWire"], path: "Sources",
            sources: [
                "Core/Basics/SeededRandom.swift",
                "Tools/Simulation",
            ],
            swiftSettings: strict + optimised),
        .target(
            name: "Settings", dependencies: [.product(name: "Yams", package: "Yams")],
            path: "Sources",
            sources: [
                "Core/Basics/Suggestion.swift",
                "Shells/Settings",
            ],
            swiftSettings: strict),

        .target(
            name: "Coordinator",
            dependencies: [
                "Radio", "Broker", "Storage", "Web", "MeshSim", "Settings", "Ciphers", "Daemon",
                "Reports", "CCrypto", "CTimex", "CZlib",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources",
            sources: [
                "Business/Notifications/Curl.swift",
                "Business/Notifications/Signature.swift",
                "Business/Records/StatedMoment.swift",
                "Business/Reporting/FeedText.swift",
                "Business/Reporting/NameResolver.swift",
                "Business/Reporting/ReportDesk.swift",
                "Business/Reporting/ReportOrder.swift",
                "Business/Reporting/ReportOutput.swift",
                "Business/Reporting/ReportRun.swift",
                "Business/Reporting/SheetTable.swift",
                "Business/Reporting/StatedMoment+Site.swift",
                "Core/Basics/ShellWord.swift",
                "Core/Basics/TerminalText.swift",
                "Core/Basics/TextTable.swift",
                "Core/Wire/HexText.swift",
                "Programs/beaconmesh/BooksOptions.swift",
                "Programs/beaconmesh/CalibrateOptions.swift",
                "Programs/beaconmesh/CoordinatorOptions.swift",
                "Programs/beaconmesh/DatabaseOptions.swift",
                "Programs/beaconmesh/PersonTableText.swift",
                "Programs/beaconmesh/RequestSession.swift",
                "Programs/beaconmesh/Verbs",
                "Services/CoordinatorService",
                "Shells/Broker/BrokerAddress.swift",
                "Shells/System/Bond.swift",
                "Shells/System/Child.swift",
                "Shells/System/CompressedFile.swift",
                "Shells/System/Exit.swift",
                "Shells/System/FreePort.swift",
                "Shells/System/LoopThread.swift",
                "Shells/System/Output.swift",
                "Shells/System/PortOwner.swift",
                "Shells/System/ProgressMeter.swift",
                "Shells/System/Secret.swift",
                "Shells/System/Stopwatch.swift",
                "Shells/System/TokenFile.swift",
                "Shells/System/ZonedClock.swift",
                "Tools/Benchmarks",
                "Tools/Calibration",
                "Tools/Demo",
                "Tools/Diagnostics",
                "Tools/LocatingLab",
                "Tools/Scanner/AdapterScan.swift", "Tools/Scanner/CaptureScan.swift",
                "Tools/Scanner/DeviceRules.swift", "Tools/Scanner/HeardAdvertisement.swift",
                "Tools/Scanner/JSONWriter+Scan.swift", "Tools/Scanner/LeaseSession.swift",
                "Tools/Scanner/RemoteScan.swift", "Tools/Scanner/ScanDecoder.swift",
                "Tools/Scanner/ScanRow.swift", "Tools/Scanner/ScanScreen.swift",
                "Tools/Scanner/ScanTable.swift", "Tools/Scanner/ScanView.swift",
                "Tools/Scanner/Terminal.swift", "Tools/Scanner/Decoding",
                "Tools/Scenarios",
            ],
            resources: [.embedInCode("Tools/Scanner/Rules")], swiftSettings: strict),

        .executableTarget(
            name: "beacon-node",
            dependencies: ["Radio", "Broker", "Outbox", "Settings", "Ciphers", "Daemon"],
            path: "Sources",
            sources: [
                "Services/NodeService"
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "beacon-coordinator", dependencies: ["Coordinator"], path: "Sources",
            sources: [
                "Programs/beacon-coordinator"
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "beaconmesh", dependencies: ["Coordinator"], path: "Sources",
            sources: [
                "Programs/beaconmesh/main.swift"
            ],
            swiftSettings: strict),

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
