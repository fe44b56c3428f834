public import Contract

/// What can be done with the clip on the screen beside what its own buttons do, in order. Which of it is
/// offered is decided here; what it does is for whoever is told.
public struct FeedMenu: Equatable, Sendable {
  public enum Item: Equatable, Sendable {
    case share
    case copyLink
    case bookmark(isOn: Bool)
    /// Kept on this device for times without a network.
    case keep(isOn: Bool)
    case speed(Double)
    /// The tracks that there are; `chosen`: `nil` while they are off.
    case captions([CaptionTrack], chosen: String?)
    case pictureInPicture
    /// Clips like it.
    case similar
    /// Why it is shown, and what can be done about it.
    case why
    case notInterested
    /// To moderators.
    case report
    case block(name: String)
    /// Of one's own clip: its numbers, its file, and the list where it is changed and deleted.
    case insights
    case download
    case edit
  }

  /// How fast clips play, once chosen, until the app ends.
  public static let speeds = [0.5, 0.75, 1, 1.25, 1.5, 2]

  public let items: [Item]

  /// `isKept`: `nil` where this device cannot keep it.
  public init(
    _ standing: ClipStanding, captions: [CaptionTrack], chosen: String?, speed: Double, isKept: Bool?,
    hasWindows: Bool
  ) {
    var items: [Item] = []
    if !standing.isPrivate { items.append(.share) }
    if !standing.isPrivate || standing.hasSecret { items.append(.copyLink) }
    if !standing.isPrivate { items.append(.bookmark(isOn: standing.isBookmarked)) }
    if let isKept, !standing.isPrivate { items.append(.keep(isOn: isKept)) }
    items.append(.speed(speed))
    if !captions.isEmpty { items.append(.captions(captions, chosen: chosen)) }
    if hasWindows { items.append(.pictureInPicture) }
    if !standing.isPrivate { items.append(.similar) }
    items.append(.why)
    // Nobody wants less of themselves, and only its owner is told how a clip does.
    switch standing.owner {
    case .own: items += [.insights, .download, .edit]
    case .other:
      items += [.notInterested, .report]
      if !standing.authorID.isEmpty { items.append(.block(name: standing.name)) }
    case .unknown: break
    }
    self.items = items
  }
}
