internal import Contract
internal import CoreTypes
internal import Foundation
internal import Upload

/// What the server, or something before it, said instead of an upload's state.
struct Refused: Error {
  let failure: Upload.Failure
  /// In the server's words; `nil` where nothing answered, or not the server.
  let problem: UploadProblem?

  var code: ErrorCode? { problem.flatMap { ErrorCode(rawValue: $0.code) } }

  /// The same file again is of no use: the upload's state says why.
  var isOfContent: Bool {
    switch code {
    case .notAVideo, .unreadable, .noVideoStream, .tooLong, .tooShort, .dimensionsUnsupported, .truncated,
      .damaged, .unsupportedCodec, .encrypted, .emptyFile, .fileTooLarge:
      true
    default: false
    }
  }

  var isClosed: Bool { code == .uploadClosed }

  /// The same request may succeed a little later.
  var mayPass: Bool {
    switch failure.reason {
    case .network, .timeout, .serverBusy, .tooManyRequests: true
    default: false
    }
  }

  init(_ failure: Upload.Failure, _ problem: UploadProblem? = nil) {
    self.failure = failure
    self.problem = problem
  }

  /// Nothing answered.
  init(_ error: any Error) {
    let isLate = (error as? URLError)?.code == .timedOut
    self.init(Upload.Failure(isLate ? .timeout : .network))
  }

  /// Told by the stable code of the answer, never by its words; by the status where something before the
  /// server answered. `now` is for a `Retry-After` that is a date.
  init(_ response: WireResponse, now: Date = Date()) {
    guard let problem = Problem(in: response), let code = ErrorCode(rawValue: problem.code)
    else {
      self.init(Self.failure(status: response.status, Self.retryAfter(response, now)))
      return
    }
    self.init(
      Self.failure(code, problem, response, now), UploadProblem(code: problem.code, detail: problem.detail))
  }

  private static func failure(
    _ code: ErrorCode, _ problem: Problem, _ response: WireResponse, _ now: Date
  ) -> Upload.Failure {
    let wait = retryAfter(response, now)
    switch code {
    // Of one that is closed the state says what became of it, and the machine asks for that.
    case .uploadOffsetMismatch, .uploadIncomplete, .uploadClosed:
      return .init(.offsetMismatch, detail: offset(response) ?? -1)
    case .uploadNotFound, .uploadExpired: return .init(.gone)
    case .uploadHashMismatch: return .init(.hashMismatch)
    case .tooManyRequests, .uploadQuota: return .init(.tooManyRequests, retryAfter: wait)
    case .storageFull: return .init(.storageFull, retryAfter: wait)
    default: break
    }
    if response.status == 401 { return .init(.signInNeeded) }
    if problem.retryable || response.status >= 500 { return .init(.serverBusy, retryAfter: wait) }
    return .init(.rejected, detail: Self.number(of: code))
  }

  private static func failure(status: Int, _ wait: Milliseconds) -> Upload.Failure {
    switch status {
    case 401: .init(.signInNeeded)
    case 408: .init(.timeout)
    case 410: .init(.gone)
    case 429: .init(.tooManyRequests, retryAfter: wait)
    case 507: .init(.storageFull, retryAfter: wait)
    case 423, 460, ..<400, 500...: .init(.serverBusy, retryAfter: wait)
    default: .init(.rejected)
    }
  }

  /// Of the storage, which knows nothing of uploads. Beyond what passes the server knows better: addresses
  /// end, and so do uploads.
  static func ofStorage(_ response: WireResponse) -> Upload.Failure {
    switch response.status {
    case 429, 500...: .init(.serverBusy, retryAfter: retryAfter(response, Date()))
    default: .init(.addressExpired)
    }
  }

  /// The machine carries a number; 0 is none.
  static func number(of code: ErrorCode) -> Int64 {
    Int64((ErrorCode.allCases.firstIndex(of: code) ?? -1) + 1)
  }

  static func code(of number: Int32) -> ErrorCode? {
    let index = Int(number) - 1
    return ErrorCode.allCases.indices.contains(index) ? ErrorCode.allCases[index] : nil
  }

  static func offset(_ response: WireResponse) -> Int64? {
    response.headers["upload-offset"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The machine bounds what comes of it.
  static func retryAfter(_ response: WireResponse, _ now: Date) -> Milliseconds {
    Milliseconds(Int64(response.retryAfter(now: now) ?? 0) * 1_000)
  }
}
