internal import Device
public import Observation
public import Persistence

/// The settings screen: wishes, which hold at once and over the end of the app, and what takes room on the
/// device.
@MainActor @Observable public final class SettingsModel {
  /// One kind of what is kept.
  public struct Row: Equatable, Identifiable, Sendable {
    public let kind: StorageUse.Kind
    public var bytes: Int
    public var isClearing: Bool
    public var id: StorageUse.Kind { kind }
  }

  public private(set) var settings: AppSettings
  public private(set) var rows: [Row] = []
  /// What a person is asked about before it goes.
  public var asksToClear: StorageUse.Kind?
  /// Of captions; the screen that plays has the same.
  public let captions: CaptionPreferences
  @ObservationIgnored private let file: StoredFile<AppSettings>
  @ObservationIgnored private let storage: [StorageUse]
  @ObservationIgnored private let apply: (AppSettings) -> Void
  @ObservationIgnored private let announcements: Announcements

  /// `apply` hears of each change, and of what holds at the start.
  public init(
    file: StoredFile<AppSettings>, captions: CaptionPreferences, storage: [StorageUse],
    announcements: Announcements, apply: @escaping (AppSettings) -> Void
  ) {
    self.file = file
    self.captions = captions
    self.storage = storage
    self.announcements = announcements
    self.apply = apply
    settings = file.load() ?? AppSettings()
    apply(settings)
  }

  public var waits: Bool {
    get { settings.playback.waits }
    set { change { $0.playback.waits = newValue } }
  }
  public var saves: Bool {
    get { settings.playback.saves }
    set { change { $0.playback.saves = newValue } }
  }
  public var byHand: Bool {
    get { settings.playback.byHand }
    set { change { $0.playback.byHand = newValue } }
  }
  public var unlimited: Bool {
    get { settings.playback.unlimited }
    set { change { $0.playback.unlimited = newValue } }
  }
  public var refreshes: Bool {
    get { settings.refreshes }
    set { change { $0.refreshes = newValue } }
  }

  /// Bytes of all kinds.
  public var total: Int { rows.reduce(0) { $0 + max(0, $1.bytes) } }

  /// Counts anew what is kept.
  public func measure() async {
    var counted: [Row] = []
    for use in storage {
      let isClearing = rows.first { $0.kind == use.kind }?.isClearing ?? false
      counted.append(Row(kind: use.kind, bytes: max(0, await use.size()), isClearing: isClearing))
    }
    rows = counted
  }

  /// What goes, and what that costs; asked before it is cleared.
  public func question(about kind: StorageUse.Kind) -> Sentence {
    let with = storage.first { $0.kind == kind }?.goesWith ?? []
    return StorageUse.Kind.allCases.filter(with.contains).reversed().reduce(kind.cost) {
      Sentence("%1$@ %2$@", [.sentence($1.goesToo), .sentence($0)])
    }
  }

  /// Gives the room of one kind back, with what goes with it; nothing happens while that is under way.
  public func clear(_ kind: StorageUse.Kind) async {
    asksToClear = nil
    guard let use = storage.first(where: { $0.kind == kind }),
      rows.contains(where: { $0.kind == kind && !$0.isClearing })
    else { return }
    let going = use.goesWith.union([kind])
    mark(going, true)
    await use.clear()
    mark(going, false)
    await measure()
  }

  private func mark(_ kinds: Set<StorageUse.Kind>, _ isClearing: Bool) {
    for index in rows.indices where kinds.contains(rows[index].kind) { rows[index].isClearing = isClearing }
  }

  private func change(_ act: (inout AppSettings) -> Void) {
    var changed = settings
    act(&changed)
    guard changed != settings else { return }
    settings = changed
    apply(changed)
    if !file.save(changed) {
      announcements.post("This device is full: the setting holds until the app ends.")
    }
  }
}
