import Argon2
import Contract
import Platform
import Testing

@testable import Accounts

@Suite struct HandleTests {
  @Test(arguments: [
    ("mara", "mara"), ("Mara", "mara"), ("@Mara", "mara"), (" mara ", "mara"), ("a1", "a1"),
    ("a.b_c", "a.b_c"), ("9lives", "9lives"),
    (String(repeating: "a", count: 30), String(repeating: "a", count: 30)),
  ])
  func aHandleIsKeptInOneForm(_ given: String, _ kept: String) throws {
    #expect(try Handle.checked(given) == kept)
  }

  @Test(arguments: [
    "", "a", "@", "_ab", "ab_", ".ab", "ab.", "a..b", "a b", "a-b", "a/b", "a\u{0}b", "a\nb", "ä1", "mаra",
    "ﬁsh",
    "a\u{202E}b", "a\u{200B}b", "💃💃", "İstanbul", String(repeating: "a", count: 31),
    "a'; DROP TABLE accounts;--",
    String(repeating: "a", count: 100_000),
  ])
  func whatIsNoHandleIsRefused(_ text: String) {
    #expect(throws: AppError(.handleInvalid, field: "handle")) { try Handle.checked(text) }
  }

  @Test(arguments: ["admin", "Admin", "a.d.min", "ad_min", "guest", "clipfeed", "www", "@support"])
  func nobodyMayHaveAHandleOfTheOperator(_ text: String) {
    #expect(throws: AppError(.handleTaken, field: "handle")) { try Handle.checked(text) }
  }

  @Test func whiteSpaceIsWhatUnicodeSaysAndNothingThatIsMerelyUnseen() {
    #expect(Handle.folded(" \u{A0}@Mara\u{3000}\n") == "mara")
    for other in [
      "\u{200B}mara", "mara\u{200D}", "\u{2060}mara", "@\u{301}mara", "\u{212A}ate", "\u{D4E}mara",
    ] {
      #expect(!["mara", "kate"].contains(Handle.folded(other)), "\(other.unicodeScalars.map(\.value))")
    }
    #expect(EmailAddress.key(" M@B.example ") == "m@b.example")
    #expect(EmailAddress.key("\u{200B}m@b.example") != "m@b.example")
  }
}

@Suite struct PersonNameTests {
  @Test(arguments: [
    ("Mara", "Mara"), ("  Mara   Lind ", "Mara Lind"), ("Zoe\u{308}", "Zo\u{EB}"), ("मारा", "मारा"),
    ("👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"), ("محمد", "محمد"), ("O'Neil; --", "O'Neil; --"), ("<b>", "<b>"),
    (String(repeating: "👩🏽‍🚀", count: 50), String(repeating: "👩🏽‍🚀", count: 50)),
  ])
  func aNameIsKeptAsItIsSeen(_ given: String, _ kept: String) throws {
    #expect(Array(try PersonName.checked(given).utf8) == Array(kept.utf8))
  }

  @Test(arguments: [
    "", " ", "\u{200D}", "\u{301}\u{301}", "a\u{0}", "a\tb", "a\nb", "a\u{2028}b", "\u{202E}arm",
    "\u{2066}a\u{2069}",
    "a\u{200B}b", "\u{FEFF}a", "\u{E000}", "\u{3164}", String(repeating: "a", count: 51),
    "a" + String(repeating: "\u{301}", count: 17),
  ])
  func whatCannotBeSeenOrIsTooMuchIsNoName(_ text: String) throws {
    let error = try #require(throws: AppError.self) { try PersonName.checked(text) }
    #expect(error.code == .nameInvalid && error.field == "name")
  }
}

@Suite struct EmailAddressTests {
  @Test(arguments: ["a@b.co", "mara.lind+clips@mail.example.org", "x_y-z@a-b.example", " a@b.co "])
  func addressesOfPeopleAreTaken(_ text: String) throws { _ = try EmailAddress.checked(text) }

  @Test(arguments: [
    "", "a", "@", "a@b", "a@b.", "a@.b", "a@@b.co", "a b@c.de", "a@b.co\nBcc: c@d.ef", "-oX@b.co", "a@-b.co",
    "a@b-.co",
    "\"a\"@b.co", "a@[127.0.0.1]", "ä@b.co", "a@bü.de", ".a@b.co", "a.@b.co", "a..b@c.de", "a@b.co,c@d.ef",
    "<a@b.co>",
    String(repeating: "a", count: 65) + "@b.co", "a@" + String(repeating: "b", count: 64) + ".co",
  ])
  func whatCouldBeMoreThanAnAddressIsNone(_ text: String) {
    #expect(throws: AppError(.emailInvalid, field: "email")) { try EmailAddress.checked(text) }
  }
}

@Suite struct PasswordTests {
  @Test(arguments: [
    "correct horse", "šťavnatý", "🐎🔋📎🐎🔋📎🐎!", "        x", "a\u{0}bcdefgh",
    String(repeating: "ab", count: 256),
  ])
  func aLongEnoughPasswordIsTaken(_ text: String) throws { _ = try Password.checked(text, handle: "mara") }

  @Test(arguments: [
    ("", ErrorCode.passwordTooShort), ("1234567", .passwordTooShort),
    ("e\u{301}e\u{301}e\u{301}e\u{301}", .passwordTooShort),
    ("password", .passwordTooCommon), ("PassWord", .passwordTooCommon), ("aaaaaaaaaa", .passwordTooCommon),
    ("mara.lind", .passwordTooCommon), ("ml@mail.example", .passwordTooCommon),
    (String(repeating: "ab", count: 257), .passwordTooLong),
    (String(repeating: "a", count: 1_000_000), .passwordTooLong),
  ])
  func aWeakOrHugeOneIsNot(_ text: String, _ code: ErrorCode) {
    #expect(throws: AppError(code, field: "password")) {
      try Password.checked(text, handle: "mara.lind", email: "ML@mail.example")
    }
  }

  @Test func twoSpellingsOfOneLetterAreOnePassword() {
    #expect(Password.bytes("cafe\u{301} au lait") == Password.bytes("caf\u{E9} au lait"))
  }
}

@Suite struct Argon2Tests {
  private let hashing = Argon2Passwords()

  /// A value of the reference implementation's own tests (v=19, 64 MiB, 2 passes).
  @Test func theReferencesHashIsRead() async throws {
    let hash =
      "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
    #expect(try await hashing.isRight(Array("password".utf8), for: hash))
    #expect(try await !hashing.isRight(Array("Password".utf8), for: hash))
    #expect(hashing.isOutdated(hash))
  }

  @Test func aHashSaysItsParametersAndTwoOfOnePasswordDiffer() async throws {
    let password = Array("correct horse".utf8)
    let (one, other) = (try await hashing.hash(password), try await hashing.hash(password))
    #expect(one.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
    #expect(one != other)
    #expect(try await hashing.isRight(password, for: one))
    #expect(try await hashing.isRight(password, for: other))
    #expect(!hashing.isOutdated(one))
  }

  @Test func noPasswordFitsTheDecoyAndItCostsWhatAnyOtherDoes() async throws {
    #expect(try await !hashing.isRight([], for: hashing.decoy))
    #expect(!hashing.isOutdated(hashing.decoy))
  }

  @Test func aZeroByteDoesNotEndAPassword() async throws {
    let hash = try await hashing.hash([97, 0, 98])
    #expect(try await !hashing.isRight([97, 0, 99], for: hash))
  }

  @Test func whoeverIsOneTooManyIsToldToComeAgain() async throws {
    let refused = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<200 {
        group.addTask {
          do {
            _ = try await hashing.isRight([1], for: hashing.decoy)
            return false
          } catch { return (error as? AppError)?.code == .unavailable }
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect((1..<200).contains(refused))
  }
}
