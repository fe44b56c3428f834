internal import Dialing
internal import Platform

/// Which addresses of a provider are asked: a name that a stranger's document chose may lead anywhere, also
/// to what listens on this machine or in its network alone and trusts whoever can reach it.
enum ProviderReach: Sendable {
  /// Those of the open network.
  case open
  /// This machine's as well: the operator wrote it down so.
  case machine
  /// All: the operator says that the provider is in an inner network.
  case inner

  func allows(_ address: NetworkAddress) -> Bool {
    address.isPublic || self == .inner || (self == .machine && address.isLoopback)
  }

  /// The addresses of a host, all of which may be asked. Throws `ProviderClient.Failed`.
  func addresses(of host: String) async throws -> [NetworkAddress] {
    let all = await Names.addresses(of: host)
    guard !all.isEmpty else {
      try Task.checkCancellation()
      throw ProviderClient.Failed(description: "its name \(host) is not known")
    }
    for address in all where !allows(address) {
      throw ProviderClient.Failed(
        description: "\(host) is at \(address), which is no address of the open network; if it is meant, say "
          + "sign-in-…-inner: on")
    }
    return all
  }
}
