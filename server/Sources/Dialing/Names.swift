public import Platform

/// Names of hosts.
public enum Names {
  /// Many may hang before a host that answers has to wait: at a name server that says nothing a lookup takes
  /// half a minute, and whoever asked for it has gone long before.
  private static let lookups = NameLookups(most: 64) { NetworkAddress.all(of: $0) }

  /// All addresses of a name or number; none if it is not known, or the task is cancelled. Waits for the
  /// network, on no thread of ours.
  public static func addresses(of host: String) async -> [NetworkAddress] {
    await lookups.addresses(of: host)
  }
}
