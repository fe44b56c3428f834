import Contract
import Foundation
import Platform
import Testing

@testable import Accounts

/// What is tried first on every account must not open one.
@Suite struct CommonPasswordTests {
  private func isCommon(_ text: String, handle: String = "mara", email: String? = nil) -> Bool {
    do {
      _ = try Password.checked(text, handle: handle, email: email)
      return false
    } catch { return (error as? AppError)?.code == .passwordTooCommon }
  }

  @Test(arguments: [
    // Of every list of stolen ones, as people wrote them.
    "password", "Password", "PASSWORD1", "password123", "Password123!", "p@ssw0rd", "P@$$w0rd", "pa55word",
    "passw0rd1",
    "1password", "123password", "passwordpassword", "12345678", "123456789", "1234567890", "0123456789",
    "987654321", "87654321", "11111111", "1111111111", "00000000", "1212121212", "12341234", "123123123",
    "112233445566", "111222333", "12345678910", "123456789a", "a12345678", "abcdefgh", "abcd1234", "abc12345",
    "abc123456", "qwertyui", "qwertyuiop", "qwerty123", "Qwerty1234", "qwertz123", "azertyuiop", "asdfghjkl",
    "asdfasdf",
    "asdf1234", "1234qwer", "qwer1234", "zxcvbnm1", "zxcvbnm123", "1q2w3e4r", "1q2w3e4r5t", "q1w2e3r4",
    "1qaz2wsx",
    "qazwsxedc", "zaq12wsx", "147258369", "123qweasd", "a1b2c3d4", "aaaaaaaa", "aa123456", "iloveyou",
    "iloveyou1",
    "ILoveYou2", "letmein1", "letmein123", "welcome1", "welcome123", "Welcome2024!", "trustno1", "sunshine",
    "sunshine7",
    "princess", "princess1", "dragon12", "monkey123", "football", "football1", "baseball", "superman",
    "batman123",
    "starwars", "master123", "michael1", "charlie1", "jennifer", "jordan23", "samantha", "liverpool",
    "liverpool1",
    "chelsea1", "arsenal1", "summer2024", "Summer2024!", "winter22", "monday01", "admin123", "admin1234",
    "@dmin1234",
    "administrator", "root1234", "test1234", "testtest", "guest123", "changeme", "changeme1", "default1",
    "secret123",
    "google123", "internet", "computer", "whatever", "freedom1", "clipfeed", "clipfeed1", "Cl1pf33d!",
    "love2024",
    "lovelove", "money123", "pokemon1", "minecraft", "naruto123", "slipknot", "metallica", "chocolate",
    "banana12",
    "orange11", "purple123", "maria1990", "thomas88", "ferrari1", "mercedes", "london2012", "passwort",
    "passwort1",
    "contrasena", "motdepasse", "fuckyou1", "fuckyou2", "jesus123", "blessed1", "31415926", "12345678!",
    "!@#$%^&*",
    "qwerty!@#", "12345qwert", "qwert12345", "121212121212",
  ])
  func whatEverybodyTriesFirstIsRefused(_ text: String) { #expect(isCommon(text)) }

  @Test(arguments: [
    "correct horse", "correct horse battery staple", "tr0ub4dor&3", "wombat teacup", "plinth-oboe",
    "xkqpvmzr",
    "Kj8#mPq2", "9f8a7b6c5d4e", "mein hund heißt rex", "dragon teacup", "password of my own making",
    "ein langer satz",
    "дождь и ветер", "密码是我的秘密呀", "48151623420", "iamthewalrus", "qwertyballoon", "sunflower-92817364",
  ])
  func whatNobodyTriesIsTaken(_ text: String) { #expect(!isCommon(text)) }

  @Test func onesOwnNamesAreNoPasswordsEitherWithANumberBehind() {
    for text in ["wanderer", "Wanderer1", "wanderer2024", "!wanderer!", "wanderer123456"] {
      #expect(isCommon(text, handle: "wanderer"), "\(text)")
      #expect(!isCommon(text, handle: "mara"), "\(text)")
    }
    for text in ["ada.l.byron", "ada.l.byron@home.example", "ada.l.byron1"] {
      #expect(isCommon(text, email: "Ada.L.Byron@home.example"), "\(text)")
    }
  }

  /// The rules refuse far more than a list that anybody would ship.
  @Test func moreThanTenThousandAreRefused() {
    let words = CommonWords.all.map { String(decoding: $0, as: UTF8.self) }.filter { $0.utf8.count >= 6 }
    #expect(words.count >= 400)
    var refused: Set<String> = []
    for word in words {
      for ending in [
        "12", "69", "123", "1234", "2024", "007", "!!", "99", "2025", "777", "01!", "11", "22", "23", "21",
        "88", "00", "1990", "2000", "1985", "1!1", "33", "44", "55", "13", "12!", "10", "1999",
      ]
      where isCommon(word + ending) { refused.insert(word + ending) }
    }
    #expect(refused.count >= 10_000, "\(refused.count)")
  }

  /// A stranger chooses the text.
  @Test(arguments: ["1", "12", "a1", "qwe", "123qwe", "012", "aaab", "é", "!"])
  func aLongTextIsLookedAtInATrice(_ unit: String) {
    let text = String(repeating: unit, count: Limits.passwordBytes / unit.utf8.count)
    _ = isCommon(text + "z")
    _ = isCommon("z" + text)
    _ = isCommon(text)
  }
}
