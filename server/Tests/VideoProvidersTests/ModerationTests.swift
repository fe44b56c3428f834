import Foundation
import Platform
import Testing

@testable import Generation
@testable import PlatformTesting
@testable import VideoProviders

extension OpenAIModeration {
  fileprivate func judge(_ prompt: String) async throws -> PromptJudgement {
    try await judge(prompt, picture: nil)
  }
}

/// OpenAI's moderations endpoint, and what else may stand in its place.
@Suite struct ModerationTests {
  private func service(
    _ address: String, key: String? = ModerationVendor.key, model: String? = ModerationVendor.model,
    patience: Duration = .seconds(20)
  ) throws -> OpenAIModeration {
    var settings = try #require(
      OpenAIModerationSettings(address: address, key: key.flatMap(ProviderKey.init), model: model))
    settings.patience = patience
    return OpenAIModeration(settings)
  }

  @Test func whatIsFlaggedComesWithItsCategories() async throws {
    let vendor = try ModerationVendor()
    let asked = try service(vendor.address)
    let prompt = "much gore and \"slander\"\nüber 🛶"
    #expect(
      try await asked.judge(prompt)
        == PromptJudgement(isFlagged: true, categories: ["harassment", "violence", "violence/graphic"]))
    #expect(try await asked.judge("a fox") == PromptJudgement(isFlagged: false))
    #expect(vendor.inputs == [prompt, "a fox"])
    #expect(vendor.faults == [])
  }

  @Test func aPictureGoesThereWithItsPromptWhereItIsTaken() async throws {
    let vendor = try ModerationVendor()
    var settings = try #require(
      OpenAIModerationSettings(
        address: vendor.address, key: ProviderKey(ModerationVendor.key), model: ModerationVendor.model))
    let (good, bad) = (Array("a picture".utf8), Array("a picture of gore".utf8))
    // One that takes none is shown none.
    #expect(!OpenAIModeration(settings).takesPictures)
    #expect(try await !OpenAIModeration(settings).judge("a fox", picture: bad).isFlagged)
    #expect(vendor.pictures == [])
    settings.takesPictures = true
    let asked = OpenAIModeration(settings)
    #expect(asked.takesPictures)
    #expect(try await asked.judge("a fox", picture: good) == PromptJudgement(isFlagged: false))
    let violence = ["violence", "violence/graphic"]
    #expect(
      try await asked.judge("a fox", picture: bad)
        == PromptJudgement(isFlagged: true, categories: violence, isOfPicture: true))
    // What is in both, or in the prompt alone, is the prompt's.
    #expect(
      try await asked.judge("much gore", picture: bad)
        == PromptJudgement(isFlagged: true, categories: violence))
    #expect(
      try await asked.judge("slander", picture: bad)
        == PromptJudgement(isFlagged: true, categories: ["harassment"] + violence))
    #expect(vendor.pictures == [good, bad, bad, bad] && vendor.inputs.count == 5 && vendor.faults == [])
  }

  @Test func theServersOwnModelIsTheOneThatIsAskedWithoutAnother() async throws {
    let vendor = try ModerationVendor()
    // Without its path: that is the usual one.
    let judgement = try await service(vendor.server.origin, model: nil).judge("a fox")
    #expect(!judgement.isFlagged && vendor.faults == [])
  }

  @Test func theLongestPromptGoesThere() async throws {
    let vendor = try ModerationVendor()
    let prompt = String(repeating: "🛶", count: 4000)
    #expect(try await !service(vendor.address).judge(prompt).isFlagged)
    #expect(vendor.inputs == [prompt] && vendor.faults == [])
  }

  @Test func aWrongKeyIsForTheOperatorAndInNoText() async throws {
    let vendor = try ModerationVendor()
    let key = "sk-wrong-0123456789"
    let wrong = try service(vendor.address, key: key)
    let refused = try #require(await failure { try await wrong.judge("a fox") })
    #expect(refused.code == .unauthorized && !"\(refused)".contains("wrong-0123"))
    let settings = OpenAIModerationSettings(address: vendor.address, key: ProviderKey(key))
    var shown = "\(String(describing: settings)) \(String(reflecting: settings))"
    dump(settings, to: &shown)
    #expect(!shown.contains(key))
    let keyless = await failure { try await service(vendor.address, key: nil).judge("a fox") }
    #expect(keyless?.code == .unauthorized)
    #expect(vendor.faults == ["key", "key"])
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let answer: VendorServer.Answer
    let code: ProviderFailure.Code
  }

  private static func result(_ fields: String) -> VendorServer.Answer {
    .text("{\"results\":[{\(fields)}]}")
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  private typealias Row = (String, VendorServer.Answer, ProviderFailure.Code)

  private static let rows: [Row] = [
    ("a page", .page, .providerError), ("nothing", .text(""), .providerError),
    ("a list", .text("[]"), .providerError), ("no fields", .text("{}"), .providerError),
    ("no result", .text(#"{"results":[]}"#), .providerError),
    ("results of another type", .text(#"{"results":{"flagged":false}}"#), .providerError),
    ("categories alone", result(#""categories":{"violence":false}"#), .providerError),
    ("a flag that is a text", result(#""flagged":"false""#), .providerError),
    ("a flag that is null", result(#""flagged":null"#), .providerError),
    ("half of it", .cutOff(text(#"{"results":[{"fla"#), type: "application/json"), .providerError),
    ("less than promised", .cutOff(text(#"{"results":[{"flagged":false}]}"#)), .providerError),
    ("pieces without an end", .cutOffPieces(text(#"{"results":[{"#)), .providerError),
    (
      "lists in lists", .text(#"{"results":"# + String(repeating: "[", count: 100_000)), .providerError
    ),
    (
      "more than there can be",
      .text(#"{"results":[{"flagged":false}]}"# + String(repeating: " ", count: 2 << 20)), .providerError
    ),
    ("an end in place of an answer", .hangUp, .providerError), ("no HTTP", .noise, .providerError),
    ("no bytes of text", .bytes([0xFF, 0xFE]), .providerError),
    ("an error of theirs", .text("", status: 500), .providerError),
    ("no room", .text("", status: 503), .capacity), ("too fast", .text("", status: 429), .rateLimited),
    ("no such model", .text("{}", status: 404), .invalid),
  ]

  static let cases = rows.map { Case(testDescription: $0.0, answer: $0.1, code: $0.2) }

  /// Never a judgement: neither that it is good, nor that it is not.
  @Test(arguments: cases)
  func whatIsNoAnswerIsAFailure(_ one: Case) async throws {
    let vendor = try ModerationVendor { _ in one.answer }
    let failed = await failure { try await service(vendor.address).judge("a fox") }
    #expect(failed?.code == one.code, "\(String(describing: failed))")
    #expect(vendor.faults == [])
  }

  static let lenient: [(String, PromptJudgement)] = [
    (#""flagged":true"#, PromptJudgement(isFlagged: true)),
    (#""flagged":true,"categories":null"#, PromptJudgement(isFlagged: true)),
    (#""flagged":true,"categories":["a"]"#, PromptJudgement(isFlagged: true)),
    (
      #""flagged":true,"categories":{"illicit":null,"S9":true,"hate":false},"new":{"a":[1]}"#,
      PromptJudgement(isFlagged: true, categories: ["S9"])
    ),
    (
      #""flagged":true,"categories":{"a\nb":true,"":true,"über":true}"#, PromptJudgement(isFlagged: true)
    ),
    (
      "\"flagged\":true,\"categories\":{\"\(String(repeating: "x", count: 61))\":true}",
      PromptJudgement(isFlagged: true)
    ),
    (#""flagged":false},{"flagged":true"#, PromptJudgement(isFlagged: true)),
  ]

  @Test(arguments: lenient.indices)
  func whatNobodyHeardOfChangesNothing(_ index: Int) async throws {
    let (fields, judgement) = Self.lenient[index]
    let vendor = try ModerationVendor { _ in Self.result(fields) }
    #expect(try await service(vendor.address).judge("a fox") == judgement)
  }

  @Test func thereAreNeverMoreThanAFewCategories() async throws {
    let many = (0..<5000).map { "\"category-\($0)\":true" }.joined(separator: ",")
    let vendor = try ModerationVendor { _ in Self.result("\"flagged\":true,\"categories\":{\(many)}") }
    #expect(try await service(vendor.address).judge("a fox").categories.count == 20)
  }

  @Test(arguments: [VendorServer.Answer.silence, .trickle()])
  func whoNeverEndsIsLeftWhenTheTimeIsOver(_ answer: VendorServer.Answer) async throws {
    let vendor = try ModerationVendor { _ in answer }
    let failed = await failure {
      try await service(vendor.address, patience: .milliseconds(300)).judge("a fox")
    }
    #expect(failed?.code == .timeout)
  }

  @Test func aRedirectIsNotFollowed() async throws {
    let other = try ModerationVendor()
    let vendor = try ModerationVendor { _ in .redirect(other.address + "/moderations", status: 307) }
    let failed = await failure { try await service(vendor.address).judge("a fox") }
    #expect(failed?.code == .providerError && other.requests == 0)
  }

  @Test func nobodyThereIsSaidAtOnce() async throws {
    for address in ["http://127.0.0.1:1", "http://no-such-host.invalid"] {
      let failed = await failure { try await service(address).judge("a fox") }
      #expect(failed?.code == .providerError)
    }
  }
}
