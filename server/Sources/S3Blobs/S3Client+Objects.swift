internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import Platform

/// What can be done with one object, and the listing of many.
extension S3Client {
  struct Object {
    let key: String
    let sizeBytes: Int
    let changedMs: Int64
  }

  /// Nil: there is no such object.
  func size(of key: String) async throws -> Int? {
    do {
      let answer = try await answer(S3Call(method: .HEAD, key: key))
      guard let size = answer.headers.first(name: "content-length").flatMap({ SafeInteger.read($0) }) else {
        throw S3Failure.unreadable
      }
      return size
    } catch let failure as S3Failure where failure.isMissing {
      return nil
    }
  }

  /// One that is not there is as good as removed.
  func remove(_ key: String) async throws {
    do {
      _ = try await answer(S3Call(method: .DELETE, key: key))
    } catch let failure as S3Failure where failure.isMissing {
      return
    }
  }

  /// Streams the range, and goes on where it was when the connection is lost: storages close connections on
  /// which a slow viewer takes nothing for a while. Gives up after as many failures as any request if not a
  /// byte came in between.
  func read(
    _ key: String, range: Range<Int>, _ piece: (ArraySlice<UInt8>) async throws -> Void
  ) async throws {
    var single = self
    single.attempts = 1
    var offset = range.lowerBound
    var failures = 0
    while offset < range.upperBound {
      let before = offset
      let header = "bytes=\(offset)-\(range.upperBound - 1)"
      do {
        try await single.perform(S3Call(method: .GET, key: key, headers: [("range", header)])) { response in
          guard response.status == .partialContent,
            response.headers.first(name: "content-range")?.hasPrefix("bytes \(offset)-") == true
          else { throw S3Failure.unreadable }
          for try await buffer in response.body {
            var bytes = Array(buffer.readableBytesView)[...]
            guard bytes.count <= range.upperBound - offset else { throw S3Failure.unreadable }
            while !bytes.isEmpty {
              let next = bytes.prefix(BlobPiece.maximumBytes)
              do { try await piece(next) } catch { throw TakerFailed(error: error) }
              offset += next.count
              bytes = bytes.dropFirst(next.count)
            }
          }
          guard offset == range.upperBound else { throw S3Failure(status: 0, code: "ConnectionClosed") }
        }
      } catch let failure as S3Failure where failure.isTransient {
        failures = offset > before ? 1 : failures + 1
        guard failures < attempts else { throw failure }
        try await Self.pause(after: failures)
      }
    }
  }

  /// A page of objects in the order of their keys, behind a key; empty at the end.
  func objects(under prefix: String, after: String?, limit: Int) async throws -> [Object] {
    var query: [SigV4.Pair] = [
      ("list-type", "2"), ("prefix", prefix), ("max-keys", "\(min(max(limit, 1), 1000))"),
    ]
    if let after { query.append(("start-after", after)) }
    let page = try await xml(S3Call(method: .GET, key: nil, query: query), "ListBucketResult")
    return try page.all("Contents").map { entry in
      guard let key = entry["Key"], let size = entry["Size"].flatMap({ SafeInteger.read($0) }),
        let changed = entry["LastModified"].flatMap(Timestamps.iso)
      else { throw S3Failure.unreadable }
      return Object(key: key, sizeBytes: size, changedMs: changed)
    }
  }

  /// Copies inside the bucket, without the bytes coming here.
  func copy(_ source: String, to key: String, headers: [SigV4.Pair]) async throws {
    let from = "/\(bucket.name)/\(SigV4.encoded(source, keepingSlashes: true))"
    let call = S3Call(
      method: .PUT, key: key,
      headers: headers + [("x-amz-copy-source", from), ("x-amz-metadata-directive", "REPLACE")])
    _ = try await xml(call, "CopyObjectResult")
  }
}
