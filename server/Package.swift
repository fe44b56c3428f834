// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

// Features know the wire and the platform, nothing else; docs/design/dependencies.md says why each package is
// here.
let floor: [Target.Dependency] = [.product(name: "Contract", package: "contract"), "Platform"]

// What the composition root is made of, and tests look into.
let rooms: [Target.Dependency] = [
  "APNs",
  "Accounts",
  "Argon2",
  "Captions",
  "Comments",
  "Devices",
  "Dialing",
  "Exports",
  "Features",
  "FFmpeg",
  "Feed",
  "ForeignStreams",
  "Gateway",
  "Generation",
  "HTTPServer",
  "JWTAccess",
  "Live",
  "LocalBlobs",
  "LocalUploads",
  "MailProgram",
  "Measuring",
  "Messages",
  "ModelServer",
  "Moderation",
  "Notifications",
  "OpenIDConnect",
  "PostgreSQL",
  "Profiles",
  "Recommendations",
  "Redis",
  "S3Blobs",
  "SQLite",
  "Search",
  "Social",
  "Transcoding",
  "Uploads",
  "VideoProviders",
  "Videos",
  "VideosDialect",
  "Watching",
  "WebAuthn",
  "WebPush",
  "WebhookClient",
  "Webhooks",
]

// The numbers of tests are our own: what Platform hides from the server (NumberTraps.swift) is a warning there.
let testSettings = settings + [.treatWarning("DeprecatedDeclaration", as: .warning)]

/// Tests of a module by itself, in seconds: without an instance, a server beside them or ffmpeg.
func tests(of name: String, _ others: [Target.Dependency] = []) -> Target {
  let itself: [Target.Dependency] = name == "Platform" ? [] : [.target(name: name)]
  return .testTarget(
    name: name + "Tests", dependencies: floor + itself + ["PlatformTesting"] + others,
    swiftSettings: testSettings)
}

/// Tests that need an instance, or a real server beside them.
func besideServers(_ name: String, _ others: [Target.Dependency]) -> Target {
  .testTarget(
    name: name,
    dependencies: floor + others + [
      "Composition", "Configured", "Options", "PlatformTesting", "ServerTesting",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
      .product(name: "Logging", package: "swift-log"),
    ],
    swiftSettings: testSettings)
}

let package = Package(
  name: "server",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "clipfeed", targets: ["clipfeed"]),
    // What reads bytes of strangers, for `make fuzz`.
    .library(
      name: "Parsers",
      targets: [
        "Accounts", "Captions", "Exports", "FFmpeg", "Gateway", "HTTPServer", "OpenIDConnect", "Platform",
        "Profiles", "Transcoding", "Videos", "WebAuthn",
      ]),
  ],
  dependencies: [
    .package(path: "../contract"),
    .package(path: "../core"),
    .package(path: "../ranking"),
    // Without its default traits Hummingbird pulls in neither swift-configuration nor full Foundation.
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.28.1", traits: []),
    .package(url: "https://github.com/groue/GRDB.swift.git", exact: "7.10.0"),
    .package(url: "https://github.com/vapor/jwt-kit.git", exact: "5.7.1"),
    .package(url: "https://github.com/apple/swift-argument-parser.git", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-configuration.git", exact: "1.4.0", traits: ["YAML"]),
    .package(url: "https://github.com/apple/swift-crypto.git", exact: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types.git", exact: "1.8.0", traits: []),
    .package(url: "https://github.com/apple/swift-log.git", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics.git", exact: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras.git", exact: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-http2.git", exact: "1.46.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", exact: "2.37.6"),
    .package(url: "https://github.com/apple/swift-system.git", exact: "1.8.1"),
    .package(url: "https://github.com/jpsim/Yams.git", exact: "6.2.2"),
    .package(url: "https://github.com/swift-server/async-http-client.git", exact: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", exact: "2.13.0"),
  ],
  targets: [
    // Rooms
    .target(
      name: "Platform",
      dependencies: [
        .product(name: "Contract", package: "contract"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings
    ),
    .target(name: "Accounts", dependencies: floor + ["Features"], swiftSettings: settings),
    .target(name: "Videos", dependencies: floor, swiftSettings: settings),
    .target(name: "Transcoding", dependencies: floor, swiftSettings: settings),
    .target(name: "Uploads", dependencies: floor + ["Features"], swiftSettings: settings),
    .target(name: "Captions", dependencies: floor + ["Features"], swiftSettings: settings),
    .target(name: "Comments", dependencies: floor + ["Features"], swiftSettings: settings),
    .target(
      name: "Devices",
      dependencies: floor + [
        "Features",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings
    ),
    .target(name: "Exports", dependencies: floor + ["Features"], swiftSettings: settings),
    .target(name: "Feed", dependencies: floor + ["Features"], swiftSettings: settings),
    .target(name: "Features", dependencies: floor, swiftSettings: settings),
    .target(
      name: "Generation",
      dependencies: floor + ["Features", .product(name: "Logging", package: "swift-log")],
      swiftSettings: settings
    ),
    .target(name: "Messages", dependencies: floor + ["Features"], swiftSettings: settings),
    .target(name: "Moderation", dependencies: floor + ["Features"], swiftSettings: settings),
    .target(name: "Notifications", dependencies: floor + ["Features"], swiftSettings: settings),
    .target(name: "Profiles", dependencies: floor + ["Features"], swiftSettings: settings),
    .target(
      name: "Recommendations",
      dependencies: floor + [
        "Features",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Ranking", package: "ranking"),
        .product(name: "RankingJudgement", package: "ranking"),
      ],
      swiftSettings: settings
    ),
    .target(name: "Search", dependencies: floor + ["Features"], swiftSettings: settings),
    .target(name: "Social", dependencies: floor + ["Features"], swiftSettings: settings),
    .target(
      name: "VideosDialect",
      dependencies: floor + ["Features", .product(name: "OpenAPI", package: "contract")],
      swiftSettings: settings
    ),
    .target(name: "Watching", dependencies: floor + ["Features"], swiftSettings: settings),
    .target(name: "Webhooks", dependencies: floor + ["Features"], swiftSettings: settings),
    .target(
      name: "HTTPServer",
      dependencies: floor + [
        "CZlib",
        .product(name: "CoreMetrics", package: "swift-metrics"),
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
    .target(
      name: "Gateway",
      dependencies: floor + [
        "Features",
        "HTTPServer",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "OpenAPI", package: "contract"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "Live",
      dependencies: floor + [
        "Features",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "Measuring",
      dependencies: floor + [
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings
    ),
    // Adapters
    .target(
      name: "SQLite",
      dependencies: floor + [
        .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
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
    .target(
      name: "Redis",
      dependencies: floor + [
        "CHiredis",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "Argon2",
      dependencies: floor + [
        "Accounts", "CArgon2", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: settings
    ),
    .target(name: "MailProgram", dependencies: floor + ["Accounts"], swiftSettings: settings),
    .target(
      name: "JWTAccess", dependencies: floor + ["Accounts", .product(name: "JWTKit", package: "jwt-kit")],
      swiftSettings: settings
    ),
    .target(
      name: "APNs",
      dependencies: floor + [
        "Devices",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "JWTKit", package: "jwt-kit"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "WebPush",
      dependencies: floor + [
        "Devices", "Dialing",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "WebhookClient",
      dependencies: floor + [
        "Dialing", "Webhooks",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "VideoProviders",
      dependencies: floor + [
        "Dialing", "Generation",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "Dialing",
      dependencies: [
        "Platform", .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "ForeignStreams",
      dependencies: floor + [
        "Dialing", "Transcoding",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "ModelServer",
      dependencies: floor + [
        "Dialing", "Recommendations",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "WebAuthn",
      dependencies: floor + [
        "Accounts", .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "OpenIDConnect",
      dependencies: floor + [
        "Accounts", "Dialing",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "JWTKit", package: "jwt-kit"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "FFmpeg",
      dependencies: floor + [
        "Captions", "Generation", "Profiles", "Transcoding",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings
    ),
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
    // What an instance is told by file and environment
    .target(
      name: "Configured",
      dependencies: [
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "SystemPackage", package: "swift-system"),
        .product(name: "Yams", package: "Yams"),
      ],
      swiftSettings: settings
    ),
    .systemLibrary(name: "CHiredis", providers: [.apt(["libhiredis-dev"])]),
    .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    // What runs by itself
    .target(
      name: "Maintenance",
      dependencies: floor + [
        "Features",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "Workers",
      dependencies: [
        "Platform",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings
    ),
    // The one composition root
    .target(
      name: "Composition",
      dependencies: floor + rooms + [
        "Maintenance",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
      ],
      swiftSettings: settings
    ),
    // The command line
    .target(
      name: "Options",
      dependencies: floor + rooms + [
        "Composition", "Configured",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "clipfeed",
      dependencies: floor + rooms + [
        "Composition", "Configured", "Demo", "Maintenance", "Options", "Uploader", "Workers",
        .product(name: "RankingJudgement", package: "ranking"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings
    ),
    // What tests share: time, latches, programs, sockets that play a server
    .target(
      name: "PlatformTesting",
      dependencies: floor + [
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTP2", package: "swift-nio-http2"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ], path: "Tests/PlatformTesting", swiftSettings: testSettings
    ),
    tests(of: "APNs", ["Devices"]),
    tests(of: "Generation"),
    tests(of: "VideoProviders", ["Generation"]),
    tests(of: "VideosDialect"),
    tests(of: "Platform"),
    tests(of: "Accounts", ["Argon2", "MailProgram"]),
    tests(of: "Captions"),
    tests(of: "Comments"),
    tests(of: "Exports"),
    tests(
      of: "Composition",
      [
        "Accounts", "Gateway", "PostgreSQL", "Redis", "S3Blobs",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]),
    tests(of: "FFmpeg", ["Generation", "Transcoding"]),
    tests(of: "Feed"),
    tests(of: "ForeignStreams", ["Dialing", "Transcoding"]),
    tests(
      of: "Gateway",
      [
        "HTTPServer",
        .product(name: "OpenAPI", package: "contract"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ]),
    tests(
      of: "HTTPServer",
      [
        .product(name: "Logging", package: "swift-log"), .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    tests(of: "Live"),
    tests(
      of: "Measuring",
      [
        "HTTPServer",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
      ]),
    tests(
      of: "OpenIDConnect",
      [
        "Accounts", "Dialing",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
      ]),
    // Options are of the composition root by nature: what they read are its values.
    tests(
      of: "Options",
      [
        "Composition", "Configured", "Generation", "ModelServer", "OpenIDConnect", "Recommendations",
        "S3Blobs",
        "Uploads", "VideoProviders",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Ranking", package: "ranking"),
      ]),
    tests(
      of: "Recommendations",
      [
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Ranking", package: "ranking"),
        .product(name: "RankingJudgement", package: "ranking"),
      ]),
    tests(
      of: "ModelServer",
      [
        "Recommendations",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    tests(of: "Notifications"),
    tests(of: "Profiles"),
    tests(of: "S3Blobs", [.product(name: "NIOHTTP1", package: "swift-nio")]),
    tests(of: "Search"),
    tests(of: "Transcoding"),
    tests(of: "Videos"),
    tests(of: "Watching"),
    tests(
      of: "WebAuthn",
      [
        "Accounts", .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ]),
    tests(
      of: "WebPush",
      ["Devices", "Dialing", .product(name: "Crypto", package: "swift-crypto")]),
    tests(of: "WebhookClient", ["Webhooks"]),
    tests(of: "Webhooks"),
    tests(of: "Workers"),
    // Instances and servers to test with, and the contract of each port. A test target, since it looks into
    // modules: no build for people knows of it, and nothing but tests can import it.
    .testTarget(
      name: "ServerTesting",
      dependencies: floor + rooms + [
        // Tests run it.
        "clipfeed", "Composition", "PlatformTesting",
        .product(name: "OpenAPI", package: "contract"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: testSettings
    ),
    besideServers("PostgreSQLTests", ["PostgreSQL"]),
    besideServers("RedisTests", ["Redis", .product(name: "NIOCore", package: "swift-nio")]),
    besideServers(
      "StorageTests",
      [
        "LocalUploads", "S3Blobs", "SQLite", "Uploads", "Videos",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ]),
    besideServers(
      "EndToEndTests",
      rooms + [
        "Maintenance", "Workers",
        .product(name: "OpenAPI", package: "contract"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "Ranking", package: "ranking"),
        .product(name: "RankingJudgement", package: "ranking"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
  ]
)
