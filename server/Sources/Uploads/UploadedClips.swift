public import Contract
public import Platform

/// What becomes of an upload.
public protocol UploadedClips: Sendable {
  /// Throws the refusal if these first bytes cannot be those of a video that is taken.
  func check(firstBytes: [UInt8]) throws
  /// Registers the content as a clip and asks for its conversion. Content that is a public clip already stays
  /// that clip, unless this one is not to be public; it is not new then, and whose it is does not change.
  /// `language`: of a clip of which `details` say none.
  func register(
    source hash: String, details: ClipDetails, language: String?, account: String, isGenerated: Bool,
    in transaction: any Transaction
  ) throws -> (id: String, isNew: Bool)
  /// True: it has another visibility than before.
  func describe(_ clipID: String, _ details: ClipDetails, in transaction: any Transaction) throws -> Bool
  func state(of clipID: String) async throws -> UploadedClipState
  /// Those of these clips that can be watched, whoever can.
  func watchable(_ clipIDs: [String]) async throws -> [String: Clip]
  /// Nobody but its owner sees it, until `restore`, whatever is said about it meanwhile. Once more changes
  /// nothing.
  func remove(_ clipID: String, in transaction: any Transaction) throws
  /// Whoever saw it before it was removed sees it again.
  func restore(_ clipID: String, in transaction: any Transaction) throws
  /// As it will be if it comes back; nil for one that is not removed.
  func visibility(ofRemoved clipID: String, in transaction: any Transaction) throws -> Visibility?
  /// With all that others left at it, and whatever was still to be done to it.
  func delete(_ clipID: String, in transaction: any Transaction) throws
}

public enum UploadedClipState: Sendable, Equatable {
  /// Nil: the work is not known (any more).
  case processing(ProcessingReport?)
  /// It can be watched, even if renditions still follow.
  case published(ProcessingReport?)
  case refused(AppError)
}
