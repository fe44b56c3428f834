import Foundation
import Platform

@testable import PlatformTesting

/// A store that does nothing as long as it has a failure, as a bucket does that is away or full.
struct FailingBlobs: BlobStore {
  let real: any BlobStore
  let failure: Shared<AppError?>

  private func check() throws {
    if let failure = failure.with({ $0 }) { throw failure }
  }

  func put(fileAt url: URL, ext: String) async throws -> BlobName {
    try check()
    return try await real.put(fileAt: url, ext: ext)
  }
  func size(_ name: BlobName) async throws -> Int? {
    try check()
    return try await real.size(name)
  }
  func read(
    _ name: BlobName, range: Range<Int>, _ piece: (ArraySlice<UInt8>) async throws -> Void
  ) async throws {
    try check()
    try await real.read(name, range: range, piece)
  }
  func remove(_ name: BlobName) async throws {
    try check()
    try await real.remove(name)
  }
  func remove(_ name: BlobName, ifOlderThan time: Date) async throws -> Bool {
    try check()
    return try await real.remove(name, ifOlderThan: time)
  }
  func list(after: BlobName?, limit: Int) async throws -> [StoredBlob] {
    try check()
    return try await real.list(after: after, limit: limit)
  }
  func clearLeftovers(olderThan time: Date) async throws {
    try check()
    try await real.clearLeftovers(olderThan: time)
  }
  func checkWritable() async throws {
    try check()
    try await real.checkWritable()
  }
}
