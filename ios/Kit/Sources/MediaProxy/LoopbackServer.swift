internal import CoreTypes
internal import FlyingFox
internal import FlyingSocks
internal import Foundation
public import MediaStore
public import Playback
internal import Synchronization

/// Serves clips to this device's players as HLS, from what the session's host has stored and still fetches.
///
/// Only this device can connect (127.0.0.1), and only who knows the secret in the path is answered. It writes
/// the playlists of each load itself and fetches nothing: a request waits until the core has decided for the
/// segment, and streams while it comes. It refuses to know why something comes, and who plays.
@MainActor public final class LoopbackServer: MediaAddressing {
  /// A segment may be as long in coming as a link is dead; a player that went away leaves a request that
  /// waits no longer than this.
  private static let patience: TimeInterval = 300

  public var onStale: ((MediaLoad) -> Void)?
  private let table: LoadTable
  private let counts: ProxyCounts
  private let secret: String
  private var server: HTTPServer?
  private var run: Task<Void, any Error>?
  /// The one that players were given. The same after every start, unless somebody else has taken it.
  public private(set) var port: UInt16

  /// `port`: that of last time, 0 if there was none. `served` runs when the last byte of an answer has been
  /// handed on, not on the main actor.
  public init(
    memory: SegmentMemory, port: UInt16 = 0, secret: String = LoopbackServer.makeSecret(),
    served: @escaping @Sendable (ServedSegment) -> Void = { _ in }
  ) {
    table = LoadTable(memory: memory)
    counts = ProxyCounts(served: served)
    self.secret = secret
    self.port = port
  }

  /// 128 bits that nobody guesses.
  public nonisolated static func makeSecret() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in String(random.next() as UInt64 | 1 << 63, radix: 16) }.joined()
  }

  public var usage: ProxyUsage { counts.current }

  /// Begins to listen. iOS closes the sockets of an app that sleeps: `stop` when it goes to the background,
  /// and this again when it comes back, keeps the port.
  public func start() async throws {
    guard server == nil else { return }
    let before = port
    do {
      try await listen(on: port)
    } catch  where port != 0 {
      try await listen(on: 0)
    }
    // Players were given addresses that nobody answers at any more.
    if before != 0, before != port { for load in table.open { reportStale(load) } }
  }

  /// The app comes back: listens again if the system has closed the socket meanwhile. Where it has not, since
  /// a window played on, nothing is cut off.
  public func revive() async throws {
    if server != nil, await answers() { return }
    await stop()
    try await start()
  }

  private func answers() async -> Bool {
    guard let address = try? sockaddr_in.inet(ip4: "127.0.0.1", port: port),
      let socket = try? await AsyncSocket.connected(to: address, timeout: 1)
    else { return false }
    try? socket.close()
    return true
  }

  public func stop() async {
    await server?.stop(timeout: 0)
    _ = await run?.result
    server = nil
    run = nil
  }

  public func open(_ clip: FeedClip) -> MediaLoad {
    let number = table.open(ProxiedClip(item: clip.item.rawValue, renditions: clip.renditions))
    return MediaLoad(number: number, address: address(number))
  }

  public func close(_ load: MediaLoad) { table.close(load.number) }

  private func address(_ load: Int) -> URL {
    URL(string: "http://127.0.0.1:\(port)/\(secret)/\(load)/index.m3u8")!
  }

  private func listen(on port: UInt16) async throws {
    let handler = ProxyHandler(secret: secret, table: table, counts: counts) { [weak self] load in
      Task { @MainActor in self?.reportStale(load) }
    }
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: port), timeout: Self.patience,
      logger: .disabled, handler: handler)
    let isOver = Latch()
    let run = Task {
      defer { isOver.set() }
      try await server.run()
    }
    // NB: its own wait does not hear that the port is taken.
    while await !server.isListening {
      if isOver.isSet {
        try await run.value
        throw SocketError.disconnected
      }
      try await Task.sleep(for: .milliseconds(1))
    }
    guard case .ip4(_, let bound) = await server.listeningAddress else { throw SocketError.disconnected }
    self.server = server
    self.run = run
    self.port = bound
  }

  private func reportStale(_ load: Int) {
    guard table.clip(load) != nil else { return }
    onStale?(MediaLoad(number: load, address: address(load)))
  }
}

/// Set once.
private final class Latch: Sendable {
  private let state = Mutex(false)

  var isSet: Bool { state.withLock { $0 } }

  func set() { state.withLock { $0 = true } }
}
