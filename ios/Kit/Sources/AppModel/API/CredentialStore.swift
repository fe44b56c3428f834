public import Foundation
internal import MediaStore
internal import Synchronization

/// Where a device keeps its secrets: one value, there whole or not at all.
public protocol CredentialStore: Sendable {
  /// `nil`: nothing was kept. Throws `CredentialStoreError.locked` as long as the device was not unlocked
  /// since it started, and `.failed` for whatever else is in the way; what is kept stays in both cases.
  func load() throws -> Data?
  /// The value of before stays if it throws.
  func save(_ bytes: Data) throws
}

public enum CredentialStoreError: Error, Equatable {
  case locked
  /// With the status of whoever refused.
  case failed(Int32)
}

/// For tests, and where nothing is to be kept.
public final class MemoryCredentialStore: CredentialStore {
  private let bytes: Mutex<Data?>
  private let failure = Mutex<CredentialStoreError?>(nil)

  public init(_ bytes: Data? = nil) { self.bytes = Mutex(bytes) }

  /// What stands in the way of reading and writing.
  public var obstacle: CredentialStoreError? {
    get { failure.withLock { $0 } }
    set { failure.withLock { $0 = newValue } }
  }

  public func load() throws -> Data? {
    if let obstacle { throw obstacle }
    return bytes.withLock { $0 }
  }

  public func save(_ new: Data) throws {
    if let obstacle { throw obstacle }
    bytes.withLock { $0 = new }
  }
}

/// In a file that nobody else of this machine reads: for a system without a keychain.
public struct FileCredentialStore: CredentialStore {
  private let url: URL

  public init(_ url: URL) { self.url = url }

  public func load() throws -> Data? { SealedFile.read(url.path) }

  public func save(_ bytes: Data) throws {
    let folder = url.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try SealedFile.write(bytes, to: url.path, scratch: folder.path)
    } catch let error as DiskError {
      throw CredentialStoreError.failed(error.code)
    } catch {
      throw CredentialStoreError.failed(0)
    }
  }
}
