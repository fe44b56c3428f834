internal import NIOCore
internal import Synchronization

/// How many connections there may be: in all, since each takes a descriptor, and from one address, so that one cannot take them all.
///
/// When there is no room, the connection that has been idle for longest makes some: its client connects again without noticing.
public final class ConnectionLimits: Sendable {
  /// Descriptors that are not for connections: files of media and uploads, the database, pipes.
  public static let reservedDescriptors = 512

  private struct State {
    var count = 0
    var ofAddress: [String: Int] = [:]
    /// Connections between two requests, by a number that grows.
    var idle: [Int: any Channel] = [:]
    /// These numbers, in order; those that are idle no more are passed over.
    var order: [Int] = []
    var head = 0
    var next = 0
  }

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

  var count: Int { state.withLock { $0.count } }

  /// Nil: there is no room.
  func admit(_ channel: any Channel, from address: String) -> ConnectionPlace? {
    let (isAdmitted, longestIdle) = state.withLock { state -> (Bool, (any Channel)?) in
      if let ofOneAddress, state.ofAddress[address, default: 0] >= ofOneAddress { return (false, nil) }
      let room = state.count >= most ? Self.takeLongestIdle(&state) : nil
      guard state.count < most || room != nil else { return (false, nil) }
      state.count += 1
      state.ofAddress[address, default: 0] += 1
      return (true, room)
    }
    longestIdle?.close(promise: nil)
    guard isAdmitted else { return nil }
    channel.closeFuture.whenComplete { [self] _ in leave(address) }
    return ConnectionPlace(limits: self, channel: channel)
  }

  private func leave(_ address: String) {
    state.withLock { state in
      state.count -= 1
      let left = state.ofAddress[address, default: 1] - 1
      state.ofAddress[address] = left > 0 ? left : nil
    }
  }

  private static func takeLongestIdle(_ state: inout State) -> (any Channel)? {
    while state.head < state.order.count {
      let number = state.order[state.head]
      state.head += 1
      if let channel = state.idle.removeValue(forKey: number) { return channel }
    }
    return nil
  }

  fileprivate func becameIdle(_ channel: any Channel) -> Int {
    state.withLock { state in
      state.next += 1
      state.idle[state.next] = channel
      state.order.append(state.next)
      // Those that were passed over are let go of now and then.
      if state.order.count > 2 * state.idle.count + 1024 {
        state.order = state.order[state.head...].filter { state.idle[$0] != nil }
        state.head = 0
      }
      return state.next
    }
  }

  fileprivate func becameBusy(_ number: Int) {
    state.withLock { _ = $0.idle.removeValue(forKey: number) }
  }
}

/// One connection among all. NB: of its event loop alone.
final class ConnectionPlace {
  private let limits: ConnectionLimits
  private let channel: any Channel
  private var number: Int?

  fileprivate init(limits: ConnectionLimits, channel: any Channel) {
    self.limits = limits
    self.channel = channel
    isIdle()
    let place = NIOLoopBound(self, eventLoop: channel.eventLoop)
    channel.closeFuture.whenComplete { _ in place.value.isBusy() }
  }

  func isIdle() { if number == nil { number = limits.becameIdle(channel) } }

  func isBusy() {
    if let number { limits.becameBusy(number) }
    number = nil
  }
}
