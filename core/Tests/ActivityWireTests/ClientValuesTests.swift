import Activity
import CoreTesting
import Testing

/// The web client has the core's records by the core's names.
@Suite struct ClientValuesTests {
  @Test func ofWhatIsWatched() throws {
    let names = try ClientValues.names("KINDS", in: "activity/activity.js")
    #expect(names == ClientValues.names(of: Record.Kind.self))
  }
}
