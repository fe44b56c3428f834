import CoreTypes

/// What of an upload outlives the app. How far it got is not in here: the server knows that better.
///
/// Refuses to be made of numbers that no upload could have stored.
public struct Snapshot: Equatable, Sendable {
  public static let wordCount = 14
  /// Changes when the meaning of a word does.
  static let version: Int64 = 1
  static let largestEpoch: Int32 = 1_000_000

  var seed: UploadKey
  /// How many uploads were begun before this one, for this file.
  var epoch: Int32 = 0
  var size: Bytes
  var duration: Milliseconds
  var kind: SourceFile.Kind
  var hash: FileHash?
  var recreations: Int32 = 0
  var mismatches: Int32 = 0
  /// The file was made from the chosen one.
  var isProduct = false
  /// The server may have heard of it.
  var wasCreated = false
  /// The server may have committed it.
  var wasCommitted = false
  /// The server said that it has.
  var isProcessing = false
  var isCancelling = false
  var isPaused = false
  var isPublishRequested = false

  init(seed: UploadKey, size: Bytes, duration: Milliseconds, kind: SourceFile.Kind) {
    self.seed = seed
    self.size = size
    self.duration = duration
    self.kind = kind
  }

  /// In the order of docs/design/upload.md.
  public var words: [Int64] {
    let flags = [
      hash != nil, isProduct, wasCreated, wasCommitted, isProcessing, isCancelling, isPaused,
      isPublishRequested,
    ]
    var bits: Int64 = 0
    for (bit, flag) in flags.enumerated() where flag { bits |= 1 << Int64(bit) }
    return [
      Self.version, seed.high, seed.low, Int64(epoch), bits, size.rawValue, duration.rawValue,
      Int64(kind.rawValue), hash?.first ?? 0, hash?.second ?? 0, hash?.third ?? 0, hash?.fourth ?? 0,
      Int64(recreations), Int64(mismatches),
    ]
  }

  public init?(words: [Int64]) {
    guard words.count == Self.wordCount, words[0] == Self.version,
      let epoch = Int32(exactly: words[3]), (0...Self.largestEpoch).contains(epoch), words[4] >> 8 == 0,
      words[5] > 0, words[5] <= SizeGate.largest.rawValue, words[6] >= SourceFile.unknownDuration.rawValue,
      let kind = Int32(exactly: words[7]).flatMap({ SourceFile.Kind(rawValue: $0) }), kind != .unknown,
      words[12] >= 0, words[12] <= Int64(Upload.recreationLimit), words[13] == 0 || words[13] == 1
    else { return nil }
    self.init(
      seed: UploadKey(high: words[1], low: words[2]), size: Bytes(words[5]), duration: Milliseconds(words[6]),
      kind: kind)
    let has = { (bit: Int64) in words[4] & (1 << bit) != 0 }
    self.epoch = epoch
    hash = has(0) ? FileHash(words[8], words[9], words[10], words[11]) : nil
    isProduct = has(1)
    wasCreated = has(2)
    wasCommitted = has(3)
    isProcessing = has(4)
    isCancelling = has(5)
    isPaused = has(6)
    isPublishRequested = has(7)
    recreations = Int32(words[12])
    mismatches = Int32(words[13])
    // Each of these comes after the one before.
    guard !isProcessing || wasCommitted, !wasCommitted || wasCreated, !wasCreated || hash != nil,
      !isCancelling || !isProcessing
    else { return nil }
  }
}
