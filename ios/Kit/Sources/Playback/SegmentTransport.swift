public import Foundation

/// A range of a file.
public struct RangeRequest: Equatable, Sendable {
  public let url: URL
  public let offset: Int
  public let size: Int

  public init(url: URL, offset: Int, size: Int) {
    self.url = url
    self.offset = offset
    self.size = size
  }
}

/// Why a range did not come, as the core counts it.
public enum TransferFailure: Int64, Error, Equatable, Sendable {
  /// No answer, or cut off.
  case network = 1
  /// 404, 410, 416: this file or range is not there.
  case gone = 2
  /// 5xx, or an answer that makes no sense.
  case server = 3
  /// 403: the address is over. The core hears of it as `network`, once the clip has other addresses.
  case refused = 4
}

/// Carries one request for a range of a file.
///
/// - The bytes come in order, as soon as they are there, and are exactly those of the range: an answer of
///   another size, another range or another kind throws, before its bytes are handed on.
/// - It throws `TransferFailure` and nothing else. It never asks again.
/// - Once the task that reads has been cancelled, the request is aborted.
public protocol SegmentTransport: Sendable {
  func bytes(of request: RangeRequest) -> AsyncThrowingStream<Data, any Error>
}

extension TransferFailure {
  /// What an answer's status and `Content-Range` mean; `nil`: these are the bytes that were asked for.
  static func of(status: Int, contentRange: String?, request: RangeRequest) -> TransferFailure? {
    switch status {
    case 206:
      // Another origin may hide the header; then the status has to do.
      guard let contentRange else { return nil }
      let exact = "bytes \(request.offset)-\(request.offset + request.size - 1)/"
      return contentRange.hasPrefix(exact) ? nil : .server
    case 404, 410, 416: return .gone
    case 403: return .refused
    case 400..<500: return .network
    default: return .server
    }
  }
}
