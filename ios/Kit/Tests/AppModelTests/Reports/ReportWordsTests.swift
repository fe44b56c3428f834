import Contract
import Foundation
import Testing

@testable import AppModel

@Suite struct ReportWordsTests {
  @Test func noTwoReasonsKindsOrStatesAreCalledTheSame() {
    #expect(Set(ReportReason.allCases.map(\.sentence)).count == ReportReason.allCases.count)
    #expect(Set(ReportedKind.allCases.flatMap { [$0.sentence, $0.title] }).count == 8)
    #expect(Set(Report.State.allCases.map(\.sentence)).count == 3)
  }

  @Test func saysWhatWasDecidedAndHowItIsWithItNow() {
    func decision(
      _ action: ModerationAction, _ kind: ReportedKind = .person, _ state: Decision.State = .standing,
      until: Date? = nil
    ) -> Decision {
      var decision = sampleDecision()
      (decision.action, decision.kind, decision.state, decision.until) = (action, kind, state, until)
      return decision
    }
    #expect(decision(.remove, .comment).headline == "Your comment was removed.")
    #expect(decision(.warn, .clip).headline == "You were warned.")
    #expect(decision(.suspend).headline == "Your account was suspended.")
    #expect(decision(.ageLimit, .clip).headline == "Your clip is for adults only now.")
    #expect(decision(.limitReach, .clip).headline == "Your clip is recommended to nobody now.")
    #expect(decision(.suspend).standing == "Until it is taken back.")
    #expect(decision(.suspend, until: epoch).standing == nil)
    #expect(decision(.suspend, .person, .over, until: epoch).standing == "This is over.")
    #expect(decision(.remove, .clip, .reversed).standing == "This was taken back.")
    #expect(decision(.remove, .clip).standing == nil)
    let removals = ReportedKind.allCases.map { decision(.remove, $0).headline }
    #expect(Set(removals).count == ReportedKind.allCases.count)
  }

  @Test func saysWhatCameOfAnAppeal() {
    let outcomes: [ReviewOutcome?] = [nil, .upheld, .reversed]
    let words = outcomes.map { outcome in
      var decision = sampleDecision(appeal: Appeal(text: "", createdAt: epoch))
      decision.review = outcome.map { DecisionReview(outcome: $0, statement: "") }
      return decision.answered
    }
    #expect(Set(words).count == 3)
  }
}
