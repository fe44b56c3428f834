import Accounts
import Argon2
import Synchronization

/// Hashes quickly, and counts how often it was asked to compare.
final class CountingPasswords: PasswordHashing {
  private let inner = Argon2Passwords(parameters: .init(memoryKiB: 64, passes: 1, lanes: 1))
  private let asked = Mutex<[String]>([])

  var decoy: String { inner.decoy }
  var comparedWith: [String] { asked.withLock { $0 } }
  func forget() { asked.withLock { $0 = [] } }
  func hash(_ password: [UInt8]) async throws -> String { try await inner.hash(password) }
  func isOutdated(_ hash: String) -> Bool { inner.isOutdated(hash) }
  func isRight(_ password: [UInt8], for hash: String) async throws -> Bool {
    asked.withLock { $0.append(hash) }
    return try await inner.isRight(password, for: hash)
  }
}
