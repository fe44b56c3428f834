import CoreTesting
import Recording
import Testing

/// The web client has the core's numbers by the core's names.
@Suite struct ClientValuesTests {
  @Test func ofARecording() throws {
    let module = "studio/wire.js"
    #expect(try ClientValues.numbers("STAGE", in: module) == ClientValues.numbers(of: Recording.Stage.self))
    #expect(
      try ClientValues.numbers("OBSTACLE", in: module) == ClientValues.numbers(of: Recording.Obstacle.self))
  }
}
