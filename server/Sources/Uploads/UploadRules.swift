internal import Contract

/// How much may be uploaded, and for how long an upload waits.
public struct UploadRules: Sendable {
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

  public init() {}

  static let parts = PartLimits(
    minimumBytes: Limits.uploadPartBytes.lowerBound, maximumBytes: Limits.uploadPartBytes.upperBound)
}
