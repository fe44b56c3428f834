internal import Contract
internal import Foundation
internal import Playback

/// What somebody does with a clip of their own, and with links that have a secret.
extension FeedModel {
  public func openInsights() {
    if let clip = currentClip { onInsights?(clip) }
  }

  /// Where it is changed and deleted.
  public func openOwnClips() { onOwnClips?() }

  public func downloadClip() {
    guard let clip = currentClip else { return }
    download?.start(clip, upload: actions.ownership.upload(of: clip.id))
  }

  /// Nothing lies over the clip: a sheet may come.
  public var isBare: Bool { locks.isEmpty }

  /// The clip's own address, without what only its owner knows.
  func address(of clip: Clip) -> String? {
    guard var base = host?.base.absoluteString else { return nil }
    if base.hasSuffix("/") { base.removeLast() }
    return base + Route.clipPage.path(clip.id)
  }

  /// The link as the menu copies it: of a private clip with its secret behind the `#`, which no server is
  /// told. `nil` where this device does not know that, which is said.
  public func linkToCopy() -> String? {
    guard let clip = currentClip, clip.visibility == .private,
      let upload = actions.ownership.upload(of: clip.id)
    else { return link()?.url }
    return address(of: clip).map { $0 + "#" + upload }
  }

  /// A copy of a private clip's is no share that a server counts.
  public func linkCopied() {
    guard currentClip?.visibility != .private else { return announcements.post(.secretCopied) }
    announcements.post(.linkCopied)
    shared()
  }
}
