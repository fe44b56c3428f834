import Composer
import CoreTypes

/// A composer on clip 1 of a person who is signed in, with a clock that a test moves by hand.
struct ComposerHarness {
  var composer = Composer()
  var now = Instant(0)
  var commands: [Composer.Command] = []

  init(isSignedIn: Bool = true) {
    send(.signedInChanged(isSignedIn), .currentChanged(ItemID(1)))
    commands = []
  }

  mutating func send(_ events: Composer.Event...) {
    for event in events {
      var emitted: [Composer.Command] = []
      composer.handle(event, at: now) { emitted.append($0) }
      commands += emitted
    }
  }

  mutating func type(_ characters: Int32, isBlank: Bool = false, on item: Int32 = 1) {
    send(.textChanged(ItemID(item), characters: characters, isBlank: isBlank))
  }

  /// Moves the clock and wakes whoever asked for it.
  mutating func wait(_ time: Milliseconds) {
    now = now + time
    if let due = composer.nextWake, due <= now { send(.woke) }
  }

  mutating func take() -> [Composer.Command] {
    defer { commands = [] }
    return commands
  }

  /// What was emitted, but for the bar.
  mutating func takeDeeds() -> [Composer.Command] {
    take().filter { if case .showBar = $0 { false } else { true } }
  }

  /// The bar as it was last shown since the last `take`.
  mutating func takeBar() -> Composer.Bar? {
    take().reversed().lazy.compactMap { if case .showBar(let bar) = $0 { bar } else { nil } }.first
  }
}
