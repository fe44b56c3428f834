internal import Foundation

/// Where a Redis is, `redis://[user:password@]host[:port][/number]`, and `rediss://` with TLS. Its
/// description has no secret in it.
public struct RedisAddress: Sendable, Equatable, CustomStringConvertible {
  public static let defaultPort = 6379

  public let host: String
  public let port: Int
  public let database: Int
  public let user: String?
  public let password: String?
  public let hasTLS: Bool
  /// A file of certificates by which the server's is judged, beside the system's list.
  public let authorities: String?

  public struct Invalid: Error, CustomStringConvertible {
    public let description: String
  }

  /// `password` counts if the address has none.
  public init(_ text: String, password: String? = nil, authorities: String? = nil) throws {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme,
      ["redis", "rediss"].contains(scheme), let host = parts.host, !host.isEmpty,
      parts.query == nil, parts.fragment == nil, (1...65535).contains(parts.port ?? Self.defaultPort)
    else {
      throw Invalid(
        description:
          "the address must be redis://host:port or rediss://host:port, with /number for a database"
      )
    }
    let path = parts.path.drop { $0 == "/" }
    guard let database = path.isEmpty ? 0 : Int(path), (0...65535).contains(database) else {
      throw Invalid(description: "what follows the port must be the number of a database")
    }
    // An address of IPv6 stands in brackets.
    self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    port = parts.port ?? Self.defaultPort
    self.database = database
    user = parts.user.flatMap { $0.isEmpty ? nil : $0 }
    self.password = parts.password.flatMap { $0.isEmpty ? nil : $0 } ?? password
    hasTLS = scheme == "rediss"
    self.authorities = authorities
  }

  public var description: String {
    let shown = host.contains(":") ? "[\(host)]" : host
    return "\(hasTLS ? "rediss" : "redis")://\(shown):\(port)" + (database == 0 ? "" : "/\(database)")
  }
}
