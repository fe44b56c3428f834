internal import Persistence

/// What somebody turned on or off and the server had not answered when the app was left.
public struct PendingToggles: Codable, Equatable, Sendable {
  /// Of the account; `nil`: nobody was signed in.
  public var viewer: String?
  /// By the toggle's name: on or off.
  public var states: [String: Bool]

  public init(viewer: String?, states: [String: Bool]) {
    self.viewer = viewer
    self.states = states
  }
}

/// Toggles whose requests are under way: in memory, and in a file as they were when the app was last left,
/// for a run that is ended before they are answered.
///
/// Each asks for a state and not for a change, so what two runs ask for is asked for once.
@MainActor final class WaitingToggles {
  /// More were not turned by hand within one request.
  static let most = 200

  private let file: StoredFile<PendingToggles>?
  private var underWay: [String: Bool] = [:]
  /// Of an earlier run.
  private var left: PendingToggles?
  private var isStored: Bool

  init(file: StoredFile<PendingToggles>?) {
    self.file = file
    left = file?.load()
    isStored = left != nil
  }

  /// The newest wish counts, also over one of an earlier run.
  func begin(_ name: String, _ isOn: Bool, by viewer: String?) {
    underWay[name] = isOn
    left?.states[name] = nil
    storeAgain(by: viewer)
  }

  func end(_ name: String, by viewer: String?) {
    underWay[name] = nil
    storeAgain(by: viewer)
  }

  /// What an earlier run left, of this person: what another one wished is no longer asked for.
  func left(by viewer: String?) -> [String: Bool] {
    if left?.viewer != viewer { left = nil }
    storeAgain(by: viewer)
    return left?.states ?? [:]
  }

  /// The server holds it, or never will.
  func endLeft(_ name: String, by viewer: String?) {
    left?.states[name] = nil
    storeAgain(by: viewer)
  }

  /// Somebody else turns things from now on.
  func forget() {
    (underWay, left) = ([:], nil)
    storeAgain(by: nil)
  }

  /// Writes what waits now.
  func store(by viewer: String?) {
    guard let file else { return }
    let all = (left?.states ?? [:]).merging(underWay) { $1 }
    isStored = !all.isEmpty
    guard isStored else { return file.remove() }
    let some = all.sorted { $0.key < $1.key }.prefix(Self.most)
    file.save(PendingToggles(viewer: viewer, states: Dictionary(uniqueKeysWithValues: some.map { ($0, $1) })))
  }

  /// What the file says must not be asked for once it is answered.
  private func storeAgain(by viewer: String?) { if isStored { store(by: viewer) } }
}
