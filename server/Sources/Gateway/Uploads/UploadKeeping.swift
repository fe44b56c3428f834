public import Contract
public import Platform

/// What the gateway needs of uploads. Each throws `upload_not_found` and `upload_expired` where it names one.
public protocol UploadKeeping: Sendable {
  /// Throws `uploads_off`, `empty_file`, `file_too_large`, `upload_quota`, `storage_full`,
  /// `idempotency_key_reused`, `invalid_parameter`. `language`: what the sender reads, the first part of a
  /// tag of BCP 47 in lower case; nil: it is not known.
  func create(
    _ new: NewUpload, key: IdempotencyKey?, publishesItself: Bool, by owner: UploadOwner, language: String?
  ) async throws -> UploadStatus
  /// What an account began is the account's: its id alone opens it for looking, and for nothing else.
  func isOwner(of id: String, _ viewer: Viewer?) async throws -> Bool
  /// Throws `sign_in_needed` and `upload_not_found` for who may not change it.
  func requireOwner(of id: String, _ viewer: Viewer?) async throws
  func upload(_ id: String) async throws -> UploadStatus
  /// As `upload`, once no other request adds to it any more.
  func settledOffset(_ id: String) async throws -> UploadStatus
  /// Throws `upload_offset_mismatch`, `upload_too_long`, `upload_closed`, `upload_busy`,
  /// `upload_checksum_mismatch`, `storage_full`, and refusals of the content. What came before an error of
  /// the connection is kept.
  func append<Piece: Collection<UInt8> & Sendable>(
    _ pieces: some AsyncSequence<Piece, any Error> & Sendable, to id: String, at offset: Int,
    announced: Int?, ends: Bool, checksum: PieceChecksum?
  ) async throws -> Int
  /// Commits what publishes itself once all its bytes are there; answers with anything else as it stands.
  func commitIfComplete(_ id: String) async throws -> UploadStatus
  /// Throws `upload_incomplete` and `upload_hash_mismatch`.
  func commit(_ id: String) async throws -> UploadStatus
  /// `changesAccess`: others may see the clip now who could not before, or the other way round. Throws
  /// `clip_not_yours` and `invalid_parameter`.
  func describe(
    _ id: String, _ details: ClipDetails
  ) async throws -> (upload: UploadStatus, changesAccess: Bool)
  /// Throws `upload_closed` for one that became a clip.
  func terminate(_ id: String) async throws
}
