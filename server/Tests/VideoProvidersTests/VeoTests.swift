import Foundation
import Platform
import Testing

@testable import Generation
@testable import PlatformTesting
@testable import VideoProviders

/// Veo by the Gemini API, at a server that looks at us as Google's does.
@Suite struct VeoTests {
  private func provider(
    _ vendor: VeoVendor, key: String = VeoVendor.key, allowing: [NetworkAddress] = [],
    _ change: (inout VeoSettings) -> Void = { _ in }
  ) throws -> VeoProvider {
    let key = try #require(ProviderKey(key))
    var settings = try #require(VeoSettings(name: "veo", address: vendor.address, key: key))
    change(&settings)
    return VeoProvider(settings, allowing: allowing)
  }

  private let request = VideoRequest(prompt: "a boat \"at\" dawn 🛶", seconds: 6, aspect: .portrait)

  @Test func aVideoIsBegunWatchedAndFetchedWithTheKey() async throws {
    let folder = try TestFolder()
    let vendor = try VeoVendor()
    let provider = try provider(vendor)
    let id = try await provider.create(request, key: "k")
    #expect(id == "models/\(VeoVendor.model)/operations/op1")
    #expect(try await provider.status(of: id) == .inProgress(permille: nil, pollAfter: nil))
    #expect(try await provider.status(of: id) == .inProgress(permille: nil, pollAfter: nil))
    #expect(try await provider.status(of: id) == .completed)
    try await provider.content(of: id, into: folder.file(), atMost: 1 << 20)
    #expect(try Array(Data(contentsOf: folder.file())) == VideoVendor.video)
    #expect(vendor.faults == [])
    let job = try #require(vendor.jobs.first)
    #expect(job.prompt == request.prompt)
    #expect(job.size == "9:16")
    #expect(job.seconds == 6)
  }

  @Test func aPictureGoesThere() async throws {
    let folder = try TestFolder()
    let vendor = try VeoVendor()
    var request = request
    request.picture = try folder.png()
    _ = try await provider(vendor).create(request, key: "k")
    #expect(vendor.faults == [])
    #expect(vendor.jobs.first?.picture?.count == 11)
  }

  static let ends: [(VideoVendor.End, ProviderFailure.Code)] = [
    (.failed(code: "rai", message: "We could not create it, because of a celebrity"), .contentPolicy),
    (.failed(code: "rai", message: ""), .contentPolicy),
    (.failed(code: "3", message: "The prompt violates our usage guidelines"), .contentPolicy),
    (.failed(code: "3", message: "bad duration"), .invalid), (.failed(code: "4", message: ""), .timeout),
    (.failed(code: "8", message: ""), .capacity), (.failed(code: "14", message: "overloaded"), .capacity),
    (.failed(code: "16", message: ""), .unauthorized),
    (.failed(code: "13", message: "internal"), .providerError),
    (.failed(code: "99", message: ""), .providerError),
  ]

  @Test(arguments: ends.indices)
  func whyThereIsNoneIsOneOfOurCodes(_ index: Int) async throws {
    let (end, code) = Self.ends[index]
    let folder = try TestFolder()
    let vendor = try VeoVendor(.init(steps: 1, end: { _ in end }))
    let provider = try provider(vendor)
    let id = try await provider.create(request, key: "k")
    #expect(try await provider.status(of: id).failure?.code == code)
    let failed = await failure { try await provider.content(of: id, into: folder.file(), atMost: 1 << 20) }
    #expect(failed?.code == code)
    #expect(folder.names == [])
  }

  static let operations: [(String, ProviderFailure.Code?)] = [
    (#"{"done":true}"#, .providerError), (#"{"done":true,"response":{}}"#, .providerError),
    (#"{"done":true,"response":[]}"#, .providerError),
    (#"{"done":true,"response":{"generateVideoResponse":{"generatedSamples":[]}}}"#, .providerError),
    (
      #"{"done":true,"response":{"generateVideoResponse":{"generatedSamples":[1,null,{"video":3}]}}}"#,
      .providerError
    ),
    (#"{"done":true,"response":{"generateVideoResponse":{"raiMediaFilteredCount":"2"}}}"#, .contentPolicy),
    (#"{"done":true,"response":{"raiMediaFilteredReasons":["x"]}}"#, .contentPolicy),
    (#"{"done":true,"error":"no"}"#, .providerError),
    // As client libraries have it.
    (#"{"done":true,"response":{"generatedVideos":[{"video":{"uri":"https://x.test/a"}}]}}"#, nil),
    (
      #"{"done":true,"new":1,"response":{"generateVideoResponse":{"generatedSamples":[{},{"video":{"uri":"https://x.test/a"}}]}}}"#,
      nil
    ),
  ]

  @Test(arguments: operations.indices)
  func anOperationMayLookOtherwise(_ index: Int) async throws {
    let (text, code) = Self.operations[index]
    let vendor = try VeoVendor(.init(script: { request, _ in request.method == "GET" ? .text(text) : nil }))
    let provider = try provider(vendor)
    let status = try await provider.status(of: provider.create(request, key: "k"))
    #expect(code == nil ? status == .completed : status.failure?.code == code, "\(text)")
  }

  @Test(arguments: [#"{"done":false}"#, "{}", #"{"done":"soon"}"#, #"{"done":null,"error":null}"#])
  func whatIsNotDoneGoesOn(_ text: String) async throws {
    let vendor = try VeoVendor(.init(script: { request, _ in request.method == "GET" ? .text(text) : nil }))
    let provider = try provider(vendor)
    let status = try await provider.status(of: provider.create(request, key: "k"))
    #expect(status == .inProgress(permille: nil, pollAfter: nil))
  }

  static let names = [
    #"{"name":"../../x"}"#, #"{"name":"models//x"}"#, #"{"name":""}"#, #"{"name":"a/./b"}"#, #"{"name":7}"#,
    "{}",
    #"{"name":"a b"}"#,
  ]

  @Test(arguments: names)
  func aNameThatIsNoPathIsRefused(_ text: String) async throws {
    let vendor = try VeoVendor(.init(script: { _, _ in .text(text) }))
    let provider = try provider(vendor)
    #expect(await failure { try await provider.create(request, key: "k") }?.code == .providerError)
  }

  @Test func theKeyIsForGoogleAlone() async throws {
    let seen = Shared<[VendorServer.Request]>([])
    let other = try VendorServer { request in
      seen.with { $0.append(request) }
      return .bytes(VideoVendor.video)
    }
    let address = other.originByName
    let vendor = try VeoVendor(.init(steps: 1), contentAt: { "\(address)/\($0)" })
    let folder = try TestFolder()
    let place = address.replacingOccurrences(of: "http://", with: "")
    let strict = try provider(vendor)
    let id = try await strict.create(request, key: "k")
    #expect(try await strict.status(of: id) == .completed)
    let refused = await failure { try await strict.content(of: id, into: folder.file(), atMost: 1 << 20) }
    #expect(refused?.code == .providerError)
    #expect(seen.with { $0.count } == 0)
    let open = try provider(vendor, allowing: here) { $0.hosts = [place] }
    try await open.content(of: id, into: folder.file(), atMost: 1 << 20)
    #expect(seen.with { $0.count } == 1)
    #expect(seen.with { $0.first }?.headers["x-goog-api-key"] == nil)
  }

  @Test func aWrongKeyIsForTheOperatorAndInNoText() async throws {
    let vendor = try VeoVendor()
    let provider = try provider(vendor, key: "AIza-wrong-key")
    let refused = await failure { try await provider.create(request, key: "k") }
    #expect(refused?.code == .unauthorized)
    #expect(refused?.detail.contains("wrong-key") == false)
  }

  @Test func whoIsThereTooOftenIsToldToWait() async throws {
    let vendor = try VeoVendor(.init(pollEvery: .seconds(60), concurrent: 1))
    let provider = try provider(vendor)
    let id = try await provider.create(request, key: "1")
    _ = try await provider.status(of: id)
    let soon = await failure { try await provider.status(of: id) }
    #expect(soon == ProviderFailure(.rateLimited, retryAfter: 10, soon?.detail ?? ""))
    #expect(await failure { try await provider.create(request, key: "2") }?.code == .rateLimited)
  }

  @Test func nothingIsAskedToCancel() async throws {
    let vendor = try VeoVendor()
    try await provider(vendor).cancel("models/x/operations/y")
    #expect(vendor.requests == [])
  }

  @Test func anOperationThatIsNotKnownHasEnded() async throws {
    let vendor = try VeoVendor()
    let id = "models/\(VeoVendor.model)/operations/op9"
    #expect(try await provider(vendor).status(of: id).failure?.code == .expired)
  }
}
