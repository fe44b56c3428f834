import Contract
import Platform
import Testing

@testable import Generation
@testable import Platform

/// What whoever wrote a prompt reads of a refusal, and what the operator does.
@Suite struct PromptRefusalTests {
  @Test func aWordOfTheOperatorsIsNamed() {
    let rules = SiteRules()
    rules.apply(WordLists(refusing: ["forbidden thing"], holding: ["odd"]))
    let refusal = PromptRefusal(word: "A f0rbidden   thing at dawn", of: rules)
    #expect(refusal?.kind == .word && refusal?.rule == "forbidden thing")
    #expect(refusal?.detail.contains("“forbidden thing”") == true)
    #expect(PromptRefusal(word: "An odd thing at dawn", of: rules) == nil)
  }

  @Test func anExpressionIsForTheOperatorAlone() {
    let refusal = PromptRefusal(pattern: #"\bmayor\b.*"#)
    #expect(refusal.kind == .pattern && refusal.rule == #"\bmayor\b.*"#)
    #expect(refusal.detail.contains("rule of this site") && !refusal.detail.contains("mayor"))
  }

  static let findings: [([String], String)] = [
    (["violence"], "is violent"), (["violence/graphic"], "is violent"),
    (["harassment", "violence", "sexual/minors"], "is sexual"), (["self_harm"], "is about hurting oneself"),
    (["hate/threatening"], "is hateful"), (["harassment"], "attacks somebody"),
    (["illicit/violent"], "is about something illegal"), (["S9"], "is against the rules here"),
    ([], "is against the rules here"),
  ]

  @Test(arguments: findings)
  func whatTheServiceFoundIsSaidInWords(_ categories: [String], _ words: String) throws {
    let refusal = try #require(PromptRefusal(PromptJudgement(isFlagged: true, categories: categories)))
    #expect(refusal.kind == .moderation && refusal.rule == categories.joined(separator: " "))
    #expect(refusal.detail.contains("found that this \(words). Change"))
  }

  @Test func whatIsInThePictureAloneIsThePictures() throws {
    let judgement = PromptJudgement(isFlagged: true, categories: ["sexual"], isOfPicture: true)
    for (start, field) in [(VideoStart.picture("p"), "picture_id"), (.clip("c"), "from_clip_id")] {
      let refusal = try #require(PromptRefusal(judgement, startingFrom: start))
      #expect(refusal.kind == .moderation && refusal.rule == "sexual" && refusal.field == field)
      #expect(refusal.detail == PromptSentence.picture)
    }
    let ofPrompt = PromptJudgement(isFlagged: true, categories: ["sexual"])
    #expect(PromptRefusal(ofPrompt, startingFrom: .picture("p"))?.field == "prompt")
  }

  @Test func whatIsNotFlaggedIsTakenWhateverElseIsSaidOfIt() {
    #expect(PromptRefusal(PromptJudgement(isFlagged: false, categories: ["violence"])) == nil)
  }
}
