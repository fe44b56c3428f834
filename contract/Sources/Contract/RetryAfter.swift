public import Foundation

/// When an answer was made, and when the same may be asked for again.
extension WireResponse {
  /// Seconds of a day: whoever wants more to pass is asked again tomorrow all the same.
  public static let longestRetryAfter = 86_400

  /// `Date`, as HTTP writes it (RFC 9110, 5.6.7).
  public var date: Date? { headers["date"].flatMap(Self.date) }

  /// `Retry-After` in whole seconds, rounded up, a day at most; `nil` if it says nothing. It may be a date;
  /// then `now` is when the answer was made, if that does not say so itself: a device's clock may be wrong by
  /// years.
  public func retryAfter(now: @autoclosure () -> Date = Date()) -> Int? {
    guard let text = headers["retry-after"], !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ (48...57).contains($0) }) {
      // What is no number of Swift's is larger than any.
      return min(Int(text) ?? Self.longestRetryAfter, Self.longestRetryAfter)
    }
    guard let until = Self.date(text) else { return nil }
    let seconds = until.timeIntervalSince(date ?? now())
    return Int(min(max(seconds, 0), Double(Self.longestRetryAfter)).rounded(.up))
  }

  private static func date(_ text: String) -> Date? {
    // The form has 29 characters; a stranger's megabyte is not looked at.
    guard text.utf8.count <= 40 else { return nil }
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(secondsFromGMT: 0)
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return format.date(from: text)
  }
}

extension Problem {
  /// What the body of an answer says is wrong; `nil` if it is no error, or not one of the server's.
  public init?(in response: WireResponse) {
    guard response.status >= 400, var problem = try? WireCoding.decode(Problem.self, from: response.body)
    else {
      return nil
    }
    problem.retryAfterSeconds = response.retryAfter()
    self = problem
  }
}
