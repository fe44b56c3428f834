import Composer
import Foundation
import Testing

@testable import AppModel

/// What the bar looks like for what the core says: compared with texts, which
/// `CLIPFEED_RECORD=1 swift test --package-path ios/Kit --filter MessageBarLayoutTests` writes anew.
@Suite struct MessageBarLayoutTests {
  private typealias Metrics = MessageBarLayout.Metrics
  private static let phone = Metrics(width: 390, lineHeight: 20, captionHeight: 16)

  private static func bar(_ change: (inout Composer.Bar) -> Void = { _ in }) -> Composer.Bar {
    var bar = Composer.Bar()
    bar.access = .open
    bar.isEditable = true
    bar.areEnabled = true
    bar.buttons = .reactions
    bar.charactersLeft = 500
    change(&bar)
    return bar
  }

  private static func writing(_ lines: Int32 = 1, _ change: (inout Composer.Bar) -> Void = { _ in })
    -> Composer.Bar
  {
    bar {
      $0.isFocused = true
      $0.showsText = true
      $0.buttons = .send
      $0.lines = lines
      change(&$0)
    }
  }

  private static func with(_ metrics: Metrics = phone, _ change: (inout Metrics) -> Void) -> Metrics {
    var metrics = metrics
    change(&metrics)
    return metrics
  }

  private static let kept = with { $0.isTextEmpty = false }
  private static let large = with(
    Metrics(width: 390, lineHeight: 44, captionHeight: 36, isLargeText: true)
  ) { _ in }

  private static let scenes: [(String, Composer.Bar, Metrics)] = [
    ("no clip", Composer.Bar(), phone),
    ("nobody writes", bar(), phone),
    ("a text is kept", bar(), kept),
    ("focused, no text", writing { $0.buttons = .none }, phone),
    ("focused, blank text", writing { $0.buttons = .none }, kept),
    ("one line", writing(), kept),
    ("three lines", writing(3), kept),
    ("five lines, more text", writing(5) { $0.scrolls = true }, kept),
    (
      "few characters left",
      writing(5) {
        $0.scrolls = true
        $0.showsCharactersLeft = true
        $0.charactersLeft = 12
      }, kept
    ),
    (
      "too many characters",
      writing {
        $0.areEnabled = false
        $0.showsCharactersLeft = true
        $0.charactersLeft = -3
      }, kept
    ),
    ("sending", bar { $0.delivery = .sending }, phone),
    ("has arrived", bar(), with { $0.confirmsSent = true }),
    (
      "failed",
      bar {
        $0.delivery = .failed
        $0.showsText = true
      }, kept
    ),
    (
      "refused, somebody writes",
      writing {
        $0.delivery = .refused
        $0.areEnabled = false
      }, kept
    ),
    (
      "takes no messages",
      bar {
        $0.access = .off
        $0.isEditable = false
      }, phone
    ),
    (
      "nobody is signed in",
      bar {
        $0.access = .signedOut
        $0.isEditable = false
        $0.buttons = .none
      }, phone
    ),
    ("too many reactions", bar { $0.areEnabled = false }, phone),
    ("320 points", bar(), with { $0.width = 320 }),
    ("200 points", bar(), with { $0.width = 200 }),
    ("right to left", writing(), with(kept) { $0.isRightToLeft = true }),
    ("right to left, nobody writes", bar(), with { $0.isRightToLeft = true }),
    ("motion reduced", writing(), with(kept) { $0.reducesMotion = true }),
    ("large text", bar(), large),
    ("large text, somebody writes", writing(2), with(large) { $0.isTextEmpty = false }),
  ]

  @Test func isWhatWasRecorded() throws {
    let text = Self.scenes.map { name, bar, metrics in
      "== \(name)\n" + Self.described(MessageBarLayout(bar, metrics))
    }.joined(separator: "\n")
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "message-bar.txt")
    if ProcessInfo.processInfo.environment["CLIPFEED_RECORD"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let recorded = try String(contentsOf: file, encoding: .utf8)
    for (line, (now, before)) in zip(
      text.split(separator: "\n"), recorded.split(separator: "\n")
    ).enumerated() where now != before {
      Issue.record("line \(line + 1): \(now) instead of \(before)")
    }
    #expect(text == recorded)
  }

  @Test func reactionsAndPlaneAreNeverThereTogether() {
    for (name, bar, metrics) in Self.scenes {
      let layout = MessageBarLayout(bar, metrics)
      #expect(!(layout.plane.isShown && layout.reactions.contains { $0.isShown }), "\(name)")
    }
  }

  @Test func whatCanBeTappedHasRoomForAFinger() {
    for (name, bar, metrics) in Self.scenes {
      let layout = MessageBarLayout(bar, metrics)
      for part in [layout.plane, layout.field] + layout.reactions where part.isShown && part.isEnabled {
        #expect(part.frame.height >= 44 && part.frame.width >= 44, "\(name)")
      }
    }
  }

  @Test func theComingOfThePlaneDoesNotBreakTheLinesAnew() {
    let without = MessageBarLayout(Self.writing { $0.buttons = .none }, Self.kept)
    let with = MessageBarLayout(Self.writing(), Self.kept)
    #expect(without.text.frame == with.text.frame)
  }

  @Test func growsLineByLineFromItsLowerEdge() {
    let heights = (1...7).map { MessageBarLayout(Self.writing($0), Self.kept).height }
    #expect(heights == [60, 78, 98, 118, 138, 138, 138])
  }

  @Test func nothingScalesWhereMotionIsReduced() {
    for (name, bar, metrics) in Self.scenes {
      let layout = MessageBarLayout(bar, Self.with(metrics) { $0.reducesMotion = true })
      #expect(([layout.plane] + layout.reactions).allSatisfy { $0.scale == 1 }, "\(name)")
    }
    #expect(ReactionFlight(sway: 1, reducesMotion: true).moments.allSatisfy { $0.scale == 1 && $0.x == 0 })
  }

  @Test func anyMeasureHasALayout() {
    for value in [-1, 0, .nan, .infinity, 1e300] as [Double] {
      let metrics = Metrics(width: value, lineHeight: value, captionHeight: value)
      for (name, bar, _) in Self.scenes {
        let layout = MessageBarLayout(bar, metrics)
        #expect(layout.height.isFinite && layout.field.frame.width >= 0, "\(name), \(value)")
      }
      #expect(ReactionFlight(sway: value, reducesMotion: false).moments.allSatisfy { abs($0.x) <= 24 })
    }
  }

  private static func described(_ layout: MessageBarLayout) -> String {
    var lines = ["height \(short(layout.height))\(layout.scrolls ? ", text scrolls" : "")"]
    func add(_ name: String, _ part: MessageBarLayout.Part) {
      guard part.isShown else { return }
      let frame = part.frame
      let place = [frame.x, frame.y, frame.width, frame.height].map(short).joined(separator: " ")
      let scale = part.scale == 1 ? "" : " scale \(short(part.scale))"
      lines.append(
        "\(name): \(place) alpha \(short(part.alpha))\(scale)\(part.isEnabled ? "" : " off")")
    }
    add("state", layout.state)
    add("characters left", layout.charactersLeft)
    add("field", layout.field)
    add("text", layout.text)
    add("placeholder", layout.placeholder)
    add("dot", layout.dot)
    add("closed", layout.closed)
    add("plane", layout.plane)
    for (index, part) in layout.reactions.enumerated() { add("reaction \(index)", part) }
    let hidden = [layout.plane] + layout.reactions
    let scales = Set(hidden.filter { !$0.isShown }.map { short($0.scale) })
    if !scales.isEmpty { lines.append("unseen buttons: scale \(scales.sorted().joined(separator: " "))") }
    lines.append("order: \(layout.order.map { "\($0)" }.joined(separator: ", "))")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func short(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\((value * 100).rounded() / 100)"
  }
}
