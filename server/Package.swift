// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

// Features know the wire and the platform, nothing else; docs/design/dependencies.md says why each package is here.
let floor: [Target.Dependency] = [.product(name: "Contract", package: "contract"), "Platform"]

let package = Package(
  name: "server",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "clipfeed", targets: ["clipfeed"])],
  dependencies: [
    .package(path: "../contract"),
    .package(path: "../core"),
    // Without its default traits Hummingbird pulls in neither swift-configuration nor full Foundation.
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.28.1", traits: []),
    .package(url: "https://github.com/groue/GRDB.swift.git", exact: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser.git", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto.git", exact: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0", traits: []),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.2"),
    .package(url: "https://github.com/swift-server/async-http-client.git", exact: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
  ],
  targets: [
    // Rooms
    .target(
      name: "Platform",
      dependencies: [
        .product(name: "Contract", package: "contract"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings
    ),
    .target(name: "Videos", dependencies: floor, swiftSettings: settings),
    .target(name: "Transcoding", dependencies: floor, swiftSettings: settings),
    .target(name: "Uploads", dependencies: floor, swiftSettings: settings),
    .target(name: "Captions", dependencies: floor, swiftSettings: settings),
    .target(name: "Comments", dependencies: floor, swiftSettings: settings),
    .target(name: "Feed", dependencies: floor, swiftSettings: settings),
    .target(
      name: "Gateway",
      dependencies: floor + [
        "CZlib",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
      ],
      swiftSettings: settings
    ),
    // Adapters
    .target(
      name: "SQLite",
      dependencies: floor + [.product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: settings
    ),
    .target(
      name: "PostgreSQL",
      dependencies: floor + ["CPostgreSQL", .product(name: "Logging", package: "swift-log")],
      swiftSettings: settings
    ),
    .target(
      name: "LocalBlobs",
      dependencies: floor + [.product(name: "NIOPosix", package: "swift-nio")],
      swiftSettings: settings
    ),
    .target(
      name: "LocalUploads",
      dependencies: floor + ["Uploads", .product(name: "NIOPosix", package: "swift-nio")],
      swiftSettings: settings
    ),
    .target(
      name: "S3Blobs",
      dependencies: floor + [
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: settings
    ),
    .target(name: "FFmpeg", dependencies: floor + ["Captions", "Transcoding"], swiftSettings: settings),
    .target(name: "Demo", swiftSettings: settings),
    // A client of other servers: the core's upload machine on the command line
    .target(
      name: "Uploader",
      dependencies: [
        .product(name: "Contract", package: "contract"),
        .product(name: "ClipfeedCore", package: "core"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: settings
    ),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    // The one composition root
    .executableTarget(
      name: "clipfeed",
      dependencies: floor + [
        "Videos", "Transcoding", "Uploads", "Feed", "Captions", "Comments", "Gateway", "SQLite", "LocalBlobs",
        "LocalUploads", "S3Blobs", "PostgreSQL",
        "FFmpeg", "Demo", "Uploader",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "ServerTests",
      dependencies: floor + [
        "Videos", "Transcoding", "Uploads", "Feed", "Captions", "Comments", "Gateway", "SQLite", "LocalBlobs",
        "LocalUploads", "S3Blobs", "PostgreSQL", "FFmpeg", "clipfeed",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings
    ),
  ]
)
