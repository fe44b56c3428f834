/// One kind of what this app keeps on the device, as the settings show it.
///
/// - `size` answers how many bytes it takes now.
/// - `clear` gives them back, and returns when they are free. What plays may stay.
public struct StorageUse: Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case memory
    case media
    case kept
    case drafts
  }

  public let kind: Kind
  public let size: @MainActor @Sendable () async -> Int
  public let clear: @MainActor @Sendable () async -> Void

  public init(
    _ kind: Kind, size: @escaping @MainActor @Sendable () async -> Int,
    clear: @escaping @MainActor @Sendable () async -> Void
  ) {
    self.kind = kind
    self.size = size
    self.clear = clear
  }
}
