import Contract
import Foundation
import Testing

@testable import Platform

/// What is handed out comes back, and nothing else does: every letter counts, and every place has one
/// spelling.
@Suite struct CursorTests {
  private let codec = CursorCodec(secret: "secret")
  private let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. é")

  @Test(arguments: [0, 1, -1, .max, .min]) func aNumberComesBack(number: Int64) throws {
    #expect(try codec.place(of: codec.token(number: number)) == .number(number))
  }

  @Test(arguments: 1...120) func wordsOfAnyLengthComeBack(length: Int) throws {
    let words = String((0..<length).map { Array("new 1 /+~")[$0 % 9] })
    #expect(try codec.place(of: codec.token(words)) == .words(words))
  }

  @Test(arguments: ["a", "ab", "abc"]) func noOtherLetterIsTaken(words: String) throws {
    let token = Array(codec.token(words))
    for index in token.indices {
      for letter in letters where letter != token[index] {
        var other = token
        other[index] = letter
        refuse(String(other))
      }
      refuse(String(token[..<index]))
    }
    for letter in letters { refuse(String(token) + String(letter)) }
  }

  @Test func aTokenOfAnotherSecretOrListIsRefused() {
    refuse(CursorCodec(secret: "other").token("new 1 2"))
    refuse(CursorCodec(secret: "secret", list: "likes").token("new 1 2"))
  }

  @Test func lettersAreThoseOfFoundationInAnAddress() {
    for length in 0..<100 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ length) }
      let text = Base64URL.text(bytes)
      #expect(
        text
          == Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
          .replacing("=", with: ""))
      #expect(Base64URL.bytes(text) == bytes)
    }
  }

  private func refuse(_ token: String) {
    let error = #expect(throws: AppError.self) { try codec.place(of: token) }
    #expect(error?.code == .invalidCursor, "\(token)")
  }
}
