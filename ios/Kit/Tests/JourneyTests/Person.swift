import AppModel
import Contract
import Foundation
import Playback
import PlaybackTesting
import Synchronization

/// No provider is set up at the server of these tests.
@MainActor final class NoVisits: ProviderVisiting {
  func canVisit(_ provider: SignInProvider) -> Bool { false }
  func answer(of provider: SignInProvider, _ start: SignInStart) async throws -> SignInAnswer {
    throw CancellationError()
  }
}

/// No passkey of this app's is known at the server of these tests.
@MainActor final class NoKeys: PasskeyPort {
  func canUse(_ site: String) -> Bool { false }
  func make(_ order: PasskeyOrder) async throws -> MadePasskey { throw PasskeyFault.unusable }
  func sign(_ challenge: Data, of site: String, isSecond: Bool) async throws -> PasskeySignature {
    throw PasskeyFault.unusable
  }
}

/// Somebody with a phone of their own, at the server of `CLIPFEED_URL`: `guest()`, or `member()` who has
/// signed up. `scripts/ios-journeys.sh` starts that server, with three clips in its feed.
///
/// Each has an address of their own, so that nobody's limits are used up by others.
@MainActor struct Person {
  static let password = "three green kettles"
  private static let count = Mutex(0)

  let signIn: SignInHost
  let store: MemoryCredentialStore
  let wire: WatchedTransport
  let handle: String

  var client: Client { Client(transport: signIn) }

  static func guest() throws -> Person { try Person(MemoryCredentialStore()) }

  static func member() async throws -> Person {
    let person = try guest()
    _ = try await person.client.signUp(
      NewAccount(handle: person.handle, password: password, transport: .token))
    return person
  }

  /// The same phone, on which the app is started anew; `later` by its own clock, in seconds.
  func restarted(later: TimeInterval = 0, from kept: Data? = nil) throws -> Person {
    try Person(kept.map { MemoryCredentialStore($0) } ?? store, as: handle, later: later)
  }

  private init(
    _ store: MemoryCredentialStore, as handle: String? = nil, later: TimeInterval = 0
  ) throws {
    let number = Self.count.withLock {
      $0 += 1
      return $0
    }
    self.store = store
    // Unlike anybody's of an earlier run at the same server.
    self.handle = handle ?? "p\(number).\(UUID().uuidString.prefix(8).lowercased())"
    wire = WatchedTransport(
      HTTPTransport(base: try Self.server()), address: "10.9.\(number / 250).\(number % 250 + 1)")
    signIn = SignInHost(
      over: wire, store: store, clock: SystemClock(), client: "Clipfeed/1.0 (iPhone; iOS 18.0)",
      wallClock: { Date().addingTimeInterval(later) })
  }

  /// Where the server is. Throws `NoServer`.
  static func server() throws -> URL {
    guard let text = ProcessInfo.processInfo.environment["CLIPFEED_URL"], let url = URL(string: text) else {
      throw NoServer()
    }
    return url
  }
}

struct NoServer: Error, CustomStringConvertible {
  let description =
    "CLIPFEED_URL names no server. bash scripts/ios-journeys.sh starts one and runs these tests."
}

/// What a phone sends, and from where.
final class WatchedTransport: Contract.Transport {
  private let transport: HTTPTransport
  private let address: String
  private let sent = Mutex<[WireRequest]>([])

  init(_ transport: HTTPTransport, address: String) {
    self.transport = transport
    self.address = address
  }

  deinit { transport.invalidate() }

  /// All requests so far, as the server got them.
  var requests: [WireRequest] { sent.withLock { $0 } }

  func send(_ request: WireRequest) async throws -> WireResponse {
    sent.withLock { $0.append(request) }
    var request = request
    request.headers["x-forwarded-for"] = address
    return try await transport.send(request)
  }
}

extension Person {
  /// The file of `CLIPFEED_CLIP`, a second of video, with bytes of its own behind it: the same content twice is
  /// one clip.
  static func drawnClip() throws -> Data {
    guard let path = ProcessInfo.processInfo.environment["CLIPFEED_CLIP"],
      var bytes = FileManager.default.contents(atPath: path)
    else { throw NoServer() }
    // A box of the file that no player reads.
    bytes += [0, 0, 0, 24] + Data("free".utf8) + Data(UUID().uuidString.utf8.prefix(16))
    return bytes
  }

  /// Uploads as the app does: a guest is known from then on, and owns the clip. Answers the upload's id once
  /// its bytes are there and are to be published.
  func upload(_ bytes: Data, _ caption: String) async throws -> String {
    let new = NewUpload(
      sizeBytes: bytes.count, sha256: try Self.hash(of: bytes), type: "video/mp4",
      details: ClipDetails(caption: caption))
    let created = try await wireAnswer(
      WireRequest(
        "POST", Route.uploads.path(),
        headers: ["content-type": "application/json", "idempotency-key": UUID().uuidString],
        body: try WireCoding.encode(new)))
    let id = try WireCoding.decode(UploadStatus.self, from: created.body).id
    _ = try await wireAnswer(
      WireRequest(
        "PATCH", Route.upload.path(id),
        headers: ["content-type": "application/offset+octet-stream", "upload-offset": "0"], body: bytes))
    _ = try await wireAnswer(WireRequest("POST", Route.uploadCommit.path(id)))
    return id
  }

  private static func hash(of bytes: Data) throws -> String {
    let folder = TemporaryFolder()
    let file = folder.url.appending(path: "bytes")
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    try bytes.write(to: file)
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/sha256sum")
    process.arguments = [file.path]
    process.standardOutput = output
    try process.run()
    let line = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: line.prefix(64), as: UTF8.self)
  }

  private func wireAnswer(_ request: WireRequest) async throws -> WireResponse {
    let response = try await signIn.send(request)
    if response.status >= 400 { throw try WireCoding.decode(Problem.self, from: response.body) }
    return response
  }
}
