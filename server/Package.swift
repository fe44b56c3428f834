// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

/// Products of other packages.
extension Target.Dependency {
  static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
  static let asyncHTTPClient = product(name: "AsyncHTTPClient", package: "async-http-client")
  static let clipfeedCore = product(name: "ClipfeedCore", package: "core")
  static let configuration = product(name: "Configuration", package: "swift-configuration")
  static let contract = product(name: "Contract", package: "contract")
  static let coreMetrics = product(name: "CoreMetrics", package: "swift-metrics")
  static let crypto = product(name: "Crypto", package: "swift-crypto")
  static let cryptoExtras = product(name: "CryptoExtras", package: "swift-crypto")
  static let grdb = product(name: "GRDB", package: "GRDB.swift")
  static let grdbSQLite = product(name: "GRDBSQLite", package: "GRDB.swift")
  static let httpTypes = product(name: "HTTPTypes", package: "swift-http-types")
  static let hummingbird = product(name: "Hummingbird", package: "hummingbird")
  static let hummingbirdCore = product(name: "HummingbirdCore", package: "hummingbird")
  static let jwtKit = product(name: "JWTKit", package: "jwt-kit")
  static let logging = product(name: "Logging", package: "swift-log")
  static let nioCore = product(name: "NIOCore", package: "swift-nio")
  static let nioHTTP1 = product(name: "NIOHTTP1", package: "swift-nio")
  static let nioHTTP2 = product(name: "NIOHTTP2", package: "swift-nio-http2")
  static let nioHTTPTypes = product(name: "NIOHTTPTypes", package: "swift-nio-extras")
  static let nioHTTPTypesHTTP1 = product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras")
  static let nioPosix = product(name: "NIOPosix", package: "swift-nio")
  static let nioSSL = product(name: "NIOSSL", package: "swift-nio-ssl")
  static let openAPI = product(name: "OpenAPI", package: "contract")
  static let ranking = product(name: "Ranking", package: "ranking")
  static let rankingJudgement = product(name: "RankingJudgement", package: "ranking")
  static let serviceLifecycle = product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
  static let systemPackage = product(name: "SystemPackage", package: "swift-system")
  static let unixSignals = product(name: "UnixSignals", package: "swift-service-lifecycle")
  static let yams = product(name: "Yams", package: "Yams")
}

// Features know the wire and the platform, nothing else; docs/design/dependencies.md says why each package is
// here.
let floor: [Target.Dependency] = [.contract, "Platform"]

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
  "Sounds",
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

/// A module that knows the wire and the platform.
func module(_ name: String, _ others: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: floor + others, swiftSettings: settings)
}

/// A module that plugs in as a `Feature`, or takes part in one.
func feature(_ name: String, _ others: [Target.Dependency] = []) -> Target {
  module(name, ["Features"] + others)
}

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
      .argumentParser,
      .logging,
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
      name: "Platform", dependencies: [.contract, .coreMetrics, .crypto, .logging], swiftSettings: settings),
    feature("Accounts"),
    module("Videos"),
    // The core's word on which bytes of a file say that AI made it.
    module("Transcoding", [.clipfeedCore]),
    feature("Uploads"),
    feature("Captions"),
    feature("Comments"),
    module("Devices", ["Features", .coreMetrics, .logging]),
    feature("Exports"),
    feature("Feed"),
    module("Features"),
    feature("Generation", [.logging]),
    feature("Messages"),
    feature("Moderation"),
    feature("Notifications"),
    feature("Profiles"),
    module("Recommendations", ["Features", .coreMetrics, .logging, .ranking, .rankingJudgement]),
    feature("Search"),
    feature("Social"),
    module("Sounds"),
    feature("VideosDialect", [.openAPI]),
    feature("Watching"),
    feature("Webhooks"),
    module(
      "HTTPServer",
      [
        "CZlib", .coreMetrics, .hummingbird, .hummingbirdCore, .httpTypes, .logging, .nioCore, .nioHTTP1,
        .nioHTTPTypes, .nioHTTPTypesHTTP1,
      ]),
    module(
      "Gateway",
      [
        "Features", "HTTPServer", .coreMetrics, .openAPI, .hummingbird, .httpTypes, .logging, .nioCore,
        .nioHTTP1, .nioHTTPTypes,
      ]),
    module("Live", ["Features", .coreMetrics, .logging]),
    module("Measuring", [.coreMetrics, .logging]),
    // Adapters
    module("SQLite", [.grdb, .grdbSQLite, .nioPosix]),
    module("PostgreSQL", ["CPostgreSQL", .logging]),
    module("LocalBlobs", [.nioPosix]),
    module("LocalUploads", ["Uploads", .nioPosix]),
    module("S3Blobs", [.asyncHTTPClient, .crypto, .nioCore, .nioHTTP1, .nioPosix]),
    module("Redis", ["CHiredis", .crypto, .logging, .nioCore, .nioPosix, .nioSSL]),
    module("Argon2", ["Accounts", "CArgon2", .nioCore, .nioPosix]),
    module("MailProgram", ["Accounts"]),
    module("JWTAccess", ["Accounts", .jwtKit]),
    module("APNs", ["Devices", .asyncHTTPClient, .jwtKit, .nioCore, .nioHTTP1, .nioSSL]),
    module("WebPush", ["Devices", "Dialing", .asyncHTTPClient, .crypto, .nioCore, .nioHTTP1]),
    module("WebhookClient", ["Dialing", "Webhooks", .asyncHTTPClient, .nioCore, .nioHTTP1]),
    module("VideoProviders", ["Dialing", "Generation", .asyncHTTPClient, .nioCore, .nioHTTP1]),
    .target(
      name: "Dialing", dependencies: ["Platform", .asyncHTTPClient, .nioCore], swiftSettings: settings),
    module("ForeignStreams", ["Dialing", "Transcoding", .asyncHTTPClient, .nioCore, .nioHTTP1]),
    module("ModelServer", ["Dialing", "Recommendations", .asyncHTTPClient, .nioCore, .nioHTTP1]),
    module("WebAuthn", ["Accounts", .crypto, .cryptoExtras]),
    module(
      "OpenIDConnect",
      ["Accounts", "Dialing", .asyncHTTPClient, .crypto, .jwtKit, .logging, .nioCore, .nioHTTP1]),
    module("FFmpeg", ["Captions", "Generation", "Profiles", "Sounds", "Transcoding", .logging]),
    .target(name: "Demo", swiftSettings: settings),
    // A client of other servers: the core's upload machine on the command line
    .target(
      name: "Uploader",
      dependencies: [.contract, .clipfeedCore, .asyncHTTPClient, .crypto, .nioCore, .nioHTTP1],
      swiftSettings: settings),
    // What an instance is told by file and environment
    .target(
      name: "Configured", dependencies: [.configuration, .systemPackage, .yams], swiftSettings: settings),
    .systemLibrary(name: "CHiredis", providers: [.apt(["libhiredis-dev"])]),
    .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    // What runs by itself
    module("Maintenance", ["Features", .logging, .serviceLifecycle]),
    .target(
      name: "Workers", dependencies: ["Platform", .coreMetrics, .logging, .serviceLifecycle],
      swiftSettings: settings),
    // The one composition root
    module("Composition", rooms + ["Maintenance", .coreMetrics, .hummingbird, .logging, .nioCore]),
    // The command line
    module(
      "Options", rooms + ["Composition", "Configured", .coreMetrics, .argumentParser, .hummingbird, .logging]),
    .executableTarget(
      name: "clipfeed",
      dependencies: floor + rooms + [
        "Composition", "Configured", "Demo", "Maintenance", "Options", "Uploader", "Workers",
        .rankingJudgement, .coreMetrics, .argumentParser, .hummingbird, .logging, .nioCore, .serviceLifecycle,
        .unixSignals,
      ],
      swiftSettings: settings
    ),
    // What tests share: time, latches, programs, sockets that play a server
    .target(
      name: "PlatformTesting",
      dependencies: floor + [.crypto, .logging, .nioCore, .nioHTTP1, .nioHTTP2, .nioPosix, .nioSSL],
      path: "Tests/PlatformTesting", swiftSettings: testSettings
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
    tests(of: "Composition", ["Accounts", "Gateway", "PostgreSQL", "Redis", "S3Blobs", .httpTypes]),
    tests(of: "FFmpeg", ["Generation", "Transcoding"]),
    tests(of: "Feed"),
    tests(of: "ForeignStreams", ["Dialing", "Transcoding"]),
    tests(of: "Gateway", ["HTTPServer", .openAPI, .nioCore, .nioHTTP1]),
    tests(of: "HTTPServer", [.logging, .nioCore, .nioPosix]),
    tests(of: "Live"),
    tests(of: "Measuring", ["HTTPServer", .coreMetrics, .hummingbird, .logging, .nioCore]),
    tests(of: "OpenIDConnect", ["Accounts", "Dialing", .asyncHTTPClient, .nioCore]),
    // Options are of the composition root by nature: what they read are its values.
    tests(
      of: "Options",
      [
        "Composition", "Configured", "Generation", "ModelServer", "OpenIDConnect", "Recommendations",
        "S3Blobs", "Uploads", "VideoProviders", .argumentParser, .ranking,
      ]),
    tests(of: "Recommendations", [.coreMetrics, .ranking, .rankingJudgement]),
    tests(of: "ModelServer", ["Recommendations", .nioCore, .nioHTTP1, .nioPosix]),
    tests(of: "Notifications"),
    tests(of: "Profiles"),
    tests(of: "S3Blobs", [.nioHTTP1]),
    tests(of: "Search"),
    tests(of: "Sounds"),
    tests(of: "Transcoding"),
    tests(of: "Videos"),
    tests(of: "Watching"),
    tests(of: "WebAuthn", ["Accounts", .crypto, .cryptoExtras]),
    tests(of: "WebPush", ["Devices", "Dialing", .crypto]),
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
        .openAPI,
        .coreMetrics,
        .asyncHTTPClient,
        .hummingbird,
        .logging,
        .nioCore,
        .nioHTTP1,
        .serviceLifecycle,
      ],
      swiftSettings: testSettings
    ),
    besideServers("PostgreSQLTests", ["PostgreSQL"]),
    besideServers("RedisTests", ["Redis", .nioCore]),
    besideServers(
      "StorageTests",
      ["LocalUploads", "S3Blobs", "SQLite", "Uploads", "Videos", .asyncHTTPClient, .nioCore, .nioHTTP1]),
    besideServers(
      "EndToEndTests",
      rooms + [
        "Maintenance", "Workers", .openAPI, .coreMetrics, .httpTypes, .hummingbird, .nioCore, .ranking,
        .rankingJudgement, .serviceLifecycle,
      ]),
  ])
