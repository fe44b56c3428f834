public import Contract
public import Observation

/// What somebody wants to hear of, kind by kind: in their list, and on devices while nobody looks. A switch
/// shows at once; what fails is taken back and said.
@MainActor @Observable public final class NotificationSettingsModel {
  public enum Place: Hashable, Sendable { case list, push }

  private struct Switch: Hashable {
    let kind: String
    let place: Place
  }

  public private(set) var failure: Sentence?
  /// As the server has them.
  private var known: [NotificationSetting] = []
  /// What is not there yet.
  private var wanted: [Switch: Bool] = [:]

  @ObservationIgnored private let client: Client
  @ObservationIgnored private let viewer: any ViewerPort
  @ObservationIgnored private let announcements: Announcements
  @ObservationIgnored private var isSending = false

  public init(client: Client, viewer: any ViewerPort, announcements: Announcements) {
    self.client = client
    self.viewer = viewer
    self.announcements = announcements
  }

  /// They came.
  public var isThere: Bool { !known.isEmpty }

  /// Those that stand there at all, in the server's order.
  public func settings(of place: Place) -> [NotificationSetting] {
    known.filter { $0.title != nil && Self.value(of: $0, in: place) != nil }
  }

  public func isOn(_ setting: NotificationSetting, in place: Place) -> Bool {
    wanted[Switch(kind: setting.kind, place: place)] ?? Self.value(of: setting, in: place) ?? false
  }

  public func load() async {
    failure = nil
    let whose = viewer.viewerID
    do {
      let answer = try await client.notificationSettings().items
      if whose == viewer.viewerID { known = answer }
    } catch {
      guard whose == viewer.viewerID, !Sentence.isSilent(error) else { return }
      if isThere { announcements.post(Sentence(for: error)) } else { failure = Sentence(for: error) }
    }
  }

  /// One request at a time, and the last word on each switch counts.
  public func set(_ kind: String, in place: Place, _ isOn: Bool) async {
    wanted[Switch(kind: kind, place: place)] = isOn
    guard !isSending else { return }
    isSending = true
    defer { isSending = false }
    while let (turned, isOn) = wanted.first { await send(turned, isOn) }
  }

  private func send(_ turned: Switch, _ isOn: Bool) async {
    let whose = viewer.viewerID
    let item = NotificationSettingsChange.Item(
      kind: turned.kind, list: turned.place == .list ? isOn : nil, push: turned.place == .push ? isOn : nil)
    do {
      let answer = try await client.change(NotificationSettingsChange(items: [item])).items
      guard whose == viewer.viewerID else { return }
      known = answer
      // It may be turned again by now.
      if wanted[turned] == isOn { wanted[turned] = nil }
    } catch {
      guard whose == viewer.viewerID else { return }
      wanted[turned] = nil
      if !Sentence.isSilent(error) { announcements.post(Sentence(for: error)) }
    }
  }

  /// Somebody signed in or out.
  public func viewerChanged() {
    known = []
    wanted = [:]
    failure = nil
  }

  private static func value(of setting: NotificationSetting, in place: Place) -> Bool? {
    switch place {
    case .list: setting.list
    case .push: setting.push
    }
  }
}
