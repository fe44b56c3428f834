internal import Foundation

/// A store whose blobs are files of this machine, so that the kernel can send them without the process in
/// between.
public protocol FileReads: Sendable {
  /// Nil: there is no such blob. What was opened can be read to its end even if the blob is removed
  /// meanwhile.
  func open(_ name: BlobName) async throws -> BlobFile?
}

/// An open file, closed with the last reference to it.
public final class BlobFile: Sendable {
  public let descriptor: Int32
  public let sizeBytes: Int

  /// Takes the descriptor over.
  public init(descriptor: Int32, sizeBytes: Int) {
    self.descriptor = descriptor
    self.sizeBytes = sizeBytes
  }

  deinit { close(descriptor) }
}
