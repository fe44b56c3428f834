import Contract
import Foundation
import Platform
import Testing

@testable import Accounts
@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// A name has many spellings, and an account one bucket of guesses.
@Suite(.everyEngine) struct SpellingTests {
  private let bench: TestInstance
  private let clock = TestTime(ms: SystemTime().nowMs)

  init() async throws { bench = try await TestInstance() }

  @Test func guessesAreCountedByAccountHoweverItIsSpelled() async throws {
    try await bench.servingAccounts(clock, proxies: 1) { [bench] socket async throws in
      _ = try await Client(transport: socket).signUp(NewAccount("mara"))
      try await bench.instance.database.write {
        try $0.execute("UPDATE accounts SET email = 'M@b.example', email_key = 'm@b.example'")
      }
      func guess(_ handle: String, _ password: String, from address: Int) async throws -> Int {
        let body = try WireCoding.encode(NewSession(handle: handle, password: password, transport: .token))
        return try await socket.answer(
          "POST", "/api/v1/sessions", String(decoding: body, as: UTF8.self),
          ["x-forwarded-for": "10.0.0.\(address)"]
        ).status
      }
      let spellings = ["mara", "@mara", " MARA", "mara\u{3000}", "m@b.example", " M@B.example\u{2009}"]
      for number in 0..<20 {
        #expect(try await guess(spellings[number % spellings.count], "wrong horse", from: number) == 401)
      }
      for (number, spelling) in spellings.enumerated() {
        #expect(try await guess(spelling, "correct horse", from: 100 + number) == 429, "\(spelling)")
      }
      // Letters that nobody sees make another name, which nobody has: no way in, and no bucket of its own
      // beside the account's.
      for (number, other) in ["\u{200B}mara", "mara\u{FEFF}", "@\u{301}mara", "@@mara"].enumerated() {
        #expect(try await guess(other, "correct horse", from: 150 + number) == 401, "\(other)")
      }
    }
  }

  @Test func spellingsOfANameThatNobodyHasAreOneName() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    func key(_ name: String) async throws -> String { try await accounts.guessed(by: name).key }
    let nobody = try await key("nobody")
    for spelling in ["NOBODY", "@nobody", " \tnobody\u{2003}"] {
      #expect(try await key(spelling) == nobody)
    }
    #expect(try await key("somebody") != nobody)
    // However long: memory holds no more than a hash.
    let long = try await key(String(repeating: "e\u{301}", count: 40_000))
    #expect(long.utf8.count < 80)
    #expect(try await key(String(repeating: "x", count: 100_000)) == long)
  }
}
