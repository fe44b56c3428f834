import CoreTypes
import Foundation
import Session
import SessionWire
import Testing

@testable import AppModel

/// Recorded sessions in, layout values out. CLIPFEED_RECORD=1 writes the goldens anew; review their diff.
@Suite struct FeedLayoutTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
  private static let traces = folder.appending(path: "../../../../../fixtures/traces").standardizedFileURL
  nonisolated static let names = ["away-and-back", "energy", "feed-changes", "gate", "gestures", "taps"]

  @Test(arguments: names) func laysOutARecordedSession(name: String) throws {
    let lines = try Self.layouts(of: name)
    let golden = Self.folder.appending(path: "Goldens/\(name).layout")
    if ProcessInfo.processInfo.environment["CLIPFEED_RECORD"] == "1" {
      try FileManager.default.createDirectory(
        at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
      try (lines.joined(separator: "\n") + "\n").write(to: golden, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: golden, encoding: .utf8).split(separator: "\n").map(String.init)
    let different = zip(expected, lines).first { $0 != $1 }
    #expect(different == nil, "\(String(describing: different))")
    #expect(lines.count == expected.count)
    #expect(lines.count > 5)
  }

  /// A line for each moment at which something else is to be seen.
  private static func layouts(of name: String) throws -> [String] {
    var session = FeedSession()
    var state = FeedState()
    var lines: [String] = []
    let text = try String(contentsOf: traces.appending(path: "\(name).trace"), encoding: .utf8)
    for line in text.split(separator: "\n") where !line.hasPrefix("  ") && line != "malformed" {
      let words = line.split(separator: " ").compactMap { word in
        word.hasSuffix(")")
          ? word.split(separator: "(").last.flatMap { Int64($0.dropLast()) }
          : word.split(separator: "=").last.flatMap { Int64($0) }
      }
      let time = Instant(words[0])
      let event = Array(words.dropFirst()).withUnsafeBufferPointer { FeedSession.Event(words: $0) }
      guard let event else { continue }
      var effects: [FeedState.Effect] = []
      session.handle(event, at: time) { command in
        if let effect = state.handle(command, at: time) { effects.append(effect) }
      }
      var seen = describe(state, at: time)
      for effect in effects {
        switch effect {
        case .composer: break
        default: seen += " \(effect)"
        }
      }
      if lines.last?.split(separator: " ", maxSplits: 1).last.map(String.init) != seen {
        lines.append("\(words[0]) \(seen)")
      }
    }
    return lines
  }

  private static func describe(_ state: FeedState, at now: Instant) -> String {
    let layout = FeedLayout(state, width: 390, height: 844, at: now)
    let pages = layout.pages.map { "\($0.item)@\(Int($0.top))\($0.isVisible ? "" : "-")" }
    let motion = state.motion
    let way =
      motion.isOver(at: now)
      ? "still" : "to=\(motion.to) in=\((motion.end - now).rawValue)"
    return "shift=\(String(format: "%.2f", layout.shift)) \(way) pages=\(pages.joined(separator: ","))"
      + " sign=\(state.sign(isEmpty: false).rawValue) muted=\(state.isMuted) rate=\(state.refreshRate)"
      + (state.isWaiting ? " waiting" : "") + (state.isAtEnd ? " end" : "")
  }

  @Test func aSwipeThatIsHeldLeadsToThePageBesideTheCurrentOne() {
    var state = FeedState()
    #expect(state.neighbour(towards: 250_000) == nil)
    for page: Int32 in 0..<3 {
      _ = state.handle(.mount(ItemID(10 + page), page: page), at: Instant(0))
    }
    _ = state.handle(.setCurrent(ItemID(11), page: 1), at: Instant(0))
    #expect(state.neighbour(towards: 1_250_000) == ItemID(12))
    #expect(state.neighbour(towards: 750_000) == ItemID(10))
    // Where a page waits for one that is far away.
    #expect(state.neighbour(towards: 1_000_000) == nil)
    _ = state.handle(.setCurrent(ItemID(12), page: 2), at: Instant(0))
    #expect(state.neighbour(towards: 2_250_000) == nil)
  }

  @Test func goesTheWayThatThePagerCounts() {
    let motion = FeedMotion(from: 0, to: 1_000_000, began: Instant(100), duration: Milliseconds(200))
    #expect(motion.position(at: Instant(50)) == 0)
    #expect(motion.position(at: Instant(100)) == 0)
    #expect(motion.position(at: Instant(200)) == 875_000)
    #expect(motion.position(at: Instant(300)) == 1_000_000)
    #expect(motion.isOver(at: Instant(300)))
  }

  @Test func takesNoNumberThatIsNone() {
    #expect(FeedLayout.number(.nan) == 0)
    #expect(FeedLayout.number(.infinity) == 0)
    #expect(FeedLayout.number(1e300) == 1_000_000)
    let layout = FeedLayout(FeedState(), width: .nan, height: -4, at: Instant(0))
    #expect(layout.width == 1 && layout.height == 1)
    #expect(FeedMotion(from: .min, to: .max, began: Instant(0), duration: Milliseconds(9)).to == .max)
  }

  @Test func showsAWideClipWhole() {
    #expect(FeedLayout.fills(width: 720, height: 1280))
    #expect(!FeedLayout.fills(width: 1280, height: 720))
    #expect(!FeedLayout.fills(width: 0, height: 0))
    let tall = FeedLayout.viewport(width: 390, height: 844, scale: 3, fills: true)
    #expect(tall.height == 844 && tall.shortEdge == 1_170)
    let wide = FeedLayout.viewport(width: 390, height: 844, scale: 3, fills: false)
    #expect(wide.shortEdge == 658)
  }
}
