import Foundation
import Playback

/// A link as a phone has it: so many bits a second for all requests together, so long for a round trip, and
/// times in which nothing comes at all.
///
/// NB: it shapes when bytes reach the host; the sockets below are those of this machine.
actor Link {
  struct Profile: Sendable {
    let name: String
    let bitsPerSecond: Double
    let roundTrip: Duration
    /// Whether it dies now and then.
    let dies: Bool
  }

  static let profiles = [
    Profile(name: "wifi", bitsPerSecond: 40e6, roundTrip: .milliseconds(15), dies: false),
    Profile(name: "4g", bitsPerSecond: 9e6, roundTrip: .milliseconds(85), dies: false),
    Profile(name: "3g", bitsPerSecond: 1.6e6, roundTrip: .milliseconds(300), dies: false),
    Profile(name: "dying", bitsPerSecond: 4e6, roundTrip: .milliseconds(120), dies: true),
  ]

  private let clock = ContinuousClock()
  private var profile: Profile
  private var isCut = false
  private var isFree: ContinuousClock.Instant
  private(set) var bytes = 0

  init(_ profile: Profile) {
    self.profile = profile
    isFree = clock.now
  }

  func use(_ profile: Profile) { self.profile = profile }

  func cut(_ isCut: Bool) { self.isCut = isCut }

  /// Returns when a request has reached the server and its first byte is back.
  func roundTrip() async throws {
    try await clock.sleep(for: profile.roundTrip)
    try await alive()
  }

  /// Returns when so many bytes have come, behind all that came before.
  func receive(_ count: Int) async throws {
    try await alive()
    isFree = max(isFree, clock.now) + .seconds(Double(count) * 8 / profile.bitsPerSecond)
    try await clock.sleep(until: isFree)
    try await alive()
    bytes += count
  }

  private func alive() async throws {
    while isCut { try await clock.sleep(for: .milliseconds(20)) }
  }
}

/// Ranges over the link. It counts what came of each, to the byte.
struct ShapedTransport: SegmentTransport {
  /// As much as comes in a few packets.
  private static let piece = 8 * 1024

  let base: any SegmentTransport
  let link: Link
  let ledger: Ledger

  func bytes(of request: RangeRequest) -> AsyncThrowingStream<Data, any Error> {
    AsyncThrowingStream { continuation in
      let number = ledger.began(request)
      let task = Task {
        do {
          try await link.roundTrip()
          for try await chunk in base.bytes(of: request) {
            var rest = chunk
            while !rest.isEmpty {
              let piece = Data(rest.prefix(Self.piece))
              rest = rest.dropFirst(piece.count)
              try Task.checkCancellation()
              try await link.receive(piece.count)
              ledger.came(number, piece.count)
              continuation.yield(piece)
            }
          }
          // A stream ends without an error for a task that is cancelled.
          try Task.checkCancellation()
          ledger.ended(number, .finished)
          continuation.finish()
        } catch {
          ledger.ended(number, error is CancellationError ? .cancelled : .failed)
          continuation.finish(throwing: error as? TransferFailure ?? .network)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
