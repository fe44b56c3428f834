import Foundation
import Platform
import Testing

@testable import Generation
@testable import PlatformTesting
@testable import VideoProviders

/// Runway at a server that looks at us as theirs does.
@Suite struct RunwayTests {
  private func provider(_ vendor: RunwayVendor, key: String = RunwayVendor.key) throws -> RunwayProvider {
    let key = try #require(ProviderKey(key))
    var settings = try #require(RunwaySettings(name: "runway", address: vendor.address, key: key))
    settings.hosts = [vendor.resultsPlace]
    return RunwayProvider(settings, allowing: here)
  }

  private let request = VideoRequest(prompt: "a boat \"at\" dawn 🛶", seconds: 5, aspect: .portrait)

  @Test func aVideoIsBegunWatchedAndFetchedWithoutTheKey() async throws {
    let folder = try TestFolder()
    let vendor = try RunwayVendor()
    let provider = try provider(vendor)
    let id = try await provider.create(request, key: "k")
    #expect(try await provider.status(of: id) == .queued)
    #expect(try await provider.status(of: id) == .inProgress(permille: 666, pollAfter: nil))
    #expect(try await provider.status(of: id) == .completed)
    try await provider.content(of: id, into: folder.file(), atMost: 1 << 20)
    #expect(try Array(Data(contentsOf: folder.file())) == VideoVendor.video)
    #expect(vendor.faults == [])
    let job = try #require(vendor.jobs.first)
    #expect(job.prompt == request.prompt)
    #expect(job.size == "720:1280")
    #expect(job.seconds == 5)
  }

  @Test func aPictureGoesToAnotherPath() async throws {
    let folder = try TestFolder()
    let vendor = try RunwayVendor()
    var request = request
    request.picture = try folder.png()
    _ = try await provider(vendor).create(request, key: "k")
    #expect(vendor.faults == [])
    #expect(vendor.requests == ["POST /v1/image_to_video"])
    #expect(vendor.jobs.first?.picture?.count == 11)
    request.picture = try folder.write(
      [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 4 << 20), "large.jpg")
    let refused = await failure { [request] in try await provider(vendor).create(request, key: "k") }
    #expect(refused?.code == .invalid)
  }

  /// It counts units of UTF-16, and we count scalars.
  @Test func aPromptOfTooManyUnitsIsNotSent() async throws {
    let vendor = try RunwayVendor()
    let provider = try provider(vendor)
    var request = request
    request.prompt = String(repeating: "🛶", count: 501)
    let refused = await failure { [request] in try await provider.create(request, key: "k") }
    #expect(refused?.code == .invalid)
    request.prompt = String(repeating: "🛶", count: 500)
    _ = try await provider.create(request, key: "k")
    #expect(vendor.faults == [])
  }

  @Test func nobodyIsAskedMoreOftenThanItWants() throws {
    let key = try #require(ProviderKey("k"))
    var settings = try #require(RunwaySettings(name: "x", key: key))
    settings.pollSeconds = 1
    #expect(RunwayProvider(settings).capabilities.pollSeconds == 5)
    #expect(settings.address.description == "https://api.dev.runwayml.com/v1")
  }

  static let ends: [(String, ProviderFailure.Code)] = [
    ("SAFETY.INPUT.TEXT", .contentPolicy), ("SAFETY.OUTPUT.VIDEO", .contentPolicy),
    ("INPUT_PREPROCESSING.SAFETY.TEXT", .contentPolicy), ("ASSET.INVALID", .invalid),
    ("THIRD_PARTY.UNAVAILABLE", .capacity), ("INPUT_PREPROCESSING.INTERNAL", .providerError),
    ("INTERNAL.BAD_OUTPUT.CODE01", .providerError), ("INTERNAL", .providerError), ("", .providerError),
    ("CANCELLED", .providerError),
  ]

  @Test(arguments: ends.indices)
  func whyThereIsNoneIsOneOfOurCodes(_ index: Int) async throws {
    let (mark, code) = Self.ends[index]
    let vendor = try RunwayVendor(.init(steps: 1, end: { _ in .failed(code: mark, message: "no") }))
    let provider = try provider(vendor)
    let status = try await provider.status(of: provider.create(request, key: "k"))
    #expect(status.failure?.code == code, "\(mark)")
  }

  @Test(arguments: [
    #"{"status":"DREAMING"}"#, #"{"status":"RUNNING","progress":null}"#,
    #"{"status":"RUNNING","progress":"much"}"#,
    #"{"status":"RUNNING","output":"x"}"#,
  ])
  func whatNobodyHeardOfIsProgress(_ text: String) async throws {
    let vendor = try RunwayVendor(
      .init(script: { request, _ in request.method == "GET" ? .text(text) : nil }))
    let provider = try provider(vendor)
    let status = try await provider.status(of: provider.create(request, key: "k"))
    #expect(status == .inProgress(permille: nil, pollAfter: nil))
  }

  static let outputs = [
    #"{"status":"SUCCEEDED"}"#, #"{"status":"SUCCEEDED","output":[]}"#,
    #"{"status":"SUCCEEDED","output":[7]}"#,
    #"{"status":"SUCCEEDED","output":["http://127.0.0.1:1/x"]}"#,
    #"{"status":"SUCCEEDED","output":["http://169.254.169.254/x"]}"#,
    #"{"status":"SUCCEEDED","output":["file:///etc/passwd"]}"#, #"{"status":"SUCCEEDED","output":["/x"]}"#,
  ]

  @Test(arguments: outputs)
  func anOutputLeadsNowhereElse(_ text: String) async throws {
    let folder = try TestFolder()
    let vendor = try RunwayVendor(
      .init(script: { request, _ in request.method == "GET" ? .text(text) : nil }))
    let provider = try provider(vendor)
    let id = try await provider.create(request, key: "k")
    let failed = await failure { try await provider.content(of: id, into: folder.file(), atMost: 1 << 20) }
    #expect(failed?.code == .providerError)
    #expect(folder.names == [])
  }

  @Test func whatIsCancelledIsNotKnownAnyMoreAndNobodyMinds() async throws {
    let vendor = try RunwayVendor()
    let provider = try provider(vendor)
    let id = try await provider.create(request, key: "k")
    try await provider.cancel(id)
    try await provider.cancel(id)
    #expect(vendor.jobs.first?.isCancelled == true)
    #expect(try await provider.status(of: id).failure?.code == .expired)
    #expect(vendor.faults == [])
  }

  @Test func aWrongKeyIsForTheOperatorAndInNoText() async throws {
    let vendor = try RunwayVendor()
    let provider = try provider(vendor, key: "key_wrong")
    let refused = await failure { try await provider.create(request, key: "k") }
    #expect(refused?.code == .unauthorized)
    #expect(refused?.detail.contains("key_wrong") == false)
  }

  @Test func whoIsThereTooOftenIsToldToWait() async throws {
    let vendor = try RunwayVendor(.init(pollEvery: .seconds(60), concurrent: 1))
    let provider = try provider(vendor)
    let id = try await provider.create(request, key: "1")
    _ = try await provider.status(of: id)
    #expect(await failure { try await provider.status(of: id) }?.retryAfter == 5)
    #expect(await failure { try await provider.create(request, key: "2") }?.code == .rateLimited)
  }
}
