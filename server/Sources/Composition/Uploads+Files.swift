internal import Contract
internal import Foundation
internal import Platform
internal import Uploads

extension Uploads {
  /// Takes in a file that lies here, as if the account had sent it. The same key again goes on where it broke
  /// off, and is the same upload.
  func take(
    _ file: URL, _ details: ClipDetails, key: IdempotencyKey, by account: String, isGenerated: Bool = false
  ) async throws -> UploadStatus {
    let status: UploadStatus
    if let id = try await known(key) {
      status = try await upload(id)
    } else {
      let new = NewUpload(
        sizeBytes: FileStatus(of: file.path)?.size, sha256: try ContentHash.ofFile(at: file),
        type: "video/mp4", details: details)
      status = try await create(
        new, key: key, publishesItself: false, by: .account(account), isGenerated: isGenerated)
    }
    guard status.state == .receiving else { return status }
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    try handle.seek(toOffset: UInt64(clamping: status.offset))
    let pieces = AsyncThrowingStream<[UInt8], any Error> {
      try handle.read(upToCount: BlobPiece.maximumBytes).flatMap { $0.isEmpty ? nil : [UInt8]($0) }
    }
    _ = try await append(pieces, to: status.id, at: status.offset, announced: nil)
    return try await commit(status.id)
  }
}
