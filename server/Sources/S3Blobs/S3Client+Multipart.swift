internal import AsyncHTTPClient
internal import Foundation
internal import NIOHTTP1
internal import Platform

/// An object that is sent in parts, and appears when they are joined.
extension S3Client {
  struct Multipart: Sendable, Equatable {
    let key: String
    let id: String
  }

  func beginMultipart(_ key: String, headers: [SigV4.Pair]) async throws -> Multipart {
    // NB: after a lost answer there may be one that nobody knows. It holds nothing, and ends as stale ones.
    let call = S3Call(method: .POST, key: key, query: [("uploads", "")], headers: headers)
    guard let id = try await xml(call, "InitiateMultipartUploadResult")["UploadId"], !id.isEmpty else {
      throw S3Failure.unreadable
    }
    return Multipart(key: key, id: id)
  }

  func sendPart(_ number: Int, of upload: Multipart, _ body: FileBody, sha256: String) async throws
    -> StoredPart
  {
    let call = S3Call(
      method: .PUT, key: upload.key, query: [("partNumber", "\(number)"), ("uploadId", upload.id)],
      payload: .file(body, sha256: sha256))
    guard let tag = try await answer(call).headers.first(name: "etag") else { throw S3Failure.unreadable }
    return StoredPart(number: number, sizeBytes: body.range.count, tag: tag)
  }

  /// Nil: there is no such upload.
  func parts(of upload: Multipart) async throws -> [StoredPart]? {
    var parts: [StoredPart] = []
    while true {
      let call = S3Call(
        method: .GET, key: upload.key,
        query: [("uploadId", upload.id), ("part-number-marker", "\(parts.last?.number ?? 0)")])
      let page: XMLElement
      do {
        page = try await xml(call, "ListPartsResult")
      } catch let failure as S3Failure where failure.status == 404 {
        return nil
      }
      let more = try page.all("Part").map { entry in
        guard let number = entry["PartNumber"].flatMap({ SafeInteger.read($0) }), let tag = entry["ETag"],
          let size = entry["Size"].flatMap({ SafeInteger.read($0) }), number > parts.last?.number ?? 0
        else { throw S3Failure.unreadable }
        return StoredPart(number: number, sizeBytes: size, tag: tag)
      }
      parts += more
      guard page["IsTruncated"] == "true", !more.isEmpty else { return parts }
    }
  }

  /// Joins the parts. One that was joined before, and of which only the answer was lost, is fine.
  func complete(_ upload: Multipart, _ parts: [StoredPart]) async throws {
    let entries = parts.sorted { $0.number < $1.number }.map {
      let tag = $0.tag.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      return "<Part><PartNumber>\($0.number)</PartNumber><ETag>\(tag)</ETag></Part>"
    }
    let body =
      "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\(entries.joined())"
      + "</CompleteMultipartUpload>"
    let call = S3Call(
      method: .POST, key: upload.key, query: [("uploadId", upload.id)], payload: .bytes(Array(body.utf8)))
    do {
      _ = try await xml(call, "CompleteMultipartUploadResult")
    } catch let failure as S3Failure where failure.code == "NoSuchUpload" {
      let wanted = parts.reduce(0) { $0 + $1.sizeBytes }
      guard try await size(of: upload.key) == wanted else { throw failure }
    }
  }

  /// One that is not there is as good as aborted.
  func abort(_ upload: Multipart) async throws {
    do {
      _ = try await answer(S3Call(method: .DELETE, key: upload.key, query: [("uploadId", upload.id)]))
    } catch let failure as S3Failure where failure.status == 404 {
      return
    }
  }

  /// All that began before a time and were neither joined nor aborted.
  func multiparts(under prefix: String, before timeMs: Int64) async throws -> [Multipart] {
    var old: [Multipart] = []
    var place: [SigV4.Pair] = []
    while true {
      let call = S3Call(method: .GET, key: nil, query: [("uploads", ""), ("prefix", prefix)] + place)
      let page = try await xml(call, "ListMultipartUploadsResult")
      for entry in page.all("Upload") {
        guard let key = entry["Key"], let id = entry["UploadId"],
          let began = entry["Initiated"].flatMap(Timestamps.iso)
        else { throw S3Failure.unreadable }
        // Some services list what is beside the prefix too.
        if began < timeMs, key.hasPrefix(prefix) { old.append(Multipart(key: key, id: id)) }
      }
      guard page["IsTruncated"] == "true", let key = page["NextKeyMarker"],
        let id = page["NextUploadIdMarker"], place.map(\.value) != [key, id]
      else { return old }
      place = [("key-marker", key), ("upload-id-marker", id)]
    }
  }
}

extension S3Blobs {
  /// Parts that are sent at a time. Each holds a piece of `BlobPiece.maximumBytes`, whatever the blob's size.
  static let partsAtOnce = 3

  func putInParts(_ file: FileParts, _ name: BlobName) async throws {
    let upload = try await client.beginMultipart(key(name), headers: Self.metadata(name))
    do {
      try await client.complete(upload, try await send(file, upload))
    } catch {
      // NB: a cancelled task cannot send anything any more; the abort gets a task of its own. If it fails
      // too, the parts are stale some day.
      try? await Task { try await client.abort(upload) }.value
      throw error
    }
  }

  private func send(_ file: FileParts, _ upload: S3Client.Multipart) async throws -> [StoredPart] {
    try await withThrowingTaskGroup(of: StoredPart.self) { group in
      var sent: [StoredPart] = []
      for (index, part) in file.parts.enumerated() {
        if index >= Self.partsAtOnce, let one = try await group.next() { sent.append(one) }
        group.addTask {
          try await client.sendPart(index + 1, of: upload, part.body, sha256: part.sha256)
        }
      }
      for try await one in group { sent.append(one) }
      return sent
    }
  }
}
