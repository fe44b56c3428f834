public import Contract
internal import Foundation
public import Platform

extension EncodedFeedPage {
  /// As a client without an account reads them.
  public var clips: [Clip] {
    get throws { try WireCoding.decode(FeedPage.self, from: Data(json(commentsOpen: false))).items }
  }
}
