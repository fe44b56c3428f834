public import Platform

/// What the gateway needs to know of archives that accounts take along.
public protocol ArchiveOpening: Sendable {
  /// Throws `export_not_found` for a seal that was not handed out for this archive, and for one that is gone;
  /// `media_address_expired`.
  func open(_ id: String, by seal: String) async throws -> OpenedArchive
}

/// What a seal opens.
public struct OpenedArchive: Sendable {
  public let blob: BlobName
  /// As it is called where it is kept: letters, digits, hyphens and full stops.
  public let fileName: String
  /// For how many seconds yet.
  public let seconds: Int

  public init(blob: BlobName, fileName: String, seconds: Int) {
    self.blob = blob
    self.fileName = fileName
    self.seconds = seconds
  }
}
