// swift-tools-version: 6.2
import PackageDescription

/// As in every Clipfeed package.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let core: Target.Dependency = .product(name: "ClipfeedCore", package: "core")
/// Rows of words, as recorded sessions have them.
let wire: Target.Dependency = .product(name: "ClipfeedCoreWire", package: "core")
let contract: Target.Dependency = .product(name: "Contract", package: "contract")

/// An HTTP server for one device.
let loopback: [Target.Dependency] = [
  .product(name: "FlyingFox", package: "FlyingFox"), .product(name: "FlyingSocks", package: "FlyingFox"),
]

/// Targets that import no framework of Apple's: Linux builds, runs and tests them.
let portable: [Target] = [
  .target(name: "MediaStore", swiftSettings: strict),
  .target(name: "Playback", dependencies: [core, contract, "MediaStore"], swiftSettings: strict),
  .target(name: "PlayerReports", dependencies: ["Playback", core], swiftSettings: strict),
  .target(
    name: "MediaProxy", dependencies: ["MediaStore", "Playback", core, contract] + loopback,
    swiftSettings: strict),
  .target(name: "Device", dependencies: [core], swiftSettings: strict),
  .target(name: "Persistence", dependencies: ["MediaStore", contract], swiftSettings: strict),
  .target(
    name: "Transfer", dependencies: ["MediaStore", "Persistence", "Playback", core, contract],
    swiftSettings: strict),
  .target(
    name: "AppModel",
    dependencies: ["Device", "MediaStore", "Persistence", "Playback", "Transfer", core, contract],
    swiftSettings: strict),
]

let tests: [Target] = [
  // Ports of the session's host as tests play them.
  .target(
    name: "PlaybackTesting", dependencies: ["MediaStore", "Playback", core, contract],
    path: "Tests/PlaybackTesting", swiftSettings: strict),
  .testTarget(
    name: "PlayerReportsTests", dependencies: ["PlayerReports", "Playback", core], swiftSettings: strict),
  .testTarget(
    name: "AppModelTests",
    dependencies: [
      "AppModel", "Device", "MediaStore", "Persistence", "Playback", "PlaybackTesting", "Transfer", core,
      wire,
      contract,
    ],
    exclude: ["Feed/Goldens", "MessageBar/message-bar.txt"],
    swiftSettings: strict),
  .testTarget(
    name: "TransferTests",
    dependencies: [
      "MediaStore", "Persistence", "Playback", "PlaybackTesting", "Transfer", core, wire, contract,
    ],
    swiftSettings: strict),
  .testTarget(
    name: "JourneyTests",
    dependencies: [
      "AppModel", "Device", "MediaProxy", "MediaStore", "Persistence", "Playback", "PlaybackTesting",
      "Transfer", core, contract,
    ],
    swiftSettings: strict),
  .testTarget(name: "DeviceTests", dependencies: ["Device", core], swiftSettings: strict),
  .testTarget(name: "MediaStoreTests", dependencies: ["MediaStore"], swiftSettings: strict),
  .testTarget(
    name: "MediaProxyTests", dependencies: ["MediaProxy", "MediaStore", "Playback", core, contract],
    swiftSettings: strict),
  .testTarget(
    name: "PersistenceTests", dependencies: ["Persistence", contract], swiftSettings: strict),
  .testTarget(
    name: "PlaybackTests", dependencies: ["MediaStore", "Playback", "PlaybackTesting", core, wire, contract],
    swiftSettings: strict),
]

/// A phone without glass: programs play in its players' place, so it is of no use where none can be started.
#if os(Linux)
  let glassless: [Target] = [
    .executableTarget(
      name: "phone",
      dependencies: [
        "Device", "MediaProxy", "MediaStore", "Persistence", "Playback", core, contract,
      ] + loopback, swiftSettings: strict),
    .executableTarget(
      name: "uploads", dependencies: ["Playback", "Transfer", core, contract], swiftSettings: strict),
    .testTarget(
      name: "phoneTests", dependencies: ["MediaStore", "phone", core], swiftSettings: strict),
  ]
#else
  let glassless: [Target] = []
#endif

/// Targets that import Apple's frameworks (PlayerKit, CaptureKit, Screens): Linux must not see them, or
/// `swift build` would look for AVFoundation there.
#if os(macOS)
  let apple: [Target] = [
    .target(name: "DeviceKit", dependencies: ["AppModel", "Device"], swiftSettings: strict),
    .target(name: "KeychainKit", dependencies: ["AppModel"], swiftSettings: strict),
    .target(
      name: "Screens", dependencies: ["AppModel", "PlayerKit", "Transfer", core, contract],
      swiftSettings: strict),
    .target(name: "SignInKit", dependencies: ["AppModel", contract], swiftSettings: strict),
    .target(name: "PlayerKit", dependencies: ["Playback", "PlayerReports", core], swiftSettings: strict),
    .target(name: "CaptureKit", dependencies: ["AppModel", "PlayerKit", core], swiftSettings: strict),
    .target(name: "TransferKit", dependencies: ["AppModel", "Transfer", core], swiftSettings: strict),
    .target(name: "RemoteNotices", dependencies: ["AppModel"], swiftSettings: strict),
  ]
#else
  let apple: [Target] = []
#endif

let package = Package(
  name: "Kit",
  platforms: [.iOS(.v18), .macOS(.v15)],
  products: [
    .library(name: "Kit", targets: (portable + apple).filter { $0.type == .regular }.map(\.name))
  ],
  dependencies: [
    .package(path: "../../core"),
    .package(path: "../../contract"),
    .package(url: "https://github.com/swhitty/FlyingFox.git", exact: "0.27.1"),
  ],
  targets: portable + apple + glassless + tests
)
