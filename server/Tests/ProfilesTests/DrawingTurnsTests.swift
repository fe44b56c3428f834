import Contract
import Platform
import Profiles
import Testing

/// Pictures of strangers are drawn in turns.
@Suite struct DrawingTurnsTests {
  @Test func whoComesWhereTooManyWaitIsRefusedAndNobodyElsewhereIs() async throws {
    let turns = DrawingTurns(atOnce: 1, waiting: 0)
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    let first = Task {
      try await turns.run {
        start.finish()
        for await _ in ended {}
      }
    }
    for await _ in started {}
    let refusal = await #expect(throws: AppError.self) { try await turns.run {} }
    #expect(refusal?.code == .unavailable)
    // Those of another instance have their own.
    try await DrawingTurns(atOnce: 1, waiting: 0).run {}
    end.finish()
    try await first.value
    try await turns.run {}
  }
}
