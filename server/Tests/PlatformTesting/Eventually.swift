import Foundation
import Testing

/// Waits for a state of the outside world, with an end: two minutes, since a busy machine may be ten times
/// slower. `minutes`: more for what waits for a conversion, which gives way to all that runs beside it.
func eventually(_ what: Comment, minutes: Int = 2, _ condition: () async throws -> Bool) async throws {
  for _ in 0..<minutes * 3000 {
    if try await condition() { return }
    try await Task.sleep(for: .milliseconds(20))
  }
  Issue.record(what)
}
