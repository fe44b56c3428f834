// swift-tools-version: 6.2
import PackageDescription

/// Every target of every Clipfeed package is built with these.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "ios-tools",
  targets: [
    .target(name: "Declared", swiftSettings: strict),
    .executableTarget(name: "DeclarationCheck", dependencies: ["Declared"], swiftSettings: strict),
    .executableTarget(name: "FactDerivation", dependencies: ["Declared"], swiftSettings: strict),
    .target(name: "XcodeProject", swiftSettings: strict),
    .executableTarget(name: "ProjectGeneration", dependencies: ["XcodeProject"], swiftSettings: strict),
    .target(name: "Mutants", swiftSettings: strict),
    .executableTarget(name: "MutantRun", dependencies: ["Mutants"], swiftSettings: strict),
    .systemLibrary(name: "CZlib"),
    .executableTarget(name: "IconDrawing", dependencies: ["CZlib"], swiftSettings: strict),
    .testTarget(name: "XcodeProjectTests", dependencies: ["XcodeProject"], swiftSettings: strict),
    .testTarget(name: "MutantsTests", dependencies: ["Mutants"], swiftSettings: strict),
    .testTarget(name: "DeclaredTests", dependencies: ["Declared"], swiftSettings: strict),
  ]
)
