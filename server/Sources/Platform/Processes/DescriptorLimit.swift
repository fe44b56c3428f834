internal import Glibc

/// How many descriptors this process may have: files, pipes and connections.
public enum DescriptorLimit {
  /// More than any machine's connections; some systems say "no limit" by a number that needs gigabytes.
  private static let most = rlim_t(1 << 20)

  /// Raises the limit to what the system allows (systemd and shells begin with 1024), and answers what it is
  /// then.
  @discardableResult
  public static func raise() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
    let wanted = min(limit.rlim_max, most)
    if limit.rlim_cur < wanted {
      let before = limit.rlim_cur
      limit.rlim_cur = wanted
      if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 { limit.rlim_cur = before }
    }
    return Int(clamping: min(limit.rlim_cur, most))
  }
}
