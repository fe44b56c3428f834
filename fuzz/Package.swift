// swift-tools-version: 6.2
import PackageDescription

// Built by scripts/fuzz.sh alone, with `--sanitize=fuzzer`, which brings its own `main`.
let package = Package(
  name: "fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(path: "../contract"),
    .package(path: "../core"),
    .package(path: "../server"),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-http-types.git", exact: "1.8.0", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        .product(name: "Contract", package: "contract"),
        .product(name: "OpenAPI", package: "contract"),
        .product(name: "ClipfeedCoreWire", package: "core"),
        .product(name: "Parsers", package: "server"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .treatAllWarnings(as: .error),
        // NB: without it SwiftPM takes a file for the program's start, which is libFuzzer's.
        .unsafeFlags(["-parse-as-library"]),
      ])
  ]
)
