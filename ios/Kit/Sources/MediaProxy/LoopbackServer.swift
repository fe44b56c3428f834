internal import Contract
internal import CoreTypes
internal import FlyingFox
internal import FlyingSocks
public import Foundation
public import MediaStore
public import Playback

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Serves clips to this device's players as HLS, from what the session's host has stored and still fetches.
///
/// Only this device can connect (127.0.0.1), and only who knows the secret in the path is answered. It writes
/// the playlists of each load itself and fetches nothing: a request waits until the core has decided for the
/// segment, and streams while it comes. It refuses to know why something comes, and who plays.
@MainActor public final class LoopbackServer: MediaListening {
  public var onStale: ((MediaLoad) -> Void)?
  private let table: LoadTable
  private let counts: ProxyCounts
  private let secret: String
  private let origin: URL?
  private let disk: DiskStore?
  private var run: Task<Void, any Error>?
  private var reviving: Task<Void, any Error>?
  /// The one that players were given. The same after every start, unless somebody else has taken it.
  public private(set) var port: UInt16

  /// `port`: that of last time, 0 if there was none. `origin`: the instance, to whose captions players are
  /// sent, where `disk` does not have them; `nil`, and no captions are named. `served` runs when the last
  /// byte of an answer has been handed on, not on the main actor.
  public init(
    memory: SegmentMemory, port: UInt16 = 0, origin: URL? = nil, disk: DiskStore? = nil,
    secret: String = LoopbackServer.makeSecret(),
    served: @escaping @Sendable (ServedSegment) -> Void = { _ in }
  ) {
    table = LoadTable(memory: memory)
    counts = ProxyCounts(served: served)
    self.secret = secret
    self.origin = origin
    self.disk = disk
    self.port = port
  }

  /// 128 bits that nobody guesses.
  public nonisolated static func makeSecret() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in String(random.next() as UInt64 | 1 << 63, radix: 16) }.joined()
  }

  public var usage: ProxyUsage { counts.current }

  public func start() throws {
    guard run == nil else { return }
    let before = port
    try listenAgain()
    // Players were given addresses that nobody answers at any more.
    if before != port { reportAllStale() }
  }

  private func listenAgain() throws {
    do {
      try listen(on: port)
    } catch  where port != 0 {
      try listen(on: 0)
    }
  }

  private func reportAllStale() { for load in table.open { reportStale(load) } }

  public func revive() async throws {
    // Two at once would listen twice.
    let reviving = reviving ?? Task { [weak self] in try await self?.listenIfSilent() }
    self.reviving = reviving
    defer { if self.reviving == reviving { self.reviving = nil } }
    try await reviving.value
  }

  private func listenIfSilent() async throws {
    if run != nil, await answers() { return }
    await hangUp()
    try Task.checkCancellation()
    try listenAgain()
    // What players asked for meanwhile was refused, and they do not ask again.
    reportAllStale()
  }

  private func answers() async -> Bool {
    guard let address = try? sockaddr_in.inet(ip4: "127.0.0.1", port: port),
      let socket = try? await AsyncSocket.connected(to: address, timeout: 1)
    else { return false }
    try? socket.close()
    return true
  }

  public func stop() async {
    // NB: or what is being revived would listen after the stop.
    reviving?.cancel()
    _ = await reviving?.result
    reviving = nil
    await hangUp()
  }

  private func hangUp() async {
    run?.cancel()
    _ = await run?.result
    run = nil
  }

  public func open(_ clip: FeedClip) -> MediaLoad {
    let captions = origin.map { origin in clip.captions.compactMap { ProxiedCaptions($0, base: origin) } }
    let number = table.open(
      ProxiedClip(
        item: clip.item.rawValue, renditions: clip.renditions, diskName: clip.diskName,
        captions: captions ?? []))
    return MediaLoad(number: number, address: address(number))
  }

  public func close(_ load: MediaLoad) { table.close(load.number) }

  private func address(_ load: Int) -> URL {
    URL(string: "http://127.0.0.1:\(port)/\(secret)/\(load)/index.m3u8")!
  }

  /// NB: nothing is awaited. Whoever connects before the pool is ready waits in the socket's own queue.
  private func listen(on port: UInt16) throws {
    let handler = ProxyHandler(secret: secret, table: table, counts: counts, disk: disk) { [weak self] load in
      Task { @MainActor in self?.reportStale(load) }
    }
    let pool = HTTPServer.defaultPool()
    let socket = try Socket(domain: AF_INET)
    do {
      try socket.setValue(true, for: .localAddressReuse)
      #if canImport(Darwin)
        try socket.setValue(true, for: .noSIGPIPE)
      #endif
      try socket.bind(to: .inet(ip4: "127.0.0.1", port: port))
      try socket.listen()
      guard case .ip4(_, let bound) = try socket.sockname() else { throw SocketError.unsupportedAddress }
      self.port = bound
    } catch {
      try? socket.close()
      throw error
    }
    let listener = try AsyncSocket(socket: socket, pool: pool)
    let connections = HTTPConnections(handler: handler)
    run = Task {
      defer { try? socket.close() }
      try await pool.prepare()
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await pool.run() }
        group.addTask { try await connections.serve(listener) }
        try await group.next()
      }
    }
  }

  private func reportStale(_ load: Int) {
    guard table.clip(load) != nil else { return }
    onStale?(MediaLoad(number: load, address: address(load)))
  }
}
