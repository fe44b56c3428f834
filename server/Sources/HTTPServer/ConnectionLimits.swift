internal import NIOCore
internal import Synchronization

/// How many connections there may be: in all, since each takes a descriptor, and from one address (of IPv6 a
/// /64), so that one cannot take them all.
///
/// When there is no room, the connection that has been idle for longest makes some: its client connects again
/// without noticing.
public final class ConnectionLimits: Sendable {
  /// Descriptors that are not for connections: files of media and uploads, the database, pipes.
  public static let reservedDescriptors = 512

  private struct State {
    var places: [ObjectIdentifier: ConnectionPlace] = [:]
    /// By `AddressNetwork`.
    var ofAddress: [String: Int] = [:]
    /// Those that had been idle for longest when they were last looked for, the longest last, with when they
    /// became so.
    var candidates: [(place: ConnectionPlace, since: UInt64)] = []
  }

  /// How many that are idle are found with one look at all of them.
  private static let candidates = 64

  private let most: Int
  private let ofOneAddress: Int?
  private let state = Mutex(State())

  /// `ofOneAddress`: nil where all connections come from proxies.
  public init(most: Int = 10_000, ofOneAddress: Int? = 256) {
    self.most = most
    self.ofOneAddress = ofOneAddress
  }

  /// For so many descriptors of the process.
  public convenience init(descriptors: Int, ofOneAddress: Int?) {
    // Two for each: the connection's, and a file that it sends or receives.
    self.init(most: max(64, (descriptors - Self.reservedDescriptors) / 2), ofOneAddress: ofOneAddress)
  }

  var count: Int { state.withLock { $0.places.count } }

  /// How many rest between two requests.
  var idleCount: Int { state.withLock { $0.places.values.count(where: { $0.idleSince != nil }) } }

  /// Nil: there is no room.
  func admit(_ channel: any Channel, from address: String) -> ConnectionPlace? {
    let address = AddressNetwork.of(address)
    let (place, longestIdle) = state.withLock { state -> (ConnectionPlace?, ConnectionPlace?) in
      if let ofOneAddress, state.ofAddress[address, default: 0] >= ofOneAddress { return (nil, nil) }
      let longestIdle = state.places.count >= most ? Self.takeLongestIdle(&state) : nil
      guard state.places.count < most else { return (nil, nil) }
      let place = ConnectionPlace(channel)
      state.places[ObjectIdentifier(place)] = place
      state.ofAddress[address, default: 0] += 1
      return (place, longestIdle)
    }
    longestIdle?.channel.close(promise: nil)
    guard let place else { return nil }
    channel.closeFuture.whenComplete { [self] _ in leave(place, address) }
    return place
  }

  private func leave(_ place: ConnectionPlace, _ address: String) {
    state.withLock { state in
      state.places[ObjectIdentifier(place)] = nil
      let left = state.ofAddress[address, default: 1] - 1
      state.ofAddress[address] = left > 0 ? left : nil
    }
  }

  /// Its place is free at once; its channel may take a moment to close.
  private static func takeLongestIdle(_ state: inout State) -> ConnectionPlace? {
    for isSecondLook in [false, true] {
      while let (place, since) = state.candidates.popLast() {
        let isAsItWas = place.idleSince == since && state.places[ObjectIdentifier(place)] != nil
        guard isAsItWas else { continue }
        state.places[ObjectIdentifier(place)] = nil
        return place
      }
      if isSecondLook { break }
      state.candidates = state.places.values.compactMap { place in place.idleSince.map { (place, $0) } }
        .sorted { $0.since < $1.since }.prefix(candidates).reversed()
    }
    return nil
  }
}

/// One connection among all.
final class ConnectionPlace: Sendable {
  fileprivate let channel: any Channel
  /// By the clock that never goes back, in ns; 0: a request or its answer is on its way.
  private let since: Atomic<UInt64>

  fileprivate init(_ channel: any Channel) {
    self.channel = channel
    since = Atomic(NIODeadline.now().uptimeNanoseconds)
  }

  fileprivate var idleSince: UInt64? {
    let since = since.load(ordering: .relaxed)
    return since == 0 ? nil : since
  }

  func isIdle() { since.store(NIODeadline.now().uptimeNanoseconds, ordering: .relaxed) }

  func isBusy() { since.store(0, ordering: .relaxed) }
}
