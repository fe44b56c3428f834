import CoreTesting
import Testing
import Upload

/// The web client has the core's numbers by the core's names.
@Suite struct ClientValuesTests {
  @Test func ofAnUpload() throws {
    let module = "upload/wire.js"
    #expect(try ClientValues.numbers("PHASE", in: module) == ClientValues.numbers(of: Upload.Phase.self))
    #expect(try ClientValues.numbers("REASON", in: module) == ClientValues.numbers(of: Upload.Reason.self))
    #expect(try ClientValues.numbers("KIND", in: module) == ClientValues.numbers(of: SourceFile.Kind.self))
  }
}
