internal import Dialing
public import Platform
internal import Synchronization

/// Who is asked at all. A list that a stranger wrote may name anything: this machine, its network, a host
/// that answers with an address of either, or one host for everybody to ask at once.
public final class StreamReach: Sendable {
  /// As `WebAddress.place`.
  private let places: Set<String>
  private let network: OpenNetwork
  /// What was found and allowed. A host keeps its addresses for as long as this lives: one answer is checked,
  /// and that one is connected to.
  private let known = Mutex<[String: [NetworkAddress]]>([:])

  /// `places`: hosts, each with `:PORT` where that is not the one of https. `addresses`: those that may be
  /// asked although they are not of the open network.
  public convenience init(places: [String], addresses: [NetworkAddress]) {
    self.init(places: places, addresses: addresses, lookUp: Names.addresses)
  }

  init(
    places: [String], addresses: [NetworkAddress],
    lookUp: @escaping @Sendable (String) async -> [NetworkAddress]
  ) {
    self.places = Set(places.map { $0.lowercased() })
    network = OpenNetwork(allowing: addresses, lookUp: lookUp)
  }

  /// All addresses of the host, each of which may be asked. Throws `StreamFailure`.
  func addresses(of place: WebAddress) async throws -> [NetworkAddress] {
    guard places.contains(place.place) else {
      throw StreamFailure("the host \(place.place) is not allowed; add it with --allow-host \(place.place)")
    }
    do {
      let found = try await network.addresses(of: place, found: known.withLock { $0[place.host] })
      known.withLock { $0[place.host] = found }
      return found
    } catch let failure as OpenNetwork.Failure {
      switch failure {
      case .unknown: throw StreamFailure("the host \(place.host) is not known")
      case .closed(let address):
        throw StreamFailure(
          "\(place.host) is at \(address), which is no address of the open network; if it is meant, add "
            + "--allow-address \(address)")
      case .insecure: throw StreamFailure("only https is taken, and http from this machine: \(place)")
      }
    }
  }
}

/// Why something could not be fetched, for a person.
public struct StreamFailure: Error, Equatable, CustomStringConvertible {
  public let description: String
  /// A smaller rendition of the same might do.
  var isSize = false

  init(_ description: String, isSize: Bool = false) {
    self.description = description
    self.isSize = isSize
  }
}
