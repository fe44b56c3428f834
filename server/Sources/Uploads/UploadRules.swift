internal import Contract

/// How much may be uploaded, and for how long an upload waits.
public struct UploadRules: Sendable {
  /// Whether guests may upload; accounts always may.
  public var isOn = true
  /// From the last sign of life to the end of an upload that is not complete.
  public var patienceMs: Int64 = 24 * 3_600_000
  /// How long it is remembered what became of an upload.
  public var memoryMs: Int64 = 7 * 24 * 3_600_000
  /// Uploads that one account may have open.
  public var openPerAccount = 20
  /// Declared bytes of one account within a day.
  public var bytesPerAccountPerDay = 2 << 30
  /// Declared bytes of all uploads that are open.
  public var openBytes = 20 << 30
  /// Bytes that stay free on the disk, for the database and for the clips that are being made.
  public var reserveBytes = 512 << 20

  /// From how many bytes on an upload goes straight to the storage, if that can be and the upload's protocol knows of it.
  /// Nil: none does.
  public var directFromBytes: Int?
  /// How long the address of a part is good for: a part on a slow link, and not much that somebody else could do with it.
  public var addressSeconds = 900

  public init() {}

  /// Every size: with several servers behind one address, what is small must not wait on the disk of one of them either.
  public static let directSizes = 1
  /// Addresses in one answer, which stays below `Limits.bodyBytes` also where keys are long (lent ones are).
  static let addressesAtOnce = 20

  static let parts = PartLimits(
    minimumBytes: Limits.uploadPartBytes.lowerBound, maximumBytes: Limits.uploadPartBytes.upperBound)
}
