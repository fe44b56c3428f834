public import Contract
public import Foundation

/// What stands for a clip in a list: its cover, or else its poster, and what is seen until that is there.
public struct ListPicture: Hashable, Sendable {
  /// `nil`: there is none.
  public let url: URL?
  private let placeholder: String

  /// Addresses are relative to the instance, `base`.
  public init(of clip: Clip, base: URL) {
    self.init(clip.cover?.url ?? clip.poster.url, clip.cover?.placeholder ?? clip.poster.placeholder, base)
  }

  public init(of clip: OwnClip, base: URL) {
    self.init(clip.picture?.url ?? "", clip.picture?.placeholder ?? "", base)
  }

  public init(of clip: NotificationClip, base: URL) {
    self.init(clip.picture?.url ?? "", clip.picture?.placeholder ?? "", base)
  }

  public init(of sound: FoundSound, base: URL) {
    self.init(sound.poster.url, sound.poster.placeholder, base)
  }

  private init(_ address: String, _ placeholder: String, _ base: URL) {
    url = address.isEmpty ? nil : URL(string: address, relativeTo: base)?.absoluteURL
    self.placeholder = placeholder
  }

  /// The blurred picture, as a file that the system's decoder reads; `nil` for what is no ThumbHash.
  public var blurred: Data? { ThumbHash(base64: placeholder)?.bitmapFile }
}
