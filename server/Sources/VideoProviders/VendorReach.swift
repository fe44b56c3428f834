internal import Dialing
internal import Generation
internal import Platform

/// Which hosts are asked for a video. A vendor's answer names addresses, and whoever stands behind it, or
/// between, may name anything: this machine, its network, a host that is to be asked by many.
struct VendorReach: Sendable {
  let home: VendorAddress
  private let hosts: [String]
  private let network: OpenNetwork

  /// `hosts`: those that content may come from beside the vendor's own, each as `WebAddress.place`, or with a
  /// full stop in front for all below it. `allowing`: addresses of those that may be asked although they are
  /// not of the open network.
  init(home: VendorAddress, hosts: [String], allowing: [NetworkAddress]) {
    self.home = home
    self.hosts = hosts.map { $0.lowercased() }
    network = OpenNetwork(allowing: allowing)
  }

  /// Whether it is the vendor itself, so that the key may go there.
  func isHome(_ place: WebAddress) -> Bool {
    place.host.hasSameBytes(as: home.place.host) && place.port == home.place.port
      && place.isSecure == home.place.isSecure
  }

  /// All addresses of the host, each of which may be asked. Throws `ProviderFailure`.
  func addresses(of place: WebAddress) async throws -> [NetworkAddress] {
    if isHome(place) {
      let addresses = await Names.addresses(of: place.host)
      guard !addresses.isEmpty else {
        try Task.checkCancellation()
        throw ProviderFailure(.providerError, "its name is not known")
      }
      return addresses
    }
    guard hosts.contains(where: { Self.matches($0, place) }) else {
      throw ProviderFailure(.providerError, "it leads to \(place.place), which is not allowed")
    }
    do {
      return try await network.addresses(of: place)
    } catch let failure as OpenNetwork.Failure {
      switch failure {
      case .unknown: throw ProviderFailure(.providerError, "the name \(place.host) is not known")
      case .closed:
        throw ProviderFailure(.providerError, "it leads to \(place.host), which is not of the open network")
      case .insecure: throw ProviderFailure(.providerError, "it leads to \(place.host) without TLS")
      }
    }
  }

  private static func matches(_ host: String, _ place: WebAddress) -> Bool {
    guard host.starts(withBytesOf: ".") else { return place.place.hasSameBytes(as: host) }
    return place.port == 443 && place.host.ends(withBytesOf: host)
  }
}
