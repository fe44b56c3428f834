internal import Foundation

/// Which bucket, where, and by whose right. Checked when it is made, so that whatever speaks to the bucket
/// later finds nothing to doubt.
public struct S3Bucket: Sendable, Equatable, CustomStringConvertible {
  /// How the bucket is named in an address: in the path, which any service takes, or in the host name, which
  /// Amazon wants.
  public enum Style: String, Sendable, CaseIterable { case path, virtual }

  /// Why a setting cannot be used, as a sentence.
  public struct Invalid: Error, Equatable, CustomStringConvertible {
    public let description: String
  }

  /// `http` or `https`.
  let scheme: String
  /// With the port if it is not the scheme's own, and with the bucket if the style is `virtual`.
  let host: String
  /// Where the service is, without port and bucket.
  public let server: String
  public var hasTLS: Bool { scheme == "https" }
  let name: String
  let style: Style
  /// Nothing, or a path that ends with a slash.
  let prefix: String
  let signer: SigV4

  public init(
    endpoint: String? = nil, name: String, region: String = "us-east-1", style: Style? = nil,
    prefix: String = "", accessKey: String, secretKey: String, sessionToken: String? = nil
  ) throws {
    let inBucketNames = Set("abcdefghijklmnopqrstuvwxyz0123456789.-".utf8)
    guard (3...63).contains(name.utf8.count), name.utf8.allSatisfy(inBucketNames.contains) else {
      throw Invalid(description: "A bucket's name has 3 to 63 lower-case letters, digits, dots and hyphens.")
    }
    guard !region.isEmpty, region.utf8.allSatisfy(Self.isPlain) else {
      throw Invalid(description: "The region has letters, digits and hyphens, such as us-east-1.")
    }
    guard let url = URLComponents(string: endpoint ?? "https://s3.\(region).amazonaws.com"),
      let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme), let host = url.host,
      !host.isEmpty, ["", "/"].contains(url.path), url.query == nil, url.user == nil, url.fragment == nil
    else {
      throw Invalid(description: "The endpoint is an address without a path, such as https://s3.example.com.")
    }
    let trimmed = prefix.split(separator: "/")
    guard prefix.utf8.allSatisfy({ Self.isPlain($0) || $0 == UInt8(ascii: "/") }), prefix.utf8.count <= 200,
      !trimmed.contains("."), !trimmed.contains("..")
    else {
      throw Invalid(description: "The prefix has letters, digits, dots, hyphens, underscores and slashes.")
    }
    // Header lines would end, and signatures fail to match, at anything but visible characters.
    guard
      [accessKey, secretKey, sessionToken ?? "-"].allSatisfy({
        !$0.isEmpty && $0.utf8.allSatisfy { (33...126).contains($0) }
      }),
      !accessKey.contains("/")
    else {
      throw Invalid(description: "Access key and secret key must be given, without spaces.")
    }
    self.scheme = scheme
    self.name = name
    // A custom endpoint rarely has a host name, and a certificate, for each bucket.
    self.style = style ?? (endpoint == nil ? .virtual : .path)
    let isOwnPort = url.port == nil || url.port == (scheme == "https" ? 443 : 80)
    self.server = host
    let place = isOwnPort ? host : "\(host):\(url.port ?? 0)"
    self.host = self.style == .virtual ? "\(name).\(place)" : place
    self.prefix = trimmed.map { "\($0)/" }.joined()
    signer = SigV4(
      credentials: .init(accessKey: accessKey, secretKey: secretKey, sessionToken: sessionToken),
      region: region)
  }

  /// The same bucket, further down.
  public func under(_ folder: String) -> S3Bucket { S3Bucket(self, prefix: "\(prefix)\(folder)/") }

  private init(_ other: S3Bucket, prefix: String) {
    scheme = other.scheme
    host = other.host
    server = other.server
    name = other.name
    style = other.style
    signer = other.signer
    self.prefix = prefix
  }

  var origin: String { "\(scheme)://\(host)" }

  /// The path of an object, or of the bucket itself, percent-encoded.
  func path(_ key: String?) -> String {
    let object = SigV4.encoded(key ?? "", keepingSlashes: true)
    return style == .virtual ? "/\(object)" : key == nil ? "/\(name)" : "/\(name)/\(object)"
  }

  /// Says where, never by which right.
  public var description: String { "bucket \(name) at \(origin)\(prefix.isEmpty ? "" : ", under \(prefix)")" }

  public static func == (left: S3Bucket, right: S3Bucket) -> Bool {
    left.origin == right.origin && left.name == right.name && left.style == right.style
      && left.prefix == right.prefix && left.signer.credentials == right.signer.credentials
      && left.signer.region == right.signer.region
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
