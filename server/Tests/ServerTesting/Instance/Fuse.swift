import Foundation
import Platform
import Synchronization

/// Counts the calls of a process to the world outside (database, blobs, tools), before and after each, and
/// ends it at a chosen one as `kill -9` does. It stands around the ports, so that the program itself
/// knows no such thing, and a call that is added later is counted too.
final class Fuse: Sendable {
  private let calls = Mutex(0)
  private let puts = Mutex(0)
  private let blowsAt: Int
  private let blowsAtPut: Int

  /// `put`: at the nth blob that is stored, whose place in the job is always the same; how many calls there
  /// are at all varies with ffmpeg's reports.
  init(at call: Int = .max, put: Int = .max) {
    blowsAt = call
    blowsAtPut = put
  }

  var count: Int { calls.withLock { $0 } }

  func burn() {
    let isLast = calls.withLock { calls in
      calls += 1
      return calls >= blowsAt
    }
    if isLast { kill(getpid(), SIGKILL) }
  }

  func burnAtPut() {
    let number = puts.withLock { puts in
      puts += 1
      return puts
    }
    if number == blowsAtPut { kill(getpid(), SIGKILL) }
  }

  func around<Value>(_ call: () async throws -> Value) async throws -> Value {
    burn()
    defer { burn() }
    return try await call()
  }
}

struct FusedDatabase: Database {
  let real: any Database
  let fuse: Fuse

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws -> Value
  ) async throws -> Value { try await fuse.around { try await real.read(body) } }

  func readOnce<Value: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws -> Value
  ) async throws -> Value { try await fuse.around { try await real.readOnce(body) } }

  @discardableResult
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws -> Value
  ) async throws -> Value {
    try await fuse.around {
      try await real.write { transaction in
        let value = try body(transaction)
        // Inside too: a transaction that is cut off must leave nothing.
        fuse.burn()
        return value
      }
    }
  }
}

struct FusedBlobs: BlobStore {
  let real: any BlobStore
  let fuse: Fuse

  func put(fileAt url: URL, ext: String) async throws -> BlobName {
    fuse.burnAtPut()
    return try await fuse.around { try await real.put(fileAt: url, ext: ext) }
  }
  func size(_ name: BlobName) async throws -> Int? { try await fuse.around { try await real.size(name) } }
  func read(
    _ name: BlobName, range: Range<Int>, _ piece: (ArraySlice<UInt8>) async throws -> Void
  ) async throws { try await fuse.around { try await real.read(name, range: range, piece) } }
  func remove(_ name: BlobName) async throws { try await fuse.around { try await real.remove(name) } }
  func remove(_ name: BlobName, ifOlderThan time: Date) async throws -> Bool {
    try await real.remove(name, ifOlderThan: time)
  }
  func list(after: BlobName?, limit: Int) async throws -> [StoredBlob] {
    try await real.list(after: after, limit: limit)
  }
  func clearLeftovers(olderThan time: Date) async throws { try await real.clearLeftovers(olderThan: time) }
  func checkWritable() async throws { try await real.checkWritable() }
}
