import Foundation
import Redis
import S3Blobs
import Testing

@testable import Composition
@testable import PostgreSQL

/// What goes over a network without protection is said, and a database on it is not trusted without a
/// certificate.
@Suite struct TransportTests {
  @Test(
    arguments: [
      ("0.0.0.0", nil, true), ("::", "http://clips.example", true), ("192.168.1.4", nil, true),
      ("clips.example", nil, true), ("0.0.0.0", "https://clips.example", false), ("127.0.0.1", nil, false),
      ("localhost", nil, false), ("::1", nil, false), ("127.0.0.2", nil, false),
    ] as [(String, String?, Bool)])
  func aServerThatOthersReachWithoutHttpsSaysSo(_ host: String, _ origin: String?, _ isSaid: Bool) {
    let said = UnprotectedTransport.listening(on: host, origin: origin)
    #expect((said != nil) == isSaid)
    if let said { #expect("\(said)".contains("--origin https://")) }
  }

  @Test(arguments: [
    ("redis://127.0.0.1", false), ("redis://localhost:6380/1", false), ("redis://[::1]", false),
    ("redis://cache.example", true), ("redis://10.0.0.7", true), ("rediss://cache.example", false),
  ])
  func aCacheElsewhereWithoutTLSIsSaid(_ address: String, _ isSaid: Bool) throws {
    let said = UnprotectedTransport.cache(try RedisAddress(address, password: "hush"))
    #expect((said != nil) == isSaid)
    #expect("\(said.map { "\($0)" } ?? "")".contains("hush") == false)
    #expect(UnprotectedTransport.cache(nil) == nil)
  }

  @Test(
    arguments: [
      ("http://127.0.0.1:9000", false), ("http://[::1]:9000", false), ("http://minio.example:9000", true),
      ("http://10.0.0.7", true), ("https://minio.example", false), (nil, false),
    ] as [(String?, Bool)])
  func aBucketElsewhereWithoutTLSIsSaid(_ endpoint: String?, _ isSaid: Bool) throws {
    for style in S3Bucket.Style.allCases {
      let bucket = try S3Bucket(
        endpoint: endpoint, name: "clips", style: style, accessKey: "a", secretKey: "b")
      #expect((UnprotectedTransport.storage(.bucket(bucket, .proxy)) != nil) == isSaid)
    }
    #expect(UnprotectedTransport.storage(.folders) == nil)
  }

  // MARK: PostgreSQL

  private func told(_ url: String) throws -> [String: String] {
    try PostgreSQLAddress(url).parameters(PostgreSQLLimits())
  }

  @Test(arguments: [
    "postgres://ann@db.example.org/x", "postgres://ann@10.0.0.7:5433/x", "postgres://ann@[2001:db8::1]/x",
    "postgres://a,127.0.0.1/x", "postgres://127.0.0.1,b/x", "postgres:///x?hostaddr=192.168.0.3",
    "postgres://localhost/x?hostaddr=192.168.0.3",
  ])
  func aDatabaseElsewhereMustShowItsCertificate(_ url: String) throws {
    let told = try told(url)
    #expect(told["sslmode"] == "verify-full")
    // The system's list, unless libpq has one of its own.
    let own = ProcessInfo.processInfo.environment["HOME"].map { "\($0)/.postgresql/root.crt" } ?? ""
    let system = "/etc/ssl/certs/ca-certificates.crt"
    let files = FileManager.default
    let isUsed = files.fileExists(atPath: system) && !files.fileExists(atPath: own)
    #expect(told["sslrootcert"] == (isUsed ? system : nil))
  }

  @Test(arguments: [
    "postgres://localhost/x", "postgres://127.0.0.1:5433/x", "postgres://[::1]/x", "postgres:///x",
    "postgres:///x?host=/var/run/postgresql", "postgres://%2Fvar%2Frun/x", "postgres:///x?service=clips",
  ])
  func aDatabaseOfThisMachineNeedNot(_ url: String) throws {
    #expect(try told(url)["sslmode"] == nil)
  }

  @Test(arguments: ["disable", "prefer", "require", "verify-ca", "verify-full"])
  func theOperatorsOwnWordCounts(_ mode: String) throws {
    #expect(try told("postgres://db.example.org/x?sslmode=\(mode)")["sslmode"] == mode)
    let both = try told("postgres://db.example.org/x?sslmode=verify-full&sslrootcert=/etc/own.crt")
    #expect(both["sslrootcert"] == "/etc/own.crt")
  }
}
