public import Platform

/// Which addresses that strangers name are asked at all: those of the open network, by https. Anything else
/// is this machine or its network, which answers to us and not to them.
///
/// NB: names are looked up here, and the connection goes to what was found (`PinnedClients`): a name may lead
/// elsewhere the next time.
public struct OpenNetwork: Sendable {
  public enum Failure: Error, Sendable, Equatable {
    /// The name leads nowhere.
    case unknown
    /// It leads here, among others.
    case closed(NetworkAddress)
    /// It is no https, and not on this machine.
    case insecure
  }

  private let allowed: Set<NetworkAddress>
  private let lookUp: @Sendable (String) async -> [NetworkAddress]

  /// `allowing`: addresses that may be asked although they are not of the open network. One of this machine
  /// may be asked by http then.
  public init(
    allowing allowed: [NetworkAddress],
    lookUp: @escaping @Sendable (String) async -> [NetworkAddress] = Names.addresses
  ) {
    self.allowed = Set(allowed)
    self.lookUp = lookUp
  }

  /// All addresses of the host, each of which may be asked. `found`: what was found before, which is kept.
  /// Throws `Failure`, or that the task is cancelled.
  public func addresses(
    of place: WebAddress, found: [NetworkAddress]? = nil
  ) async throws -> [NetworkAddress] {
    let all: [NetworkAddress]
    if let found { all = found } else { all = await lookUp(place.host) }
    guard !all.isEmpty else {
      try Task.checkCancellation()
      throw Failure.unknown
    }
    // NB: all of them: which one answers is chosen later.
    for address in all where !address.isPublic && !allowed.contains(address) { throw Failure.closed(address) }
    guard place.isSecure || all.allSatisfy({ $0.isLoopback }) else { throw Failure.insecure }
    return all
  }

  /// False for what can be told without a look at names: no https where it has to be, a number of an address
  /// that is not of the open network, this machine by its name.
  public func mayBeAsked(_ place: WebAddress) -> Bool {
    let mayBeHere = allowed.contains { $0.isLoopback }
    guard let address = NetworkAddress(place.host) else {
      return NetworkAddress.isLoopback(host: place.host) ? mayBeHere : place.isSecure
    }
    guard address.isPublic || allowed.contains(address) else { return false }
    return place.isSecure || address.isLoopback
  }
}
