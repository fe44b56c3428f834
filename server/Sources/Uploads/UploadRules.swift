internal import Contract

/// How much may be uploaded, and for how long an upload waits.
public struct UploadRules: Sendable {
  /// Whether guests may upload; accounts always may.
  public var isOn = true
  /// From the last sign of life to the end of an upload that is not complete.
  public var patienceMs: Int64 = 24 * 3_600_000
  /// The same for one of which no byte has come: whoever begins one sends at once.
  public var emptyPatienceMs: Int64 = 600_000
  /// The same where its bytes go straight to the storage: what has arrived there is seen with the next
  /// question, and on a slow link that may be after the addresses have ended (`addressSeconds`).
  public var emptyDirectPatienceMs: Int64 = 3_600_000
  /// From the last byte of an upload that publishes itself to when the sweep makes its clip, if nobody has
  /// until then. No request is at it any more.
  static let quietMs: Int64 = 600_000
  /// Clips that one sweep makes so: each may take minutes, and what waited too long waits for the sweep.
  static let commitsPerSweep = 20
  /// How long it is remembered what became of an upload.
  public var memoryMs: Int64 = 7 * 24 * 3_600_000
  /// Uploads that one account may have open.
  public var openPerAccount = 20
  /// Bytes of one account within a day: declared ones, or those that came where nothing was declared.
  public var bytesPerAccountPerDay = 2 << 30
  /// Bytes that are there of all uploads that are open, or on their way in a request. What was only declared
  /// counts as a `declaredShare`th, so that nobody shuts everybody out by words alone.
  public var openBytes = 20 << 30
  static let declaredShare = 64
  /// Bytes that an upload is given room for at a time, where a request does not say how many it has. Each
  /// time costs a transaction.
  static let roomStepBytes = 4 << 20
  /// Bytes between two looks at the disk: with 500 requests at once they are what the reserve is.
  static let lookStepBytes = 1 << 20
  /// Bytes that stay free on the disk, for the database and for the clips that are being made.
  public var reserveBytes = 512 << 20

  /// From how many bytes on an upload goes straight to the storage, if that can be and the upload's protocol
  /// knows of it. Nil: none does.
  public var directFromBytes: Int?
  /// How long the address of a part is good for: a part on a slow link, and not much that somebody else could
  /// do with it.
  public var addressSeconds = 900

  public init() {}

  /// In milliseconds.
  static let dayMs: Int64 = 86_400_000

  /// Every size: with several servers behind one address, what is small must not wait on the disk of one of
  /// them either.
  public static let directSizes = 1
  /// Addresses in one answer, which stays below `Limits.bodyBytes` also where keys are long (lent ones are).
  static let addressesAtOnce = 20

  static let parts = PartLimits(
    minimumBytes: Limits.uploadPartBytes.lowerBound, maximumBytes: Limits.uploadPartBytes.upperBound)
}
