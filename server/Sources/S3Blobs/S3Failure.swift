internal import AsyncHTTPClient
internal import Contract
internal import NIOHTTP1
internal import Platform

/// Why the storage did not do what was asked, as it said itself: what may be tried again, and what others
/// learn of it.
struct S3Failure: Error, Equatable {
  /// 0: no answer at all.
  let status: UInt
  /// Amazon's word for it (`NoSuchKey`), or ours for what happened on the way.
  let code: String

  static let unreadable = S3Failure(status: 0, code: "UnreadableAnswer")

  init(status: UInt, code: String) {
    self.status = status
    self.code = code
  }

  init(_ answer: S3Answer) {
    // An answer to HEAD has no body; its status must do.
    let root = try? XMLElement(answer.body)
    let code = root?.name == "Error" ? root?["Code"] : nil
    // Only a word goes into messages, whatever the server wrote.
    let word = code.flatMap { $0.utf8.count <= 64 && $0.allSatisfy { $0.isLetter || $0.isNumber } ? $0 : nil }
    // NB: an error may come with status 200, when the server began to answer before it knew
    // (CompleteMultipartUpload, CopyObject); Amazon's advice is to take it for a 500.
    self.init(status: answer.status < 300 ? 500 : answer.status, code: word ?? "Status\(answer.status)")
  }

  /// Something went wrong before there was an answer, or in the middle of it.
  init(_ error: any Error) {
    self = error as? S3Failure ?? S3Failure(status: 0, code: Self.word(error))
  }

  /// The same may go well later: the server said so, or whether it did it is not known.
  var isTransient: Bool {
    [0, 408, 429, 500, 502, 503, 504].contains(status) || code == "SlowDown" || code == "RequestTimeout"
  }
  var isMissing: Bool { status == 404 && code != "NoSuchBucket" && code != "NoSuchUpload" }

  private static let fullCodes: Set = [
    "InsufficientStorage", "QuotaExceeded", "EntityTooLarge", "XMinioStorageFull", "InsufficientCapacity",
  ]

  /// For whoever asked for the blob. It names neither host nor bucket: such a sentence can reach a stranger.
  var appError: AppError {
    if status == 507 || status == 413 || Self.fullCodes.contains(code) {
      return AppError(.storageFull, "The media storage has no room left (\(code)).")
    }
    if isMissing { return AppError(.mediaNotFound) }
    return AppError(
      .unavailable,
      status == 0
        ? "The media storage does not answer (\(code)); try again in a moment."
        : "The media storage refuses (\(code)); try again in a moment.")
  }

  private static func word(_ error: any Error) -> String {
    guard let error = error as? HTTPClientError else { return "ConnectionFailed" }
    return switch error {
    case .connectTimeout: "ConnectTimeout"
    case .readTimeout, .writeTimeout: "Stalled"
    case .deadlineExceeded: "TimedOut"
    case .remoteConnectionClosed: "ConnectionClosed"
    default: "ConnectionFailed"
    }
  }
}

/// An answer with its body in memory.
struct S3Answer: Sendable {
  let status: UInt
  let headers: HTTPHeaders
  let body: [UInt8]

  func xml(_ name: String) throws -> XMLElement {
    guard let root = try? XMLElement(body) else { throw S3Failure.unreadable }
    guard root.name == name else { throw S3Failure(self) }
    return root
  }
}
