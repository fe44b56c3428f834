import Foundation
import Testing

/// Waits for a state of the outside world, with an end: two minutes, since a busy machine may be ten times
/// slower.
func eventually(_ what: Comment, _ condition: () async throws -> Bool) async throws {
  for _ in 0..<6000 {
    if try await condition() { return }
    try await Task.sleep(for: .milliseconds(20))
  }
  Issue.record(what)
}
