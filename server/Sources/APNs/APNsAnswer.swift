internal import Devices
internal import Foundation
internal import Platform

/// What Apple's service answered, and what follows from it ("Handling notification responses from APNs").
struct APNsAnswer {
  private struct Body: Decodable {
    var reason: String?
    /// Milliseconds since 1970, of a 410.
    var timestamp: Int64?
  }

  let status: UInt
  /// In our log: nothing of a stranger's.
  let reason: String
  private let timestampMs: Int64?
  private let retryAfterMs: Int64?

  init(status: UInt, retryAfter: String?, body: [UInt8]) {
    self.status = status
    let decoded = try? JSONDecoder().decode(Body.self, from: Data(body))
    let word = decoded?.reason ?? ""
    let isWord =
      (1...64).contains(word.utf8.count) && word.utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) }
    reason = isWord ? word : "status \(status)"
    timestampMs = decoded?.timestamp
    retryAfterMs = retryAfter.flatMap { SafeInteger.read($0, in: 0...86_400) }.map { Int64($0) * 1000 }
  }

  var wantsNewToken: Bool { status == 403 && reason == "ExpiredProviderToken" }

  var outcome: PushOutcome {
    switch status {
    case 200: .taken
    case 410: .gone(sinceMs: timestampMs)
    case 400 where ["BadDeviceToken", "DeviceTokenNotForTopic"].contains(reason): .gone(sinceMs: nil)
    // The operator's to mend: nothing is lost until then.
    case 400 where ["BadTopic", "TopicDisallowed", "MissingTopic"].contains(reason):
      .unavailable(afterMs: 300_000, reason)
    case 401, 403: .unavailable(afterMs: 300_000, reason)
    case 429 where reason == "TooManyProviderTokenUpdates":
      .unavailable(afterMs: retryAfterMs ?? 300_000, reason)
    case 429: .later(afterMs: retryAfterMs)
    case 500...599: .unavailable(afterMs: retryAfterMs, reason)
    case 400...499: .refused(reason)
    default: .later(afterMs: retryAfterMs)
    }
  }
}
