public import Composer
public import Contract
public import CoreTypes
public import Playback
internal import Session

/// What the message bar asks of the feed under it. A screen passes the commands `.composer` of the core on
/// to `ComposerHost.carryOut`; the core hears of the bar through `report`.
@MainActor public protocol ComposerFeed: AnyObject {
  /// `nil`: the core has forgotten the clip.
  func clip(of item: ItemID) -> Clip?
  func item(of id: String) -> ItemID?
  /// Another list takes its place: what is written at a clip that goes by this waits there.
  var isChanging: Bool { get }
  func report(_ event: Composer.Event)
}

extension SessionHost: ComposerFeed {
  public func clip(of item: ItemID) -> Clip? { feed.clip(item)?.clip }
  public func item(of id: String) -> ItemID? { feed.item(of: id) }
  public var isChanging: Bool { feed.isChanging }
  public func report(_ event: Composer.Event) { report(.composer(event)) }
}

/// The bar as people see it: UIKit on the phone, a log in tests.
///
/// - `barChanged` and `textChanged` say that the host's values are others now; the second that the field
/// must   show `ComposerHost.text` even under somebody who writes.
/// - `leaveField` takes the focus from the field, and does nothing if another has it.
/// - `float` lets the picture of a reaction rise over the clip.
@MainActor public protocol MessageBarDisplay: AnyObject {
  func barChanged()
  func textChanged()
  func leaveField()
  func float(_ reaction: Reaction)
  /// The message has arrived.
  func confirmSent()
}

/// Who uses the app now. The account's model is one.
@MainActor public protocol ViewerPort: AnyObject {
  /// The account's id; `nil`: nobody is signed in.
  var viewerID: String? { get }
}
