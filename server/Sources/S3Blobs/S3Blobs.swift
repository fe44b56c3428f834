internal import AsyncHTTPClient
internal import Contract
public import Foundation
internal import NIOHTTP1
internal import NIOPosix
public import Platform
internal import Synchronization

/// Blobs as objects of a bucket: `PREFIX/ab/ab12….mp4`, with the type and the caching that a reader needs who
/// comes to the bucket itself. What is under way lies under `PREFIX/incoming/`, out of the way of listings.
///
/// Objects appear whole or not at all; that is S3's promise, and all that atomicity rests on.
public struct S3Blobs: BlobStore {
  let bucket: S3Bucket
  let client: S3Client
  private let sizes: SizeMemory

  public init(bucket: S3Bucket, time: any TimeSource = SystemTime()) {
    self.init(bucket: bucket, time: time, http: S3Client.shared)
  }

  init(bucket: S3Bucket, time: any TimeSource, http: HTTPClient) {
    self.bucket = bucket
    client = S3Client(bucket: bucket, http: http, clock: StorageClock(time: time))
    sizes = SizeMemory(time: time)
  }

  public func put(fileAt source: URL, ext: String) async throws -> BlobName {
    let file = try await NIOThreadPool.singleton.runIfActive { try FileParts(source) }
    guard let name = BlobName(hash: file.hash, ext: ext) else {
      throw AppError(.internalError, "blobs of kind \(ext) are not known")
    }
    try await guarded {
      if file.parts.count == 1 {
        _ = try await client.answer(
          S3Call(
            method: .PUT, key: key(name), headers: Self.metadata(name),
            payload: .file(file.parts[0].body, sha256: file.hash)))
      } else {
        try await putInParts(file, name)
      }
    }
    try? FileManager.default.removeItem(at: source)
    return name
  }

  public func size(_ name: BlobName) async throws -> Int? {
    if let known = sizes[name] { return known }
    let size = try await guarded { try await client.size(of: key(name)) }
    sizes[name] = size
    return size
  }

  public func read(
    _ name: BlobName, range: Range<Int>, _ piece: (ArraySlice<UInt8>) async throws -> Void
  ) async throws {
    guard !range.isEmpty else {
      guard try await size(name) != nil else { throw AppError(.mediaNotFound) }
      return
    }
    try await guarded { try await client.read(key(name), range: range, piece) }
  }

  public func remove(_ name: BlobName) async throws {
    sizes[name] = nil
    try await guarded { try await client.remove(key(name)) }
  }

  public func remove(_ name: BlobName, ifOlderThan time: Date) async throws -> Bool {
    let object = try await guarded {
      // The one object that is listed first behind everything before it.
      try await client.objects(under: key(name), after: nil, limit: 1).first
    }
    guard let object, object.key == key(name) else { return true }
    guard Double(object.changedMs) / 1000 < time.timeIntervalSince1970 else { return false }
    try await remove(name)
    return true
  }

  /// There is nothing that only a crash leaves: parts under way may be a client's, who has a week
  /// (`abortStale`).
  public func clearLeftovers(olderThan time: Date) async throws {}

  public func list(after: BlobName?, limit: Int) async throws -> [StoredBlob] {
    try await guarded {
      var found: [StoredBlob] = []
      var mark = after.map(key)
      // Objects that are no blobs can fill a page; the next may have some.
      while found.isEmpty {
        let page = try await client.objects(under: bucket.prefix, after: mark, limit: limit)
        found = page.compactMap { object in
          guard let name = BlobName(String(object.key.split(separator: "/").last ?? "")),
            key(name) == object.key
          else { return nil }
          return StoredBlob(name: name, sizeBytes: object.sizeBytes, changedMs: object.changedMs)
        }
        guard let last = page.last else { break }
        mark = last.key
      }
      return found
    }
  }

  public func checkWritable() async throws {
    let quick = impatient
    let key = "\(incoming)probe-\(UInt64.random(in: 0...UInt64.max))"
    try await guarded {
      _ = try await quick.answer(S3Call(method: .PUT, key: key, payload: .bytes(Array("ok".utf8))))
      try await quick.remove(key)
    }
  }

  /// For whoever waits for the answer, and asks again.
  var impatient: S3Client {
    var client = client
    client.attempts = 2
    return client
  }

  var incoming: String { "\(bucket.prefix)incoming/" }
  func key(_ name: BlobName) -> String { "\(bucket.prefix)\(name.shard)/\(name)" }

  static func metadata(_ name: BlobName) -> [SigV4.Pair] {
    [("cache-control", "public, max-age=31536000, immutable"), ("content-type", name.contentType)]
  }

  /// Failures of the storage as the errors that others know.
  func guarded<Value>(_ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch let error as S3Failure {
      throw error.appError
    } catch let error as TakerFailed {
      throw error.error
    }
  }
}

/// Sizes of blobs that were asked for lately: a viewer fetches a clip in many ranges, and each would cost a
/// round trip to the storage before its own. A blob's content never changes; that it is gone is noticed after
/// a minute.
private final class SizeMemory: Sendable {
  static let validMs: Int64 = 60_000
  /// Some 500 KB.
  static let most = 4096

  private let time: any TimeSource
  private let known = Mutex<[BlobName: (size: Int, untilMs: Int64)]>([:])

  init(time: any TimeSource) { self.time = time }

  subscript(name: BlobName) -> Int? {
    get {
      let now = time.nowMs
      return known.withLock { $0[name].flatMap { $0.untilMs > now ? $0.size : nil } }
    }
    set {
      let now = time.nowMs
      known.withLock { known in
        if known.count >= Self.most { known = known.filter { $0.value.untilMs > now } }
        if known.count >= Self.most { known.removeAll() }
        known[name] = newValue.map { ($0, now + Self.validMs) }
      }
    }
  }
}
