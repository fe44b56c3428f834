internal import Contract
internal import OpenAPI
internal import Platform

/// Which bucket a request takes a token of, as its operation says. Guesses at a password are counted beside
/// it, by whom they are about (`Call.guessing`).
enum RouteLimit: Sendable, Equatable {
  case free
  case caller(TokenBucket)
  case address(TokenBucket)
  case viewer(TokenBucket)
  case upload(TokenBucket)

  /// Nil: an address that nobody has thought about, so nobody may write there.
  static func rule(for route: Route, _ method: String, _ operation: Operation?) -> RouteLimit? {
    switch operation?.limit {
    case .caller(let kind)?: return .caller(TokenBucket(kind))
    case .address(let kind)?: return .address(TokenBucket(kind))
    case .viewer(let kind)?: return .viewer(TokenBucket(kind))
    case .upload(let kind)?: return .upload(TokenBucket(kind))
    case .free?, nil: break
    }
    // A provider sends people there by a form; it is no operation of the API.
    if route == .signInReturn, method == "POST" { return .address(TokenBucket(.signInReturns)) }
    return ["GET", "HEAD", "OPTIONS"].contains(method) ? .free : nil
  }
}

extension TokenBucket {
  init(_ limit: Operation.RateClass) {
    self.init(limit.name, burst: limit.burst, intervalMs: limit.intervalMs)
  }

  // Of one upload.
  static let uploadPieces = TokenBucket("upload-pieces", burst: 300, intervalMs: 100)

  /// For all accounts of one address.
  var shared: TokenBucket {
    TokenBucket("\(name)-shared", burst: burst * 10, intervalMs: max(1, intervalMs / 10))
  }

  /// For all addresses of a network.
  func widened(by factor: Int64) -> TokenBucket {
    TokenBucket("\(name)-of-\(factor)", burst: burst * factor, intervalMs: max(1, intervalMs / factor))
  }
}
