internal import Contract
internal import HTTPTypes
internal import Synchronization

/// How many streams of live events there may be at once: of one viewer, who has a handful of pages, and from
/// one address, so that one cannot take all of a process's. Behind proxies the address is the one that the
/// proxy says.
public final class StreamLimits: Sendable {
  static let ofOneViewer = 32

  private let ofOneAddress: Int?
  private let counts = Mutex<[String: Int]>([:])

  /// `ofOneAddress`: nil: no limit.
  public init(ofOneAddress: Int? = nil) { self.ofOneAddress = ofOneAddress }

  /// Throws `too_many_requests`.
  func admit(_ viewer: String, from address: String) throws -> Place {
    let keys = ["viewer/\(viewer)", "address/\(address)"]
    try counts.withLock { counts in
      guard counts[keys[0], default: 0] < Self.ofOneViewer, counts[keys[1], default: 0] < ofOneAddress ?? .max
      else {
        // Streams end by themselves after some minutes.
        throw Refusal(.tooManyRequests, "There are too many streams already.", [.retryAfter: "60"])
      }
      for key in keys { counts[key, default: 0] += 1 }
    }
    return Place(limits: self, keys: keys)
  }

  private func leave(_ keys: [String]) {
    counts.withLock { counts in
      for key in keys {
        let left = counts[key, default: 1] - 1
        counts[key] = left > 0 ? left : nil
      }
    }
  }

  /// One of them, left once however often that is said: a stream may end before its connection.
  final class Place: Sendable {
    private let limits: StreamLimits
    private let keys: Mutex<[String]>

    fileprivate init(limits: StreamLimits, keys: [String]) {
      self.limits = limits
      self.keys = Mutex(keys)
    }

    func leave() {
      let left = keys.withLock { keys in
        defer { keys = [] }
        return keys
      }
      limits.leave(left)
    }

    deinit { leave() }
  }
}
