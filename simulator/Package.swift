// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let core: Target.Dependency = .product(name: "ClipfeedCore", package: "core")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "simulator",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Simulation", targets: ["Simulation"]),
    .executable(name: "simulate", targets: ["simulate"]),
    .executable(name: "fit", targets: ["fit"]),
    .executable(name: "clipfeed-policy", targets: ["clipfeed-policy"]),
  ],
  dependencies: [
    .package(path: "../core"),
    .package(url: "https://github.com/apple/swift-argument-parser.git", exact: "1.8.2"),
  ],
  targets: [
    .target(name: "Simulation", dependencies: [core], swiftSettings: settings),
    .executableTarget(
      name: "simulate", dependencies: ["Simulation", core, arguments], swiftSettings: settings),
    .executableTarget(name: "fit", dependencies: ["Simulation", core, arguments], swiftSettings: settings),
    .target(name: "PolicyBridge", dependencies: [core], swiftSettings: settings),
    .executableTarget(
      name: "clipfeed-policy", dependencies: ["PolicyBridge", core], swiftSettings: settings),
    .testTarget(
      name: "PolicyBridgeTests", dependencies: ["PolicyBridge", core], swiftSettings: settings),
    .testTarget(name: "SimulationTests", dependencies: ["Simulation", core], swiftSettings: settings),
  ]
)
