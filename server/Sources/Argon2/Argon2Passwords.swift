public import Accounts
internal import CArgon2
internal import Contract
internal import Foundation
internal import NIOCore
internal import NIOPosix
internal import Platform
internal import Synchronization

/// The PasswordHashing port on libargon2: Argon2id (RFC 9106) with the parameters of OWASP's password storage
/// cheat sheet, 19 MiB of memory, 2 passes, 1 lane.
///
/// Each run holds its memory and a core, so only a few happen at a time, on threads of their own; event loops
/// go on.
public final class Argon2Passwords: PasswordHashing {
  public struct Parameters: Sendable, Equatable {
    public var memoryKiB: UInt32
    public var passes: UInt32
    public var lanes: UInt32

    public init(memoryKiB: UInt32, passes: UInt32, lanes: UInt32) {
      self.memoryKiB = memoryKiB
      self.passes = passes
      self.lanes = lanes
    }

    public static let owasp = Parameters(memoryKiB: 19_456, passes: 2, lanes: 1)
  }

  /// RFC 9106, 4: 128 bits of salt, 256 bits of tag.
  private static let saltBytes = 16
  private static let tagBytes = 32
  /// One core is left for those who are signed in.
  private static let threads = max(1, min(8, System.coreCount - 1))
  /// Seconds of work for the threads: whoever comes on top is told to come again.
  private static let waiting = 32

  private let parameters: Parameters
  private let pool = NIOThreadPool(numberOfThreads: threads)
  private let inside = Mutex(0)

  public init(parameters: Parameters = .owasp) {
    self.parameters = parameters
    pool.start()
  }

  deinit { pool.shutdownGracefully { _ in } }

  public var decoy: String {
    let salt = Self.base64([UInt8](repeating: 0, count: Self.saltBytes))
    return Self.prefix(parameters) + salt + "$" + Self.base64([UInt8](repeating: 0, count: Self.tagBytes))
  }

  public func hash(_ password: [UInt8]) async throws -> String {
    let salt = (0..<Self.saltBytes).map { _ in UInt8.random(in: 0...255) }
    return try await work { [parameters] in
      let length = argon2_encodedlen(
        parameters.passes, parameters.memoryKiB, parameters.lanes, UInt32(Self.saltBytes),
        UInt32(Self.tagBytes), Argon2_id)
      var encoded = [CChar](repeating: 0, count: Int(length))
      let code = argon2id_hash_encoded(
        parameters.passes, parameters.memoryKiB, parameters.lanes, password, password.count, salt,
        salt.count, Self.tagBytes, &encoded, encoded.count)
      guard code == ARGON2_OK.rawValue else { throw Self.failure(code) }
      return String(decoding: encoded.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  public func isRight(_ password: [UInt8], for hash: String) async throws -> Bool {
    try await work {
      switch argon2id_verify(hash, password, password.count) {
      case ARGON2_OK.rawValue: true
      case ARGON2_VERIFY_MISMATCH.rawValue: false
      case let code: throw Self.failure(code)
      }
    }
  }

  public func isOutdated(_ hash: String) -> Bool { !hash.hasPrefix(Self.prefix(parameters)) }

  private func work<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    let hasRoom = inside.withLock { count in
      guard count < Self.threads + Self.waiting else { return false }
      count += 1
      return true
    }
    guard hasRoom else {
      throw AppError(.unavailable, "Too many people sign in at this moment; try again in a moment.")
    }
    defer { inside.withLock { $0 -= 1 } }
    return try await pool.runIfActive {
      // Whoever guesses must not make those wait who are signed in.
      ThreadPriority.lower()
      return try body()
    }
  }

  private static func prefix(_ parameters: Parameters) -> String {
    "$argon2id$v=19$m=\(parameters.memoryKiB),t=\(parameters.passes),p=\(parameters.lanes)$"
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("=", with: "")
  }

  private static func failure(_ code: Int32) -> AppError {
    AppError(.internalError, "Argon2: \(String(cString: argon2_error_message(code)))")
  }
}
