import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Platform
import Testing

@testable import S3Blobs

/// The real S3 server that `scripts/lib/s3-server.sh` runs beside the tests. Each store has a prefix of its
/// own.
enum S3Server {
  struct Missing: Error, CustomStringConvertible {
    let description =
      "No S3 server: run these tests with bash scripts/lib/s3-server.sh swift test … (make test does)."
  }

  static func setting(_ name: String) throws -> String {
    guard let value = ProcessInfo.processInfo.environment["CLIPFEED_TEST_S3_\(name)"] else { throw Missing() }
    return value
  }

  static func bucket(
    style: S3Bucket.Style = .path, prefix: String = UUID().uuidString, name: String? = nil,
    secretKey: String? = nil, endpoint: String? = nil
  ) throws -> S3Bucket {
    let port = try #require(URLComponents(string: try setting("ENDPOINT"))?.port)
    let byName = "http://\(try setting("DOMAIN")):\(port)"
    return try S3Bucket(
      endpoint: endpoint ?? (style == .virtual ? byName : try setting("ENDPOINT")),
      name: name ?? setting("BUCKET"), region: setting("REGION"), style: style, prefix: prefix,
      accessKey: setting("ACCESS_KEY"), secretKey: secretKey ?? setting("SECRET_KEY"))
  }

  static func store(style: S3Bucket.Style = .path, time: any TimeSource = SystemTime()) throws -> S3Blobs {
    let bucket = try bucket(style: style)
    return S3Blobs(bucket: bucket, time: time, http: style == .virtual ? byName : S3Client.shared)
  }

  /// What a visitor does with an address of the bucket, again if the connection ends: the server may end a
  /// kept one at the moment in which it is used again, and one on which it refused a body that it has not
  /// read.
  static func execute(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
    for _ in 1..<5 {
      do {
        return try await visitor.execute(request, timeout: .seconds(60))
      } catch is ChannelError {
      } catch is HTTPParserError {
      } catch is IOError {
      } catch let error as HTTPClientError where error == .remoteConnectionClosed {}
    }
    return try await visitor.execute(request, timeout: .seconds(60))
  }

  /// None of its connections is the server's under test.
  private static let visitor = HTTPClient(configuration: S3Client.configuration())

  /// No name server knows the test server's buckets.
  private static let byName: HTTPClient = {
    var configuration = S3Client.configuration()
    let environment = ProcessInfo.processInfo.environment
    if let bucket = environment["CLIPFEED_TEST_S3_BUCKET"],
      let domain = environment["CLIPFEED_TEST_S3_DOMAIN"]
    {
      configuration.dnsOverride = ["\(bucket).\(domain)": "127.0.0.1"]
    }
    return HTTPClient(configuration: configuration)
  }()
}

/// A clock that stands where it is set, this far from the real one.
struct WrongTime: TimeSource {
  let offsetMs: Int64
  var nowMs: Int64 { SystemTime().nowMs + offsetMs }
}
