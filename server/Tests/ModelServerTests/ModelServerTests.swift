import Foundation
import Testing

@testable import ModelServer
@testable import PlatformTesting
@testable import Recommendations

typealias Spoken = ModelServerSettings.Dialect

/// Both protocols, at a server that looks at us as they are published.
@Suite struct ModelServerTests {
  static let columns = CandidateFeatures.columns.count

  static func candidates(_ count: Int) -> CandidateFeatures {
    CandidateFeatures(
      values: (0..<count * columns).map { Float($0) / 3 - 100 },
      clips: (0..<count).map { "clip \"\($0)\" \u{1F600}" }, viewer: "me")
  }

  static func model(
    _ fake: FakeModelServer, _ spoken: Spoken, version: String? = nil, token: String? = nil,
    sendsIDs: Bool = false
  ) throws -> ModelServer {
    ModelServer(
      try #require(
        ModelServerSettings(
          address: fake.address, dialect: spoken, model: "short clips/é", version: version, token: token,
          sendsIDs: sendsIDs)))
  }

  /// As a good server answers.
  static func good(_ spoken: Spoken, _ scores: [Double]) -> String {
    let list = scores.map { "\($0)" }.joined(separator: ",")
    return switch spoken {
    case .openInference:
      #"{"model_name":"m","outputs":[{"name":"y","datatype":"FP64","shape":[\#(scores.count)],"data":[\#(list)]}]}"#
    case .tensorFlow: #"{"predictions":[\#(list)]}"#
    }
  }

  @Test(arguments: Spoken.allCases)
  func candidatesGoThereAndScoresComeBack(_ spoken: Spoken) async throws {
    let fake = try await FakeModelServer { question, _ in
      .body(Self.good(spoken, question.rows.map { $0[0] * 2 }))
    }
    let candidates = Self.candidates(700)
    let scores = try await Self.model(fake, spoken).scores(of: candidates)
    #expect(fake.refusals == [])
    let question = try #require(fake.questions.first)
    #expect(question.rows.flatMap { $0 }.map { Float($0) } == candidates.values)
    #expect(question.rows.count == 700 && question.rows[0].count == Self.columns)
    #expect(question.clips == nil && question.viewers == nil && question.authorization == nil)
    #expect(scores == (0..<700).map { candidates.values[$0 * Self.columns] * 2 })
    let path =
      spoken == .openInference
      ? "/v2/models/short%20clips%2F%C3%A9/infer" : "/v1/models/short%20clips%2F%C3%A9:predict"
    #expect(question.path == path)
  }

  @Test(arguments: Spoken.allCases)
  func whatTheOperatorAsksForIsSentToo(_ spoken: Spoken) async throws {
    let fake = try await FakeModelServer { question, _ in
      .body(Self.good(spoken, question.rows.map { _ in 1 }))
    }
    let candidates = Self.candidates(3)
    let model = try Self.model(fake, spoken, version: "7", token: "s3cret", sendsIDs: true)
    #expect(try await model.scores(of: candidates) == [1, 1, 1])
    #expect(fake.refusals == [])
    let question = try #require(fake.questions.first)
    #expect(question.clips == candidates.clips && question.viewers == ["me", "me", "me"])
    #expect(question.authorization == "Bearer s3cret")
    #expect(question.path.contains("/versions/7"))
  }

  @Test(arguments: Spoken.allCases)
  func aConnectionIsKept(_ spoken: Spoken) async throws {
    let fake = try await FakeModelServer { question, _ in
      .body(Self.good(spoken, question.rows.map { _ in 1 }))
    }
    let model = try Self.model(fake, spoken)
    for _ in 0..<5 { _ = try await model.scores(of: Self.candidates(2)) }
    #expect(fake.questions.count == 5 && fake.connections == 1)
  }

  /// It ends a kept connection just when we use it.
  @Test(arguments: Spoken.allCases)
  func aConnectionThatEndsIsAskedOnceMore(_ spoken: Spoken) async throws {
    let fake = try await FakeModelServer { question, number in
      number == 1 ? .hangUp : .body(Self.good(spoken, question.rows.map { _ in 1 }))
    }
    let model = try Self.model(fake, spoken)
    for _ in 0..<2 { #expect(try await model.scores(of: Self.candidates(2)) == [1, 1]) }
    #expect(fake.questions.count == 3)
  }

  @Test func outputsAreReadAsTheProtocolAllowsThem() async throws {
    for answer in [
      #"{"outputs":[{"name":"y","shape":[2,1],"datatype":"FP32","data":[1,2]}]}"#,
      #"{"outputs":[{"name":"y","shape":[2,1],"datatype":"INT64","data":[[1],[2]]}]}"#,
      #"{"id":"x","parameters":{"a":1},"outputs":[{"name":"label","shape":[2],"datatype":"BYTES","data":["a","b"]},{"name":"scores","shape":[2],"datatype":"FP32","data":[1,2],"parameters":{"content_type":"np"}}]}"#,
    ] {
      let fake = try await FakeModelServer { _, _ in .body(answer) }
      #expect(try await Self.model(fake, .openInference).scores(of: Self.candidates(2)) == [1, 2])
    }
    for answer in [
      #"{"predictions":[[1],[2]]}"#, #"{"predictions":[{"scores":1,"other":"a"},{"scores":[2]}]}"#,
    ] {
      let fake = try await FakeModelServer { _, _ in .body(answer) }
      #expect(try await Self.model(fake, .tensorFlow).scores(of: Self.candidates(2)) == [1, 2])
    }
  }

  @Test func aServerThatIsReadyIsSaidToBe() async throws {
    for spoken in Spoken.allCases {
      let fake = try await FakeModelServer { question, _ in
        question.rows.isEmpty
          ? .body(#"{"model_version_status":[{"version":"1","state":"AVAILABLE","status":{}}]}"#)
          : .body(Self.good(spoken, question.rows.map { _ in 1 }))
      }
      let words = try await Self.model(fake, spoken, token: "s3cret").check()
      #expect(words.contains("has short clips/é and scores two made-up clips"))
      #expect(!words.contains("s3cret"))
      #expect(fake.refusals == [])
    }
  }

  @Test func aServerThatIsNotReadySaysWhere() async throws {
    let cases: [(Spoken, @Sendable (String) -> FakeModelServer.Answer, String)] = [
      (.openInference, { _ in .body("", status: 503) }, "/v2/health/ready says that it is not ready"),
      (
        .openInference, { .body("", status: $0.hasSuffix("health/ready") ? 200 : 404) },
        "/ready says that it is not ready (status 404)"
      ),
      (
        .tensorFlow, { _ in .body(#"{"model_version_status":[{"version":"1","state":"LOADING"}]}"#) },
        "says that it is not ready"
      ),
      (.tensorFlow, { _ in .body("{}") }, "says that it is not ready"),
    ]
    for (spoken, answer, words) in cases {
      let fake = try await FakeModelServer { question, _ in answer(question.path) }
      let failure = await #expect(throws: ScoringFailure.self) { try await Self.model(fake, spoken).check() }
      #expect(failure?.description.contains(words) == true)
    }
  }

  @Test func addressesOfModelServersAreTakenAndOthersNot() {
    for good in [
      "http://127.0.0.1:8080", "https://models.example.org/", "https://models.example.org/feed",
      "http://[::1]:1",
    ] {
      #expect(ModelServerSettings(address: good, model: "m") != nil, "\(good)")
    }
    for wrong in [
      "", "localhost:8080", "ftp://a", "http://", "http://a/?b", "http://a/#b", "http://me:secret@a", "//a",
    ] {
      #expect(ModelServerSettings(address: wrong, model: "m") == nil, "\(wrong)")
    }
    #expect(ModelServerSettings(address: "http://[::1]:1", model: "m")?.host == "::1")
    for wrong in ["", "..", ".", "a b", "é", "a\n", "a\u{7F}"] { #expect(!ModelServerSettings.isWord(wrong)) }
    #expect(ModelServerSettings.isWord("a/b"))
  }

  @Test func anAddressIsNotLeftBecauseNobodyWaitsAnyMore() {
    struct Other: Error {}
    #expect(ModelServer.isOfAddress(Other()) && !ModelServer.isOfAddress(CancellationError()))
  }
}
