internal import Contract
internal import Foundation
public import Platform

extension S3Blobs: DirectReads {
  public var readOrigin: String { bucket.origin }

  public func readAddress(_ name: BlobName, seconds: Int) -> String {
    // Signed as if at the start of the running span, and valid for two: the same text during a span.
    let spanMs = Int64(max(1, seconds)) * 1000
    let start = client.clock.nowMs / spanMs * spanMs
    return client.presigned("GET", key(name), seconds: max(1, seconds) * 2, at: start)
  }
}

/// Uploads that go straight to the bucket. Their parts are joined under `PREFIX/incoming/`, read and verified
/// there, and only then copied, inside the storage, to the name that they earned.
extension S3Blobs: DirectUploads {
  public var sendOrigin: String { bucket.origin }
  /// What Amazon asks of all parts but the last.
  public var minimumPartBytes: Int { 5 << 20 }
  public var maximumParts: Int { FileParts.maximumParts }

  public func begin() async throws -> DirectUpload {
    try await guarded {
      let key = "\(incoming)\(Identifier.make(at: SystemTime()))-\(UInt64.random(in: 0...UInt64.max))"
      let upload = try await client.beginMultipart(key, headers: [])
      return DirectUpload(place: upload.key, id: upload.id)
    }
  }

  public func partAddress(_ number: Int, sizeBytes: Int, of upload: DirectUpload, seconds: Int) -> String {
    client.presigned(
      "PUT", upload.place, query: [("partNumber", "\(number)"), ("uploadId", upload.id)],
      headers: [("content-length", "\(sizeBytes)")], seconds: seconds)
  }

  public func storedParts(_ upload: DirectUpload) async throws -> [StoredPart]? {
    try await guarded { try await impatient.parts(of: upload.multipart) }
  }

  public func complete(
    _ upload: DirectUpload, as name: BlobName, sizeBytes: Int
  ) async throws -> DirectOutcome {
    try await guarded {
      if let parts = try await client.parts(of: upload.multipart) {
        let arrived = parts.reduce(0) { $0 + $1.sizeBytes }
        guard arrived == sizeBytes, !parts.isEmpty else {
          try await discard(upload, client)
          return .differs(sizeBytes: arrived, hash: nil)
        }
        do {
          try await client.complete(upload.multipart, parts)
        } catch let failure as S3Failure where failure.code == "NoSuchUpload" {
          // Somebody else joined it meanwhile.
        }
      }
      // From here on an earlier attempt may have come further, and one beside this may overtake it.
      do {
        if let size = try await client.size(of: upload.place) {
          return try await prove(upload, size, name, sizeBytes)
        }
      } catch let failure as S3Failure where failure.isMissing {}
      return try await client.size(of: key(name)) == sizeBytes ? .stored : .gone
    }
  }

  private func prove(
    _ upload: DirectUpload, _ size: Int, _ name: BlobName, _ sizeBytes: Int
  ) async throws -> DirectOutcome {
    let hash = try await hash(of: upload.place, size)
    guard size == sizeBytes, hash == name.hash else {
      try await discard(upload, client)
      return .differs(sizeBytes: size, hash: hash)
    }
    try await client.copy(upload.place, to: key(name), headers: Self.metadata(name))
    try await client.remove(upload.place)
    return .stored
  }

  public func abort(_ upload: DirectUpload) async throws {
    try await guarded { try await discard(upload, impatient) }
  }

  public func abortStale(before timeMs: Int64) async throws -> Int {
    try await guarded {
      let old = try await client.multiparts(under: bucket.prefix, before: timeMs)
      for upload in old { try await client.abort(upload) }
      var count = old.count
      var mark: String?
      while true {
        let page = try await client.objects(under: incoming, after: mark, limit: 1000)
        guard let last = page.last else { return count }
        for object in page where object.changedMs < timeMs {
          try await client.remove(object.key)
          count += 1
        }
        mark = last.key
      }
    }
  }

  private func discard(_ upload: DirectUpload, _ client: S3Client) async throws {
    try await client.abort(upload.multipart)
    try await client.remove(upload.place)
  }

  private func hash(of key: String, _ size: Int) async throws -> String {
    var hash = RunningHash()
    if size > 0 { try await client.read(key, range: 0..<size) { hash.add($0) } }
    return hash.value
  }
}

extension DirectUpload {
  var multipart: S3Client.Multipart { .init(key: place, id: id) }
}
