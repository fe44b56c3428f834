import Platform
import Testing

@testable import Accounts

/// Codes as people type them.
@Suite struct TypedCodeTests {
  @Test func whatOnlyHelpsTheEyeIsLeftOut() {
    #expect(TypedCode("123 456")?.text == "123456" && TypedCode("123 456")?.isOfApp == true)
    #expect(TypedCode(" ABCD-efgh-2345-mnop ")?.text == "abcdefgh2345mnop")
    for text in ["12345", "1234567", "12345a", "", "abcdefgh2345mnop"] {
      #expect(TypedCode(text)?.isOfApp == false)
    }
  }

  @Test func otherLettersAreNoCode() {
    for text in ["１２３４５６", "12345\u{301}6", "123\u{0}456", "12345é", "🙂", "123_456"] {
      #expect(TypedCode(text) == nil)
    }
  }

  @Test func recoveryCodesAreReadBackAsTheyAreTyped() throws {
    let code = RecoveryCode.make()
    #expect(code.wholeMatch(of: /[a-z2-7]{4}(-[a-z2-7]{4}){3}/) != nil && code != RecoveryCode.make())
    let typed = try #require(TypedCode(code))
    let loud = try #require(TypedCode(code.uppercased().replacing("-", with: " ")))
    #expect(RecoveryCode.canBe(typed) && !typed.isOfApp && typed == loud)
    #expect(RecoveryCode.hash(typed, of: "ada") == RecoveryCode.hash(loud, of: "ada"))
    #expect(RecoveryCode.hash(typed, of: "ada") != RecoveryCode.hash(typed, of: "eve"))
  }
}
