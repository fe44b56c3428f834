import Contract
import Ranking
import Testing

@testable import Recommendations

/// Likes that come before the impression that they belong to is over.
@Suite struct RecentActionsTests {
  private static let atMs: Int64 = 101 * CalibrationTable.dayMs

  private static func event(
    _ kind: EventLog.Kind, afterMs: Int64, by viewer: String = "somebody", of subject: String? = nil
  ) -> EventLog.Event {
    EventLog.Event(
      id: "\(EventLog.firstID(at: atMs + afterMs))-7000-8000-000000000000", viewer: viewer,
      clip: kind == .forget ? "" : EntityID(3).uuid, kind: kind, watchedMs: 700, source: .feed,
      subject: subject,
      accountSinceMs: 1)
  }

  /// What is learned of the last of these events, which is an impression.
  private static func lesson(_ events: [EventLog.Event]) -> Lesson? {
    let ranker = Ranker(now: atMs)
    ranker.add(Clip(id: EntityID(3), author: EntityID(9), duration: 10_000, publishedAt: atMs))
    var (trust, recent) = (TrustModel(at: atMs), RecentActions())
    return events.map { ranker.learn($0, trusting: &trust, behind: &recent) }.last??.lesson
  }

  @Test(arguments: [EventLog.Kind.like, .bookmark, .share, .comment, .follow])
  func anImpressionHasTheActionsThatCameDuringIt(_ kind: EventLog.Kind) {
    let outcome = Self.lesson([Self.event(kind, afterMs: 0), Self.event(.watch, afterMs: 900)])?.outcome
    #expect(outcome?[.action] == 1 && outcome?[.positive] == 1 && outcome?[.skip] == 0)
  }

  @Test func whatAGuestDidIsTheAccountsThatTheySignInTo() {
    let events = [
      Self.event(.like, afterMs: 0, by: "guest"), Self.event(.merge, afterMs: 10, of: "guest"),
      Self.event(.watch, afterMs: 900),
    ]
    #expect(Self.lesson(events)?.outcome[.action] == 1)
  }

  @Test func whatWasTakenBackForgottenOfSomebodyElseOrLongAgoIsNoneOfIt() {
    let like = Self.event(.like, afterMs: 0)
    let halfAnHour = RecentActions.keptMs
    for events in [
      [like, Self.event(.unlike, afterMs: 10), Self.event(.watch, afterMs: 900)],
      [like, Self.event(.forget, afterMs: 10), Self.event(.watch, afterMs: 900)],
      [Self.event(.like, afterMs: 0, by: "another"), Self.event(.watch, afterMs: 900)],
      [like, Self.event(.watch, afterMs: halfAnHour + 1)],
      // The clock went back.
      [like, Self.event(.watch, afterMs: -1)],
      // Only the first impression behind it.
      [like, Self.event(.watch, afterMs: 10), Self.event(.watch, afterMs: 20)],
    ] {
      let outcome = Self.lesson(events)?.outcome
      #expect(outcome?[.action] == 0 && outcome?[.skip] == 1, "\(events.map(\.kind))")
    }
  }

  @Test func memoryIsBoundedAndTheLatestStay() {
    var recent = RecentActions()
    let count = UInt64(3 * RecentActions.most)
    for number in 0..<count {
      recent.note(.like, on: EntityID(number), by: EntityID(1), atMs: Self.atMs + Int64(number))
    }
    let endMs = Self.atMs + Int64(count)
    #expect(recent.count <= RecentActions.most)
    #expect(recent.take(on: EntityID(count - 1), by: EntityID(1), atMs: endMs) == .like)
    #expect(recent.take(on: EntityID(0), by: EntityID(1), atMs: endMs) == [])
  }
}
