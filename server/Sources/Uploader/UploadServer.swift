internal import AsyncHTTPClient
internal import Contract
internal import CoreTypes
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import Upload

/// The server's side of an upload, as requests: what the machine asks for goes out, and what came back is
/// told in the machine's own words. It decides nothing and remembers nothing but the upload's address.
struct UploadServer: Sendable {
  /// Between two pieces of a body, how much is read and sent at once.
  static let pieceSize = 64 * 1024

  let base: URL
  let http: HTTPClient
  let guest: GuestMemory

  /// What the server said of an upload, or why it said nothing.
  enum Answer: Sendable {
    case state(UploadStatus)
    case offset(Int)
    case gone
    case failed(Upload.Failure, String)
  }

  func create(_ new: NewUpload, key: UploadKey) async -> Answer {
    var request = self.request(.POST, Route.uploads.path())
    request.headers.add(name: "content-type", value: "application/json")
    request.headers.add(name: "idempotency-key", value: Self.text(key))
    if let known = guest.load() { request.headers.add(name: "cookie", value: known) }
    guard let body = try? WireCoding.encode(new) else { return .failed(.init(.rejected), "") }
    request.body = .bytes(body)
    return await answer(to: request)
  }

  /// Nobody else adds to it any more when this returns, so its offset is one to go on from.
  func settledState(_ id: String) async -> Answer {
    let settled = await answer(to: request(.HEAD, Route.upload.path(id)))
    guard case .offset = settled else { return settled }
    return await state(id)
  }

  func state(_ id: String) async -> Answer { await answer(to: request(.GET, Route.upload.path(id))) }
  func commit(_ id: String) async -> Answer { await answer(to: request(.POST, Route.uploadCommit.path(id))) }
  func terminate(_ id: String) async -> Answer { await answer(to: request(.DELETE, Route.upload.path(id))) }

  func send(
    _ file: URL, _ range: Range<Int>, to id: String, progress: @escaping @Sendable (Int) -> Void
  ) async throws -> Answer {
    var request = self.request(.PATCH, Route.upload.path(id))
    request.headers.add(name: "content-type", value: "application/offset+octet-stream")
    request.headers.add(name: "upload-offset", value: String(range.lowerBound))
    return try await send(file, range, with: request, progress: progress) { await answer(to: $0) }
  }

  /// To the storage, which knows nothing of uploads. Nil: it has the part.
  func send(
    _ file: URL, _ range: Range<Int>, toAddress url: String, progress: @escaping @Sendable (Int) -> Void
  ) async throws -> (Upload.Failure, String)? {
    var request = HTTPClientRequest(url: url)
    request.method = .PUT
    return try await send(file, range, with: request, progress: progress) { await refusal(ofStorage: $0) }
  }

  private func send<Value>(
    _ file: URL, _ range: Range<Int>, with request: HTTPClientRequest,
    progress: @escaping @Sendable (Int) -> Void, _ answer: (HTTPClientRequest) async -> Value
  ) async throws -> Value {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    try handle.seek(toOffset: UInt64(range.lowerBound))
    var request = request
    let pieces = FilePieces(handle: handle, count: range.count, size: Self.pieceSize, progress: progress)
    request.body = .stream(pieces, length: .known(Int64(range.count)))
    let answer = await answer(request)
    // NB: a file that became shorter must not look like a bad network for ever.
    if pieces.isShort { throw CocoaError(.fileReadUnknown) }
    return answer
  }

  private func refusal(ofStorage request: HTTPClientRequest) async -> (Upload.Failure, String)? {
    do {
      let response = try await http.execute(request, timeout: .minutes(10))
      _ = try await response.body.collect(upTo: Limits.bodyBytes)
      let message = "The storage answered \(response.status)."
      let retryAfter = Milliseconds((Self.number("retry-after", response) ?? 0) * 1000)
      switch response.status.code {
      case 200..<300: return nil
      case 429, 500...: return (.init(.serverBusy, retryAfter: retryAfter), message)
      // Whatever it is, the server knows better now: addresses end, and so do uploads.
      default: return (.init(.addressExpired), message)
      }
    } catch let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout {
      return (.init(.timeout), "The storage does not answer.")
    } catch {
      return (.init(.network), "The storage cannot be reached.")
    }
  }

  /// Nil: they are there. The content says of which format they are.
  func put(captions: [UInt8], language: String, to id: String) async -> Uploader.CaptionProblem? {
    var request = self.request(.PUT, Route.captionsOfLanguage.path(id, language))
    request.headers.add(name: "content-type", value: "text/plain")
    request.body = .bytes(captions)
    do {
      let response = try await http.execute(request, timeout: .seconds(60))
      let body = try await response.body.collect(upTo: Limits.bodyBytes)
      guard response.status.code >= 400 else { return nil }
      guard let problem = try? WireCoding.decode(Problem.self, from: Data(body.readableBytesView)) else {
        return .init(message: "The server answered \(response.status).", isLasting: false)
      }
      return .init(message: problem.detail, isLasting: !problem.retryable)
    } catch {
      return .init(message: "The server cannot be reached.", isLasting: false)
    }
  }

  private func request(_ method: HTTPMethod, _ path: String) -> HTTPClientRequest {
    var request = HTTPClientRequest(url: base.absoluteString.trimmingSuffix("/") + path)
    request.method = method
    return request
  }

  private func answer(to request: HTTPClientRequest) async -> Answer {
    do {
      let response = try await http.execute(request, timeout: .minutes(10))
      let body = try await response.body.collect(upTo: Limits.bodyBytes)
      let status = Int(response.status.code)
      guest.store(response.headers["set-cookie"])
      guard status < 400 else { return refusal(response, Data(body.readableBytesView)) }
      if let upload = try? WireCoding.decode(UploadStatus.self, from: Data(body.readableBytesView)) {
        return .state(upload)
      }
      if let offset = Self.number("upload-offset", response) { return .offset(Int(offset)) }
      return request.method == .DELETE
        ? .gone : .failed(.init(.serverBusy), "The server's answer makes no sense.")
    } catch let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout {
      return .failed(.init(.timeout), "The server does not answer.")
    } catch {
      return .failed(.init(.network), "The server cannot be reached.")
    }
  }

  private func refusal(_ response: HTTPClientResponse, _ body: Data) -> Answer {
    let retryAfter = Milliseconds((Self.number("retry-after", response) ?? 0) * 1000)
    guard let problem = try? WireCoding.decode(Problem.self, from: body),
      let code = ErrorCode(rawValue: problem.code)
    else {
      // Something between us and the server answered, not the server itself.
      return .failed(.init(.serverBusy, retryAfter: retryAfter), "The server answered \(response.status).")
    }
    let offset = Self.number("upload-offset", response) ?? -1
    let number = Int64(ErrorCode.allCases.firstIndex(of: code) ?? 0)
    let failure: Upload.Failure =
      switch code {
      case .uploadOffsetMismatch, .uploadIncomplete: .init(.offsetMismatch, detail: offset)
      case .uploadNotFound, .uploadExpired: .init(.gone)
      case .uploadHashMismatch: .init(.hashMismatch)
      case .tooManyRequests, .uploadQuota: .init(.tooManyRequests, retryAfter: retryAfter)
      case .storageFull: .init(.storageFull, retryAfter: retryAfter)
      default:
        problem.retryable
          ? .init(.serverBusy, retryAfter: retryAfter) : .init(.rejected, detail: number)
      }
    return .failed(failure, problem.detail)
  }

  private static func number(_ header: String, _ response: HTTPClientResponse) -> Int64? {
    guard let text = response.headers.first(name: header) else { return nil }
    return Int64(text)
  }

  private static func text(_ key: UploadKey) -> String {
    [key.high, key.low].map { word in
      let digits = String(UInt64(bitPattern: word), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

extension String {
  func trimmingSuffix(_ suffix: Character) -> String {
    var text = self
    while text.last == suffix { text.removeLast() }
    return text
  }
}
