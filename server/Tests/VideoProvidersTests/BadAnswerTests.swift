import Foundation
import Platform
import Testing

@testable import Generation
@testable import PlatformTesting
@testable import VideoProviders

/// What a server of the dialect may answer in place of what is right.
@Suite struct BadAnswerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let answer: VendorServer.Answer
    let code: ProviderFailure.Code
    var retryAfter: Double?
  }

  private static func refused(_ status: Int, _ body: String, _ headers: [String: String] = [:])
    -> VendorServer.Answer
  { .text(body, status: status, headers: headers) }

  private static func error(_ code: String, _ message: String = "no") -> String {
    #"{"error":{"code":\#(code),"message":"\#(message)","type":"invalid_request_error","param":null}}"#
  }

  private typealias Row = (String, VendorServer.Answer, ProviderFailure.Code)

  private static let refusalRows: [Row] = [
    ("a policy by its code", refused(400, error(#""content_policy_violation""#)), .contentPolicy),
    ("a policy by its code, 422", refused(422, error(#""content_policy_violation""#)), .contentPolicy),
    ("a policy by moderation", refused(400, error(#""moderation_blocked""#)), .contentPolicy),
    ("a policy by its words", refused(400, error("null", "Rejected by our safety system.")), .contentPolicy),
    ("a policy with 403", refused(403, error(#""content_filter""#)), .contentPolicy),
    ("a code that is a number", refused(400, error("400", "bad size")), .invalid),
    ("an error that is a text", refused(400, #"{"error":"bad size"}"#), .invalid),
    (
      "a detail", refused(422, #"{"detail":[{"loc":["body"],"msg":"Field required","type":"missing"}]}"#),
      .invalid
    ),
    ("a refusal without a word", refused(400, ""), .invalid),
    ("a refusal as a page", refused(413, "<html>too large</html>"), .invalid),
    ("no such model", refused(404, error(#""model_not_found""#)), .invalid),
    ("no key", refused(401, error(#""invalid_api_key""#)), .unauthorized),
    ("no right", refused(403, error(#""forbidden""#)), .unauthorized),
    ("no money", refused(402, ""), .unauthorized),
    ("no quota left", refused(429, error(#""insufficient_quota""#)), .unauthorized),
    ("too fast", refused(429, error(#""rate_limit_exceeded""#)), .rateLimited),
    ("an error of theirs", refused(500, error(#""server_error""#)), .providerError),
    ("a bad gateway", refused(502, "<html>"), .capacity), ("no room", refused(503, ""), .capacity),
    ("overloaded", refused(529, ""), .capacity), ("a late gateway", refused(504, ""), .timeout),
    ("a late request", refused(408, ""), .timeout),
    ("a redirect", .redirect("http://127.0.0.1:1/"), .providerError),
  ]

  static let refusals = refusalRows.map { Case(testDescription: $0.0, answer: $0.1, code: $0.2) }

  private static let waitRows: [(String, Double?)] = [
    ("7", 7), ("0", 0), ("86400", 3600), ("-1", nil), ("soon", nil), ("99999999999999999999999", nil),
    ("Fri, 01 Jan 1999 00:00:00 GMT", 0), ("Tue, 01 Jan 2199 00:00:00 GMT", 3600),
  ]

  static let waits = waitRows.map { text, seconds in
    Case(
      testDescription: "wait \(text)", answer: refused(429, "", ["retry-after": text]), code: .rateLimited,
      retryAfter: seconds)
  }

  private static let noiseRows: [(String, VendorServer.Answer)] = [
    ("a page", .page), ("nothing", .text("")), ("a list", .text("[]")), ("a text", .text(#""video_1""#)),
    ("no id and no status", .text("{}")), ("another id", .text(#"{"status":"queued","id":["x"]}"#)),
    ("an empty id", .text(#"{"status":"queued","id":""}"#)),
    ("an id of two lines", .text(#"{"status":"queued","id":"a\r\nb"}"#)),
    ("a long id", .text(#"{"status":"queued","id":"\#(String(repeating: "x", count: 301))"}"#)),
    ("half of it", .cutOff(Array(#"{"id":"vid"#.utf8), type: "application/json")),
    ("lists in lists", .text(#"{"status":"queued","id":"# + String(repeating: "[", count: 100_000))),
    (
      "more than there can be",
      .text(#"{"id":"v","status":"queued"}"# + String(repeating: " ", count: 2 << 20))
    ),
    ("an end in place of an answer", .hangUp), ("no HTTP", .noise),
    ("no bytes of text", .bytes([0xFF, 0xFE])),
  ]

  static let noise = noiseRows.map { Case(testDescription: $0.0, answer: $0.1, code: .providerError) }

  @Test(arguments: refusals + waits + noise)
  func whatIsAnsweredToARequestBecomesOneOfOurCodes(_ one: Case) async throws {
    let vendor = try OpenAIVideosVendor(.openAI, .init(script: { _, _ in one.answer }))
    let provider = try OpenAIVideosTests.provider(vendor)
    let failed = await failure { try await provider.create(OpenAIVideosTests.request(provider), key: "k") }
    #expect(failed?.code == one.code, "\(String(describing: failed))")
    #expect(failed?.retryAfter == one.retryAfter)
    #expect((failed?.detail.unicodeScalars.count ?? 0) <= 300)
  }

  static let ends: [(String, ProviderFailure.Code)] = [
    (#"{"code":"content_policy_violation","message":"x"}"#, .contentPolicy),
    (#"{"code":"moderation_failed","message":""}"#, .contentPolicy),
    (#"{"code":400,"message":"Blocked by our content policy"}"#, .contentPolicy),
    (#"{"code":400,"message":"bad frames"}"#, .invalid), (#"{"code":500,"message":"CUDA"}"#, .providerError),
    (#"{"code":503,"message":""}"#, .capacity), (#"{"code":"server_overloaded"}"#, .capacity),
    (#"{"code":"timeout"}"#, .timeout), (#"{"code":"rate_limit_exceeded"}"#, .rateLimited),
    (#"{"code":"video_expired"}"#, .expired), (#"{"code":"invalid_image"}"#, .invalid),
    (#"{"code":"unheard_of"}"#, .providerError), (#"{"code":-1e400}"#, .providerError),
    (#""out of memory""#, .providerError), ("null", .providerError), ("{}", .providerError),
    ("17", .providerError), ("[]", .providerError), (#"{"code":["a"],"message":{"b":1}}"#, .providerError),
  ]

  @Test(arguments: ends.indices)
  func aVideoThatFailedSaysWhyInOneOfOurCodes(_ index: Int) async throws {
    let (error, code) = Self.ends[index]
    let text = #"{"id":"video_1","status":"failed","error":\#(error)}"#
    let vendor = try OpenAIVideosVendor(
      .openAI, .init(script: { request, _ in request.method == "GET" ? .text(text) : nil }))
    let provider = try OpenAIVideosTests.provider(vendor)
    let id = try await provider.create(OpenAIVideosTests.request(provider), key: "k")
    if error.contains("1e400") {
      // No number of JSON's at all to some who read it, and none that is finite to others.
      let status = try? await provider.status(of: id)
      #expect(status == nil || status?.failure?.code == code)
    } else {
      #expect(try await provider.status(of: id).failure?.code == code, "\(error)")
    }
  }

  static let states: [(String, VideoStatus)] = [
    (#""status":"queued""#, .queued), (#""status":"pending""#, .queued),
    (#""status":"COMPLETED""#, .completed),
    (#""status":"processing""#, .inProgress(permille: nil, pollAfter: nil)),
    (#""status":"dreaming","progress":12.5"#, .inProgress(permille: 125, pollAfter: nil)),
    (#""status":"in_progress","progress":"40""#, .inProgress(permille: 400, pollAfter: nil)),
    (#""status":"in_progress","progress":-3"#, .inProgress(permille: 0, pollAfter: nil)),
    (#""status":"in_progress","progress":1e300"#, .inProgress(permille: 1000, pollAfter: nil)),
    (#""status":"in_progress","progress":"much""#, .inProgress(permille: nil, pollAfter: nil)),
    (#""status":"in_progress","progress":null,"seconds":8"#, .inProgress(permille: nil, pollAfter: nil)),
    (#""status":"in_progress","seconds":"8.0","new":{"a":[1]}"#, .inProgress(permille: nil, pollAfter: nil)),
    (#""status":3"#, .inProgress(permille: nil, pollAfter: nil)),
  ]

  @Test(arguments: states.indices)
  func whatNobodyHeardOfIsProgress(_ index: Int) async throws {
    let (fields, status) = Self.states[index]
    let vendor = try OpenAIVideosVendor(
      .openAI,
      .init(script: { request, _ in request.method == "GET" ? .text("{\"id\":\"x\",\(fields)}") : nil }))
    let provider = try OpenAIVideosTests.provider(vendor)
    let id = try await provider.create(OpenAIVideosTests.request(provider), key: "k")
    #expect(try await provider.status(of: id) == status)
  }

  @Test func whatIsNotKnownThereHasEnded() async throws {
    let vendor = try OpenAIVideosVendor()
    let provider = try OpenAIVideosTests.provider(vendor)
    let folder = try TestFolder()
    #expect(try await provider.status(of: "video_9").failure?.code == .expired)
    let failed = await failure {
      try await provider.content(of: "video_9", into: folder.file(), atMost: 9)
    }
    #expect(failed?.code == .expired)
  }

  /// An id is a part of a path, whatever stands in it.
  @Test func anIdLeadsNowhereElse() async throws {
    let vendor = try OpenAIVideosVendor()
    let provider = try OpenAIVideosTests.provider(vendor)
    _ = try await provider.status(of: "../files?x=1#y")
    #expect(vendor.requests == ["GET /v1/videos/..%2Ffiles%3Fx%3D1%23y"])
    for id in ["", ".", ".."] {
      #expect(await failure { try await provider.status(of: id) }?.code == .invalid)
      #expect(await failure { try await provider.cancel(id) }?.code == .invalid)
    }
    #expect(vendor.requests.count == 1)
  }

  @Test(arguments: [VendorServer.Answer.silence, .trickle()])
  func whoNeverEndsIsLeftWhenTheTimeIsOver(_ answer: VendorServer.Answer) async throws {
    let vendor = try OpenAIVideosVendor(.openAI, .init(script: { _, _ in answer }))
    var provider = try OpenAIVideosTests.provider(vendor)
    provider.client.patience = .milliseconds(300)
    let impatient = provider
    let failed = await failure {
      try await impatient.create(OpenAIVideosTests.request(impatient), key: "k")
    }
    #expect(failed?.code == .timeout)
  }

  @Test func whoeverStopsWaitingIsNotKept() async throws {
    let vendor = try OpenAIVideosVendor(.openAI, .init(script: { _, _ in .silence }))
    let provider = try OpenAIVideosTests.provider(vendor)
    let asking = Task {
      await failure { try await provider.create(OpenAIVideosTests.request(provider), key: "k") }
    }
    try await eventually("it is asked") { vendor.requests.count == 1 }
    asking.cancel()
    #expect(await asking.value?.code == .timeout)
  }

  @Test func nobodyThereIsSaidAtOnce() async throws {
    for address in ["http://127.0.0.1:1", "http://no-such-host.invalid"] {
      let settings = try #require(OpenAIVideosSettings(name: "x", address: address))
      let provider = OpenAIVideosProvider(settings)
      let failed = await failure { try await provider.create(OpenAIVideosTests.request(provider), key: "k") }
      #expect(failed?.code == .providerError)
    }
  }
}
