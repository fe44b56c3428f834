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
  products: [
    .library(name: "Contract", targets: ["Contract"]),
    // For who serves or checks the document; clients need none of it.
    .library(name: "OpenAPI", targets: ["OpenAPI"]),
  ],
  targets: [
    .target(name: "Contract", swiftSettings: settings),
    .target(name: "OpenAPI", dependencies: ["Contract"], swiftSettings: settings),
    .testTarget(name: "ContractTests", dependencies: ["Contract"], swiftSettings: settings),
    .testTarget(name: "OpenAPITests", dependencies: ["Contract", "OpenAPI"], swiftSettings: settings),
  ]
)
