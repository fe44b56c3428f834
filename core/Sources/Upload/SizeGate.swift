public import CoreTypes

/// What happens to a file before a byte of it moves. Numbers are those of the contract's `Limits`.
public enum SizeGate {
  /// Smaller files go as they are: compressing would take longer than it saves.
  public static let compressedFrom = Bytes(10 * 1024 * 1024)
  public static let largest = Bytes(50 * 1024 * 1024)
  public static let longest = Milliseconds(60_000)
  /// Cameras round up: a recording of 60 s is often a frame longer.
  public static let tolerance = Milliseconds(500)
  public static let shortest = Milliseconds(100)

  enum Verdict: Equatable {
    case accept
    case compress
    /// Too much for this reason, but a part of it would do.
    case trim(Upload.Reason)
    case refuse(Upload.Reason)
  }

  static func verdict(_ source: SourceFile, canCompress: Bool, canTrim: Bool) -> Verdict {
    guard source.kind != .unknown else { return .refuse(.unknownKind) }
    guard source.size > .zero else { return .refuse(.empty) }
    if source.duration != SourceFile.unknownDuration, source.duration < shortest { return .refuse(.tooShort) }
    if source.duration > longest + tolerance { return canTrim ? .trim(.tooLong) : .refuse(.tooLong) }
    if source.size > largest { return canTrim ? .trim(.tooLarge) : .refuse(.tooLarge) }
    return canCompress && source.size >= compressedFrom ? .compress : .accept
  }
}
