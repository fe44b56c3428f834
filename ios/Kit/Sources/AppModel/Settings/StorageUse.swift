/// One kind of what this app keeps on the device, as the settings show it.
///
/// - `size` answers how many bytes it takes now.
/// - `clear` gives them back, and returns when they are free. What plays may stay.
/// - `goesWith`: the kinds that `clear` gives back with it; kept clips and drafts are never among them.
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
  public let goesWith: Set<Kind>

  public init(
    _ kind: Kind, goesWith: Set<Kind> = [], size: @escaping @MainActor @Sendable () async -> Int,
    clear: @escaping @MainActor @Sendable () async -> Void
  ) {
    self.kind = kind
    self.goesWith = goesWith
    self.size = size
    self.clear = clear
  }
}

/// What a person is told of each kind.
extension StorageUse.Kind {
  public var title: Sentence {
    switch self {
    case .memory: "In memory"
    case .media: "Clips loaded ahead"
    case .kept: "Kept clips"
    case .drafts: "Drafts"
    }
  }

  /// What it holds.
  public var contents: Sentence {
    switch self {
    case .memory: "The clip that plays and those next to it. Gone when the app ends."
    case .media: "Parts of clips that come next or were watched lately. They start at once."
    case .kept: "Clips that you keep for when there’s no network."
    case .drafts: "Messages, comments, reports, appeals and prompts that you haven’t sent yet."
    }
  }

  /// What clearing it costs.
  public var cost: Sentence {
    switch self {
    case .memory, .media:
      "The clip that plays goes on. Others are loaded again when you watch them, which uses data. Kept clips and drafts stay."
    case .kept:
      "All clips that you keep leave this device. They stay on the server, and can be kept again while they’re there."
    case .drafts: "Messages, comments, reports, appeals and prompts that are not sent yet are gone for good."
    }
  }

  /// That it goes too, where another kind is cleared.
  var goesToo: Sentence {
    switch self {
    case .memory: "What is in memory goes too."
    case .media: "Clips loaded ahead go too."
    case .kept: "Kept clips go too."
    case .drafts: "Drafts go too."
    }
  }
}
