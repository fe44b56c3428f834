import Accounts
import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import Generation
@testable import Platform
@testable import PlatformTesting
@testable import ServerTesting

/// Whoever moderates as a test says. It has a list of what it was shown.
final class ScriptedModeration: PromptModeration {
  let takesPictures: Bool
  let pictures = Shared<[[UInt8]?]>([])
  private let shown = Shared<[String]>([])
  private let judgement: @Sendable (String) throws -> PromptJudgement

  var prompts: [String] { shown.with { $0 } }

  init(
    takesPictures: Bool = false, _ judgement: @escaping @Sendable (String) throws -> PromptJudgement
  ) {
    self.takesPictures = takesPictures
    self.judgement = judgement
  }

  func judge(_ prompt: String, picture: [UInt8]?) async throws -> PromptJudgement {
    shown.with { $0.append(prompt) }
    pictures.with { $0.append(picture) }
    return try judgement(prompt)
  }

  static var down: ScriptedModeration { ScriptedModeration { _ in throw ProviderFailure(.timeout, "late") } }
}

/// Of which prompts nothing is made, on each database.
@Suite(.everyEngine) struct PromptRuleTests {
  private func thrown(_ work: () async throws -> some Any) async -> AppError? {
    do {
      _ = try await work()
      return nil
    } catch { return error as? AppError ?? AppError(.internalError, "another error: \(error)") }
  }

  // MARK: Expressions

  @Test func whatAnExpressionFindsIsNotMadeAndRefinementsAreNoWayRound() async throws {
    let bench = try await GenerationBench([ScriptedVideos { _, _ in .never }])
    let asked = try await bench.ask("a mayor at dawn")
    let rule = try await bench.generations.addPromptRule(#"\bmayors?\b"#)
    let refused = try #require(await thrown { try await bench.ask("The MAYOR\nat dawn") })
    #expect(refused.code == .contentPolicy && refused.field == "prompt")
    #expect(refused.message.contains("rule of this site") && !refused.message.contains("mayor"))
    let again = await thrown {
      try await bench.generations.refine(
        asked.id, prompt: "two mayors", by: bench.mara, idempotencyKey: "a-refinement")
    }
    #expect(again?.code == .contentPolicy && again?.field == "prompt")
    _ = try await bench.ask("a mayoress")
    #expect(try await bench.bench.count("generations") == 2)
    #expect(try await bench.left() == 50)
    let kept = try await bench.generations.refusedPrompts(10)
    #expect(kept.map(\.prompt) == ["two mayors", "The MAYOR\nat dawn"])
    #expect(kept.allSatisfy { $0.kind == "pattern" && $0.rule == rule.pattern && $0.account == bench.mara })
    // As soon as it is gone, in every process.
    #expect(try await bench.again(on: bench.bench.instance.database).removePromptRule(rule.id))
    #expect(try await !bench.generations.removePromptRule(rule.id))
    _ = try await bench.ask("a mayor")
  }

  @Test func anExpressionThatTakesThePlaceOfAnotherCountsFromTheNextPromptOn() async throws {
    let bench = try await GenerationBench([ScriptedVideos { _, _ in .never }])
    let first = try await bench.generations.addPromptRule("mayor")
    #expect(await thrown { try await bench.ask("a mayor") }?.code == .contentPolicy)
    // By another process.
    let other = bench.again(on: bench.bench.instance.database)
    #expect(try await other.removePromptRule(first.id))
    _ = try await other.addPromptRule("harbour")
    #expect(await thrown { try await bench.ask("a harbour") }?.code == .contentPolicy)
    _ = try await bench.ask("a mayor")
    _ = try await other.addPromptRule("mayor")
    #expect(await thrown { try await bench.ask("two mayors") }?.code == .contentPolicy)
  }

  @Test func anExpressionIsLookedAtBeforeItIsTaken() async throws {
    let bench = try await GenerationBench([])
    let generations = bench.generations
    let wrong = await thrown { try await generations.addPromptRule("(a") }
    #expect(wrong?.code == .invalidParameter && wrong?.message.contains("without its )") == true)
    let first = try await generations.addPromptRule("(a+)+$")
    #expect(try await generations.addPromptRule("(a+)+$") == first)
    for number in 1..<PromptRule.most { _ = try await generations.addPromptRule("word\(number)") }
    let more = await thrown { try await generations.addPromptRule("one more") }
    #expect(more?.code == .invalidParameter && more?.message.contains("remove one first") == true)
    let rules = try await generations.promptRules()
    #expect(rules.count == PromptRule.most && rules.first == first)
    #expect(rules.map(\.id) == rules.map(\.id).sorted())
  }

  @Test func theLongestPromptIsFoundToBeGoodInTimeByAllExpressionsThereCanBe() async throws {
    let bench = try await GenerationBench([ScriptedVideos { _, _ in .never }])
    for number in 0..<PromptRule.most { _ = try await bench.generations.addPromptRule("(a+)+\(number)$") }
    let start = ContinuousClock.now
    _ = try await bench.ask(String(repeating: "a", count: 3999) + "!")
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  // MARK: Moderation

  @Test func whatIsFlaggedIsNotMadeAndWordsAndExpressionsComeFirst() async throws {
    let bench = try await GenerationBench([ScriptedVideos { _, _ in .never }])
    let instance = bench.bench.instance
    let moderation = ScriptedModeration { prompt in
      PromptJudgement(isFlagged: prompt.contains("gore"), categories: ["violence", "violence/graphic"])
    }
    instance.promptReview.take(moderation)
    instance.siteRules.apply(WordLists(refusing: ["slur"]))
    _ = try await bench.generations.addPromptRule("mayor")
    for (prompt, words) in [
      ("a slur with gore", "“slur”"), ("a mayor with gore", "rule of this site"), ("gore", "is violent"),
    ] {
      let refused = await thrown { try await bench.ask(prompt) }
      #expect(refused?.code == .contentPolicy && refused?.field == "prompt", "\(prompt)")
      #expect(refused?.message.contains(words) == true, "\(refused?.message ?? "")")
    }
    let asked = try await bench.ask(" a  fox ", key: "the-only-one")
    // As it is shown, once: a repetition is no other prompt.
    #expect(try await bench.ask("a fox", key: "the-only-one").id == asked.id)
    #expect(moderation.prompts == ["gore", "a fox"])
    let kept = try await bench.generations.refusedPrompts(10)
    #expect(kept.map(\.kind) == ["moderation", "pattern", "word"])
    #expect(kept.map(\.rule) == ["violence violence/graphic", "mayor", "slur"])
    #expect(try await bench.left() == 55)
  }

  @Test func whileNobodyCanLookNothingIsMadeUnlessTheOperatorWantsIt() async throws {
    let bench = try await GenerationBench([ScriptedVideos { _, _ in .never }])
    let instance = bench.bench.instance
    let asked = try await bench.ask("a fox", key: "the-first-one")
    instance.promptReview.take(ScriptedModeration.down)
    let refused = try #require(await thrown { try await bench.ask("a dog", key: "the-second-one") })
    #expect(refused.code == .unavailable && refused.code.retryable)
    #expect(refused.message.contains("try again in a moment"))
    #expect(try await bench.bench.count("generations") == 1)
    #expect(try await bench.left() == 55)
    #expect(try await bench.generations.refusedPrompts(10).isEmpty)
    // What there is already can be had again.
    #expect(try await bench.ask("a fox", key: "the-first-one").id == asked.id)
    instance.promptReview.take(ScriptedModeration.down, lettingThrough: true)
    #expect(try await bench.ask("a dog", key: "the-second-one").prompt == "a dog")
    // The operator's own rules hold all the same.
    _ = try await bench.generations.addPromptRule("mayor")
    #expect(await thrown { try await bench.ask("a mayor") }?.code == .contentPolicy)
  }

  @Test func nobodyIsAskedAboutWhatCannotBeMadeAnyway() async throws {
    let bench = try await GenerationBench([])
    let moderation = ScriptedModeration { _ in PromptJudgement(isFlagged: true) }
    bench.bench.instance.promptReview.take(moderation)
    #expect(await thrown { try await bench.ask("a fox") }?.code == .generationUnavailable)
    #expect(await thrown { try await bench.ask(" ") }?.code == .promptEmpty)
    #expect(moderation.prompts.isEmpty)
  }

  // MARK: What is kept

  @Test func refusedPromptsAreBoundedAndGoAfterAMonthAndWithTheirWriter() async throws {
    let bench = try await GenerationBench([ScriptedVideos { _, _ in .never }])
    let paul = try await bench.accounts.join("paul").id
    _ = try await bench.generations.addPromptRule("mayor")
    _ = await thrown { try await bench.ask("a mayor" + String(repeating: " x", count: 1500), by: paul) }
    for number in 0..<(PromptRule.mostRefusedOfOne + 5) {
      _ = await thrown { try await bench.ask("mayor \(number)") }
    }
    let kept = try await bench.generations.refusedPrompts(1000)
    #expect(kept.filter { $0.account == bench.mara }.count == PromptRule.mostRefusedOfOne)
    #expect(kept.first?.prompt == "mayor \(PromptRule.mostRefusedOfOne + 4)")
    #expect(kept.last?.account == paul && kept.last?.prompt.unicodeScalars.count == PromptRule.keptScalars)
    try await bench.bench.instance.database.write { try bench.generations.erase(bench.mara, in: $0) }
    #expect(try await bench.generations.refusedPrompts(1000).map(\.account) == [paul])
    bench.clock.advance(ms: PromptRule.memoryMs - 1000)
    try await bench.generations.sweep()
    #expect(try await bench.bench.count("refused_prompts") == 1)
    bench.clock.advance(ms: 2000)
    try await bench.generations.sweep()
    #expect(try await bench.bench.count("refused_prompts") == 0)
  }

  @Test func anArchiveHasThemWithoutTheOperatorsExpressions() async throws {
    let bench = try await GenerationBench([ScriptedVideos { _, _ in .never }])
    bench.bench.instance.siteRules.apply(WordLists(refusing: ["slur"]))
    _ = try await bench.generations.addPromptRule("may[o0]r")
    for prompt in ["a slur", "a mayor"] { _ = await thrown { try await bench.ask(prompt) } }
    let list = try #require(bench.generations.exported.first { $0.name == "refused_prompts" })
    let lines = try await bench.bench.instance.database.read {
      try list.page(of: bench.mara, behind: "", in: $0).lines
    }.map { String(decoding: $0, as: UTF8.self) }
    #expect(lines.count == 2)
    #expect(lines.first?.contains(#""prompt":"a slur","kind":"word","rule":"slur""#) == true)
    #expect(lines.last?.contains(#""prompt":"a mayor","kind":"pattern","at_ms""#) == true)
  }

  // MARK: The wire and the command

  @Test func aRefusalOnTheWireNamesItsFieldAndADownServiceSaysWhen() async throws {
    let bench = try await GenerationBench([ScriptedVideos { _, _ in .never }])
    let (instance, folder) = (bench.bench.instance, bench.bench)
    _ = try await bench.generations.addPromptRule("may[o0]r")
    try await folder.serving(accounts: bench.accounts) { socket async throws in
      let session = try await Client(transport: socket).signUp(NewAccount("ada"))
      let ada = Bearer(inner: socket, token: try #require(session.accessToken))
      func ask(_ prompt: String) async throws -> (WireResponse, Problem) {
        let answer = try await ada.answer(
          "POST", Route.generations.path(), #"{"prompt":"\#(prompt)","seconds":5}"#,
          ["idempotency-key": "the-first-one"])
        return (answer.response, try WireCoding.decode(Problem.self, from: answer.response.body))
      }
      let (refused, problem) = try await ask("A may0r")
      #expect(refused.status == 422 && problem.code == "content_policy" && problem.field == "prompt")
      #expect(!String(decoding: refused.body, as: UTF8.self).contains("[o0]"))
      instance.promptReview.take(ScriptedModeration.down)
      let (down, later) = try await ask("A fox")
      #expect(down.status == 503 && later.code == "unavailable" && later.retryable)
      #expect(down.headers["retry-after"] != nil)
    }
  }

  @Test func theOperatorAddsListsAndRemovesRulesAndSeesWhatTheyRefused() async throws {
    let bench = try await GenerationBench([ScriptedVideos { _, _ in .never }])
    func run(_ words: String...) throws -> (status: Int32, output: String) {
      try bench.bench.program(["generation"] + words).end()
    }
    #expect(try run("rules").output.contains("There are no rules."))
    #expect(try run("refused").output.contains("No prompt was refused"))
    let added = try run("rules", "add", "may[o0]r")
    let rule = try #require(try await bench.generations.promptRules().first)
    #expect(added.status == 0 && added.output.contains("added  \(rule.id)\n"), "\(added.output)")
    let wrong = try run("rules", "add", "(a")
    #expect(wrong.status == 1 && wrong.output.contains("without its )"), "\(wrong.output)")
    #expect(try run("rules", "list").output.contains("  may[o0]r\n"))
    _ = await thrown { try await bench.ask("a mayor\nat dawn") }
    let listed = try run("refused").output
    #expect(listed.contains("\(bench.mara)  pattern  may[o0]r  a mayor / at dawn\n"), "\(listed)")
    #expect(try run("refused", "--limit", "0").status != 0)
    #expect(try run("rules", "remove", rule.id).output.contains("removed  \(rule.id)\n"))
    let gone = try run("rules", "remove", rule.id)
    #expect(gone.status == 1 && gone.output.contains("there is no such rule"))
  }
}
