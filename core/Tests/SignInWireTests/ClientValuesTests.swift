import CoreTesting
import SignInSession
import Testing

/// The web client has the core's numbers by the core's names.
@Suite struct ClientValuesTests {
  private let module = "api/api.js"

  @Test func ofWhyARequestFailed() throws {
    // One that was answered needs no word for it.
    let known = ClientValues.numbers(of: SignInSession.Reason.self).filter { $0.key != "answered" }
    #expect(try ClientValues.numbers("REASON", in: module) == known)
  }

  @Test func ofRequests() throws {
    let values = try ClientValues.numbers("KIND", in: module)
    #expect(values == ClientValues.numbers(of: SignInSession.RequestKind.self))
  }

  /// There they are the server's words; all others are the first.
  @Test func ofProblems() throws {
    let names = try ClientValues.names("PROBLEMS", in: module)
    #expect(names.dropFirst() == ClientValues.names(of: SignInSession.Problem.self).dropFirst())
    #expect(names.first == "" && SignInSession.Problem(rawValue: 0) == .other)
  }
}
