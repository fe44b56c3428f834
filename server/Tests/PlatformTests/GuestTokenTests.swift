import Platform
import Testing

@Suite struct GuestTokenTests {
  private let tokens = GuestTokens(secret: "one")

  @Test func aTokenIsReadBackAndAnEditedOneIsNot() {
    let made = tokens.make(at: SystemTime())
    #expect(tokens.read(made.token) == made.id)
    var bytes = Array(made.token.utf8)
    for place in bytes.indices {
      bytes[place] ^= 1
      #expect(tokens.read(String(decoding: bytes, as: UTF8.self)) == nil)
      bytes[place] ^= 1
    }
  }

  @Test(arguments: ["", "g1.", "g1..", "g1.\(String(repeating: "a", count: 53))", "é", "g1.a.b"])
  func whatIsNoTokenIsNobodys(_ text: String) { #expect(tokens.read(text) == nil) }

  @Test func anotherInstancesTokenIsNobodys() {
    #expect(tokens.read(GuestTokens(secret: "two").make(at: SystemTime()).token) == nil)
  }
}
