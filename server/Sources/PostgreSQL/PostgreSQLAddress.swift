internal import CPostgreSQL
internal import Foundation
internal import Platform

/// Which database, as a URL of libpq:
/// `postgres://user@host:5432/name?sslmode=verify-full&sslrootcert=/etc/root.crt`. Several hosts and
/// `target_session_attrs` are libpq's as well.
public struct PostgreSQLAddress: Sendable, Equatable, CustomStringConvertible {
  public struct Invalid: Error, CustomStringConvertible {
    // NB: without libpq's own words, which repeat parts of the address: one of them may be the password.
    public let description =
      "The database's address cannot be read. It looks like postgres://user@host:5432/name?sslmode=verify-full; "
      + "what stands behind the question mark are parameters of libpq."
  }

  private(set) var parameters: [String: String]

  public init(_ url: String) throws {
    guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://"), !url.utf8.contains(0),
      let options = PQconninfoParse(url, nil)
    else { throw Invalid() }
    defer { PQconninfoFree(options) }
    var parameters: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { parameters[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    self.parameters = parameters
  }

  /// The same with a password.
  public func with(password: String) -> PostgreSQLAddress {
    var all = self
    all.parameters["password"] = password
    return all
  }

  /// Whether the address itself holds one.
  public var hasPassword: Bool { parameters["password"] != nil || parameters["sslpassword"] != nil }

  /// Without user and password.
  public var description: String {
    let host = parameters["host"] ?? parameters["hostaddr"] ?? "localhost"
    let port = parameters["port"].map { ":\($0)" } ?? ""
    return "postgres://\(host)\(port)/\(parameters["dbname"] ?? "")"
  }

  /// Whether TLS is demanded though nobody said so.
  var demandsTLS: Bool {
    let environment = ProcessInfo.processInfo.environment
    return parameters["sslmode"] == nil && environment["PGSSLMODE"] == nil && isAcrossNetwork(environment)
  }

  static let demand =
    "(For another machine sslmode is verify-full unless the address says otherwise, such as ?sslmode=disable in a network "
    + "that is yours alone.)"

  /// Whether some host of it is another machine. What a service file of libpq says is the operator's own
  /// choice.
  private func isAcrossNetwork(_ environment: [String: String]) -> Bool {
    guard parameters["service"] == nil, environment["PGSERVICE"] == nil else { return false }
    func list(_ keyword: String, _ variable: String) -> [String] {
      (parameters[keyword] ?? environment[variable] ?? "").utf8.split(separator: UInt8(ascii: ","))
        .map { String(Substring($0)) }
    }
    let numbers = list("hostaddr", "PGHOSTADDR")
    let hosts = numbers.isEmpty ? list("host", "PGHOST") : numbers
    // A path is that of a socket on this machine.
    return hosts.contains { host in
      host.utf8.first != UInt8(ascii: "/") && host.utf8.first != UInt8(ascii: "@")
        && !NetworkAddress.isLoopback(host: host)
    }
  }

  /// The system's list of certificates, unless there is one of libpq's own (`~/.postgresql/root.crt`).
  private static func systemList(_ environment: [String: String]) -> String? {
    let own = environment["HOME"].map { $0 + "/.postgresql/root.crt" }
    let system = "/etc/ssl/certs/ca-certificates.crt"
    let files = FileManager.default
    guard own.map(files.fileExists) != true, files.fileExists(atPath: system) else { return nil }
    return system
  }

  /// What libpq is told: the address, and our own where neither it nor the environment says something.
  func parameters(_ limits: PostgreSQLLimits) -> [String: String] {
    let environment = ProcessInfo.processInfo.environment
    var all = parameters
    func setDefault(_ keyword: String, _ variable: String?, _ value: String) {
      guard all[keyword] == nil, variable.flatMap({ environment[$0] }) == nil else { return }
      all[keyword] = value
    }
    if isAcrossNetwork(environment) {
      // libpq's own standard, prefer, takes any server for ours, and none of TLS if it is told so by whoever
      // stands between.
      setDefault("sslmode", "PGSSLMODE", "verify-full")
      if all["sslmode"]?.hasPrefix("verify-") == true, let list = Self.systemList(environment) {
        setDefault("sslrootcert", "PGSSLROOTCERT", list)
      }
    }
    setDefault("connect_timeout", "PGCONNECT_TIMEOUT", "\(limits.connectSeconds)")
    setDefault("fallback_application_name", nil, "clipfeed")
    // A server that went without a word is known to be gone within a minute, also while nothing is sent.
    setDefault("keepalives_idle", nil, "30")
    setDefault("keepalives_interval", nil, "10")
    setDefault("keepalives_count", nil, "3")
    setDefault("tcp_user_timeout", nil, "30000")
    all["client_encoding"] = "UTF8"
    return all
  }
}

/// How long things may take, and how many there may be.
public struct PostgreSQLLimits: Sendable {
  public var connections = standardConnections
  /// More than a few for each processor of a server that is near only stand in each other's way; see
  /// benchmarks/README.md.
  public static let standardConnections = min(max(2 * ProcessInfo.processInfo.activeProcessorCount, 4), 16)
  /// Who comes when so many wait already is told to come again.
  public var waiting = 512
  /// How long one waits for a connection, in seconds.
  public var patienceSeconds = 5.0
  public var connectSeconds = 5
  public var statementMs = 15_000
  /// Less than `statementMs`, so that it is known what took so long.
  public var lockMs = 10_000
  /// A process that stopped in the middle of a transaction must not keep its locks for ever.
  public var idleInTransactionMs = 30_000
  /// Prepared statements of one connection.
  public var statements = 256
  /// The longest pause between two tries to connect.
  public var pauseSeconds = 2.0

  public init() {}
}
