// swift-tools-version: 6.2
import PackageDescription

// The floor of `make bench-load`: what the framework answers by itself. The same version and traits as the server's.
let package = Package(
  name: "hello",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.28.1", traits: [])
  ],
  targets: [
    .executableTarget(
      name: "hello", dependencies: [.product(name: "Hummingbird", package: "hummingbird")],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
  ]
)
