import Contract
import CoreTypes
import Foundation
import Playback
import Synchronization
import Transfer
import Upload

/// The upload interface in memory, with what uploads-on-the-wire.md promises of it: keys, offsets, one commit.
final class MemoryServer: Contract.Transport, UploadTransport {
  struct Held: Sendable {
    let id: String
    let key: String
    let new: NewUpload
    var bytes = Data()
    var details: ClipDetails
    var isCommitted = false
    var polls = 0
    var isTerminated = false
  }

  struct State: Sendable {
    var uploads: [Held] = []
    var requests: [String] = []
    var credentials: [String] = []
    /// What the next requests are answered instead, the first one first; `nil`: nothing at all.
    var answers: [WireResponse?] = []
    /// Bytes of a part that arrive before the connection breaks; of so many parts.
    var cuts: [Int] = []
    /// The same for changes of what is said about a clip.
    var changeAnswers: [WireResponse?] = []
    var refusal: UploadProblem?
    var largest = 256 * 1024
  }

  let state = Mutex(State())
  /// Holds changes of what is said about a clip while it is closed.
  let changes = Barrier()

  var uploads: [Held] { state.withLock { $0.uploads } }
  var committed: [Held] { uploads.filter(\.isCommitted) }
  var requests: [String] { state.withLock { $0.requests } }

  func abortEarlier() async {}

  func send(_ part: PartUpload, sent: @escaping @Sendable (Int) -> Void) async throws -> WireResponse {
    let body = try Data(contentsOf: part.body)
    let cut = state.withLock { state -> Int? in
      state.credentials.append(part.headers["Authorization"] ?? "")
      return state.cuts.isEmpty ? nil : state.cuts.removeFirst()
    }
    var headers: [String: String] = [:]
    for (name, value) in part.headers { headers[name.lowercased()] = value }
    let request = WireRequest(
      part.method, part.url.path, headers: headers, body: cut.map { body.prefix($0) } ?? body)
    let response = try await send(request)
    sent(request.body?.count ?? 0)
    if cut != nil { throw URLError(.networkConnectionLost) }
    return response
  }

  func send(_ request: WireRequest) async throws -> WireResponse {
    let isChange = request.headers["content-type"] == "application/merge-patch+json"
    if isChange { await changes.pass() }
    return try state.withLock { state in
      let words = request.target.split(separator: "/").map(String.init)
      state.requests.append(
        ([request.method] + words.dropFirst(3).map { $0.hasPrefix("u-") ? "ID" : $0 }).joined(separator: " "))
      if !state.answers.isEmpty {
        guard let answer = state.answers.removeFirst() else { throw URLError(.cannotConnectToHost) }
        return answer
      }
      if isChange, !state.changeAnswers.isEmpty {
        guard let answer = state.changeAnswers.removeFirst() else { throw URLError(.cannotConnectToHost) }
        return answer
      }
      if request.method == "POST", words.count == 3 { return try Self.create(request, &state) }
      guard words.count >= 4, let index = state.uploads.firstIndex(where: { $0.id == words[3] }),
        !state.uploads[index].isTerminated
      else { return try Self.problem(.uploadNotFound) }
      switch (request.method, words.count, request.headers["content-type"]) {
      case ("PATCH", 4, "application/offset+octet-stream"):
        return try Self.append(request, &state, index)
      case ("PATCH", 4, _):
        let patch = try WireCoding.decode(ClipDetails.self, from: request.body ?? Data())
        state.uploads[index].details.caption = patch.caption ?? state.uploads[index].details.caption
        state.uploads[index].details.coverMs = patch.coverMs ?? state.uploads[index].details.coverMs
        state.uploads[index].details.visibility = patch.visibility ?? state.uploads[index].details.visibility
        return try Self.status(&state, index)
      case ("POST", 5, _):
        guard state.uploads[index].bytes.count == state.uploads[index].new.sizeBytes else {
          return try Self.problem(.uploadIncomplete)
        }
        guard FoldHash.hex(state.uploads[index].bytes) == state.uploads[index].new.sha256 else {
          state.uploads[index].bytes = Data()
          return try Self.problem(.uploadHashMismatch)
        }
        state.uploads[index].isCommitted = true
        return try Self.status(&state, index)
      case ("HEAD", _, _): return WireResponse(status: 204, headers: [:], body: Data())
      case ("DELETE", _, _):
        if state.uploads[index].isCommitted { return try Self.problem(.uploadClosed) }
        state.uploads[index].isTerminated = true
        return WireResponse(status: 204, headers: [:], body: Data())
      default: return try Self.status(&state, index)
      }
    }
  }

  private static func create(_ request: WireRequest, _ state: inout State) throws -> WireResponse {
    let key = request.headers["idempotency-key"] ?? ""
    let guest = request.headers["cookie"] ?? "clipfeed_guest=\(state.uploads.count)"
    let name = key + guest
    let index = state.uploads.firstIndex { $0.key == name }
    if index == nil {
      let new = try WireCoding.decode(NewUpload.self, from: request.body ?? Data())
      state.uploads.append(
        Held(id: "u-\(state.uploads.count)", key: name, new: new, details: new.details))
    }
    if let index, state.uploads[index].isTerminated { return try problem(.uploadNotFound) }
    var response = try status(&state, index ?? state.uploads.count - 1)
    response.headers["set-cookie"] = "\(guest); Path=/; HttpOnly"
    return response
  }

  private static func append(
    _ request: WireRequest, _ state: inout State, _ index: Int
  ) throws -> WireResponse {
    let held = state.uploads[index]
    guard !held.isCommitted else { return try problem(.uploadClosed) }
    guard request.headers["upload-offset"] == String(held.bytes.count) else {
      var response = try problem(.uploadOffsetMismatch)
      response.headers["upload-offset"] = String(held.bytes.count)
      return response
    }
    state.uploads[index].bytes.append(request.body ?? Data())
    let offset = String(state.uploads[index].bytes.count)
    return WireResponse(status: 204, headers: ["upload-offset": offset], body: Data())
  }

  private static func status(_ state: inout State, _ index: Int) throws -> WireResponse {
    let held = state.uploads[index]
    if held.isCommitted { state.uploads[index].polls += 1 }
    let ended: UploadStatus.State = state.refusal == nil ? .published : .refused
    let step: UploadStatus.State =
      held.isCommitted ? (state.uploads[index].polls > 1 ? ended : .processing) : .receiving
    let status = UploadStatus(
      id: held.id, state: step, offset: held.bytes.count, sizeBytes: held.new.sizeBytes, expiresAt: nil,
      details: held.details, parts: PartLimits(minimumBytes: 0, maximumBytes: state.largest),
      clip: held.isCommitted ? UploadedClip(id: "clip-\(index)", step: "transcoding", permille: 500) : nil,
      problem: step == .refused ? state.refusal : nil)
    return WireResponse(status: 200, headers: [:], body: try WireCoding.encode(status))
  }

  static func problem(_ code: ErrorCode) throws -> WireResponse {
    WireResponse(
      status: code.status, headers: [:], body: try WireCoding.encode(Problem(code, requestID: "1")))
  }
}

/// Whoever comes while it is closed waits.
final class Barrier: Sendable {
  private let state = Mutex<(isClosed: Bool, held: [CheckedContinuation<Void, Never>])>((false, []))

  var held: Int { state.withLock { $0.held.count } }

  func close() { state.withLock { $0.isClosed = true } }

  func open() {
    let held = state.withLock { state in
      state.isClosed = false
      defer { state.held = [] }
      return state.held
    }
    for one in held { one.resume() }
  }

  func pass() async {
    await withCheckedContinuation { continuation in
      let isClosed = state.withLock { state in
        if state.isClosed { state.held.append(continuation) }
        return state.isClosed
      }
      if !isClosed { continuation.resume() }
    }
  }
}

/// 32 bytes that tell contents apart, in place of SHA-256.
struct FoldHash: ContentHash {
  private var words: [UInt64] = [1, 2, 3, 4]

  mutating func update(_ bytes: Data) {
    for byte in bytes {
      words[0] = (words[0] ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
    for index in 1..<4 { words[index] = words[0] &* UInt64(index) }
  }

  mutating func finish() -> [UInt8] {
    words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) } }
  }

  static func hex(_ bytes: Data) -> String {
    var hash = FoldHash()
    hash.update(bytes)
    return hash.finish().map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}

/// A clock that tests set, and that rings when they say so.
@MainActor final class BedsideClock: HostClock {
  private(set) var now = Instant(0)
  private var alarm: (at: Instant, ring: @MainActor () -> Void)?

  func wake(at instant: Instant, _ ring: @escaping @MainActor () -> Void) { alarm = (instant, ring) }

  func ring() {
    guard let (at, ring) = alarm else { return }
    alarm = nil
    now = max(now, at)
    ring()
  }

  func advance(_ time: Milliseconds) { now = now + time }
}

/// Makes files of the size that it is told to.
struct MadeSmaller: Compressor {
  let bytes: Data
  var fails = false

  func compress(
    _ source: URL, of size: Bytes, to target: URL, wanted: Bytes,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws {
    progress(0.5)
    if fails { throw CancellationError() }
    try bytes.write(to: target)
  }
}

struct MadeShorter: Trimmer {
  let bytes: Data

  func trim(
    _ source: URL, _ part: Range<Milliseconds>, to target: URL,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws {
    try bytes.write(to: target)
  }
}
