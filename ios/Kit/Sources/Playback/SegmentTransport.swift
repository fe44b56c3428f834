public import Foundation

/// A range of a file.
public struct RangeRequest: Equatable, Sendable {
  public let url: URL
  public let offset: Int
  public let size: Int
  /// All of a file of which nobody knows the size, but that it is at most `size`.
  public let isWholeFile: Bool

  public init(url: URL, offset: Int, size: Int) {
    self.init(url: url, offset: offset, size: size, isWholeFile: false)
  }

  public static func file(_ url: URL, most: Int) -> RangeRequest {
    RangeRequest(url: url, offset: 0, size: most, isWholeFile: true)
  }

  private init(url: URL, offset: Int, size: Int, isWholeFile: Bool) {
    self.url = url
    self.offset = offset
    self.size = size
    self.isWholeFile = isWholeFile
  }

  /// Whether an answer with so many bytes has all of them.
  func isAnswered(by bytes: Int) -> Bool { isWholeFile ? bytes <= size : bytes == size }
}

/// Why a range did not come, as the core counts it.
public enum TransferFailure: Int64, Error, Equatable, Sendable {
  /// No answer, or cut off.
  case network = 1
  /// 404, 410, 416: this file or range is not there.
  case gone = 2
  /// 5xx, or an answer that makes no sense.
  case server = 3
  /// 403: the address is over. The core hears of it as `network`, once the clip has other addresses, or as
  /// `gone` where the clip is there no more.
  case refused = 4
}

/// Carries one request for a range of a file.
///
/// - The bytes come in order, as soon as they are there, and are exactly those of the range: an answer of
///   another size, another range or another kind throws, before its bytes are handed on. Of a whole file all
///   bytes come, or it throws: a larger one, or one that is cut off, is no answer.
/// - It throws `TransferFailure` and nothing else. It never asks again.
/// - Once the task that reads has been cancelled, the request is aborted.
public protocol SegmentTransport: Sendable {
  func bytes(of request: RangeRequest) -> AsyncThrowingStream<Data, any Error>
}

extension TransferFailure {
  /// What an answer's status and `Content-Range` mean; `nil`: these are the bytes that were asked for.
  static func of(status: Int, contentRange: String?, request: RangeRequest) -> TransferFailure? {
    switch status {
    case 200 where request.isWholeFile: return nil
    case 206:
      // Another origin may hide the header; then the status has to do.
      guard let contentRange else { return nil }
      if request.isWholeFile { return isWhole(contentRange) ? nil : .server }
      let exact = "bytes \(request.offset)-\(request.offset + request.size - 1)/"
      return contentRange.hasPrefix(exact) ? nil : .server
    case 404, 410, 416: return .gone
    case 403: return .refused
    case 400..<500: return .network
    default: return .server
    }
  }

  /// `bytes 0-LAST/SIZE` of which nothing is missing.
  private static func isWhole(_ contentRange: String) -> Bool {
    let numbers = contentRange.dropFirst("bytes 0-".count).split(separator: "/").map { Int($0) }
    guard contentRange.hasPrefix("bytes 0-"), numbers.count == 2, let last = numbers[0],
      let size = numbers[1]
    else { return false }
    return last >= 0 && last == size - 1
  }
}
