import Contract
import Foundation
import Testing

@testable import OpenIDConnect

/// Text whose comparison takes time quadratic in its length, in a token.
@Suite struct StackedMarksTests {
  /// So many that every comparison with it would take a second.
  private static let heap = "a" + String(repeating: "\u{316}\u{301}", count: 15_000)

  @Test func aTokenOfAProviderIsNotReadIfComparingItTakesLong() {
    func part(_ text: String) -> String {
      Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
        "=", with: "")
    }
    let (header, payload) = (part(#"{"alg":"RS256","kid":"1"}"#), part(#"{"iss":"x"}"#))
    #expect((try? IdentityToken.header(of: "\(header).\(payload).c"))?.alg == "RS256")
    #expect(throws: IdentityToken.Distrusted.self) {
      try IdentityToken.header(of: "\(part(#"{"alg":"RS256","\#(Self.heap)":1}"#)).\(payload).c")
    }
    #expect(throws: IdentityToken.Distrusted.self) {
      try IdentityToken.header(of: "\(header).\(part(#"{"\#(Self.heap)":1}"#)).c")
    }
  }
}
