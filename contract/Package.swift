// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "contract",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [.library(name: "Contract", targets: ["Contract"])],
  targets: [
    .target(name: "Contract", swiftSettings: settings),
    .testTarget(name: "ContractTests", dependencies: ["Contract"], swiftSettings: settings),
  ]
)
