internal import Gateway
internal import Platform

extension Instance {
  /// Counted from the first start at which the site can be https: until then all cookies have plain names.
  func cookiePrefixes(
    mayBeSecure: Bool, _ time: any TimeSource
  ) async throws -> CookiePrefixes {
    guard mayBeSecure else { return CookiePrefixes(sinceMs: time.nowMs, time: time) }
    let since = try await settings.value("cookie_prefixes_since_ms") { "\(time.nowMs)" }
    return CookiePrefixes(sinceMs: SafeInteger.read(since).map(Int64.init) ?? 0, time: time)
  }
}
