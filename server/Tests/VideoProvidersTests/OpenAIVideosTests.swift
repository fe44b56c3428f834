import Foundation
import Platform
import Testing

@testable import Generation
@testable import PlatformTesting
@testable import VideoProviders

typealias Kind = OpenAIVideosVendor.Kind

/// The dialect of OpenAI's videos at servers that look at us as the real ones do.
@Suite struct OpenAIVideosTests {
  static func provider(
    _ vendor: OpenAIVideosVendor, _ kind: Kind = .openAI, key: String = OpenAIVideosVendor.key,
    allowing: [NetworkAddress] = [], _ change: (inout OpenAIVideosSettings) -> Void = { _ in }
  ) throws -> OpenAIVideosProvider {
    let server: OpenAIVideosSettings.Server =
      switch kind {
      case .openAI: .openAI
      case .vllmOmni: .vllmOmni
      case .sglang: .sglang
      case .liteLLM: .liteLLM
      case .azure: .azure
      }
    // Without its path: that is the server's usual one.
    var settings = try #require(
      OpenAIVideosSettings(
        name: "tried", server: server, address: vendor.server.origin, key: ProviderKey(key), model: "model-1")
    )
    change(&settings)
    return OpenAIVideosProvider(settings, allowing: allowing)
  }

  static func request(_ provider: any VideoProvider, _ prompt: String = "a boat") -> VideoRequest {
    VideoRequest(prompt: prompt, seconds: provider.capabilities.seconds[0], aspect: .portrait)
  }

  @Test(arguments: Kind.allCases)
  func aVideoIsBegunWatchedAndFetched(_ kind: Kind) async throws {
    let folder = try TestFolder()
    let vendor = try OpenAIVideosVendor(kind)
    let provider = try Self.provider(vendor, kind)
    var request = Self.request(provider, "a boat at \"dawn\"\r\n--über 🛶")
    request.aspect = .landscape
    let id = try await provider.create(request, key: "job-1/1")
    #expect(try await provider.status(of: id) == .queued)
    #expect(try await provider.status(of: id) == .inProgress(permille: 660, pollAfter: 2.5))
    #expect(try await provider.status(of: id) == .completed)
    try await provider.content(of: id, into: folder.file(), atMost: 1 << 20)
    #expect(try Array(Data(contentsOf: folder.file())) == VideoVendor.video)
    #expect(vendor.faults == [])
    let job = try #require(vendor.jobs.first)
    #expect(job.prompt == request.prompt)
    #expect(job.size == "1280x720")
    #expect(job.seconds == provider.capabilities.seconds[0])
    #expect(vendor.requests.count == 5)
  }

  @Test(arguments: Kind.allCases)
  func theSameKeyBeginsOneAlone(_ kind: Kind) async throws {
    let vendor = try OpenAIVideosVendor(kind)
    let provider = try Self.provider(vendor, kind)
    let first = try await provider.create(Self.request(provider), key: "job-1/1")
    #expect(try await provider.create(Self.request(provider), key: "job-1/1") == first)
    #expect(try await provider.create(Self.request(provider), key: "job-1/2") != first)
    #expect(vendor.jobs.count == 2)
  }

  @Test(arguments: Kind.allCases)
  func aPictureGoesThereInTheWayOfTheServer(_ kind: Kind) async throws {
    let folder = try TestFolder()
    let vendor = try OpenAIVideosVendor(kind)
    let provider = try Self.provider(vendor, kind)
    var request = Self.request(provider)
    request.picture = try folder.png()
    _ = try await provider.create(request, key: "k")
    #expect(vendor.faults == [])
    #expect(try vendor.jobs.first?.picture == Array(Data(contentsOf: folder.png())))
  }

  @Test func aPictureCanGoThereInEachWay() async throws {
    let folder = try TestFolder()
    for (kind, way) in [
      (Kind.openAI, OpenAIVideosSettings.Pictures.object), (.openAI, .file), (.sglang, .text),
      (.sglang, .url),
      (.sglang, .file),
    ] {
      let vendor = try OpenAIVideosVendor(kind)
      let provider = try Self.provider(vendor, kind) { $0.pictures = way }
      var request = Self.request(provider)
      request.picture = try folder.png()
      _ = try await provider.create(request, key: "k")
      #expect(vendor.faults == [], "\(way)")
      #expect(vendor.jobs.first?.picture?.count == 11, "\(way)")
    }
  }

  @Test func whatWasMadeIsRefinedWhereTheServerCan() async throws {
    let vendor = try OpenAIVideosVendor(.openAI, .init(steps: 1))
    let provider = try Self.provider(vendor)
    let id = try await provider.create(Self.request(provider), key: "1")
    _ = try await provider.status(of: id)
    var request = Self.request(provider, "the boat is red")
    request.refined = id
    let other = try await provider.create(request, key: "2")
    #expect(vendor.faults == [])
    #expect(vendor.jobs.last?.refined == id)
    #expect(other != id)
    let plain = try Self.provider(OpenAIVideosVendor(.vllmOmni), .vllmOmni)
    request.seconds = 5
    let refused = await failure { [request] in try await plain.create(request, key: "3") }
    #expect(refused?.code == .invalid)
  }

  @Test(arguments: Kind.allCases)
  func whatIsCancelledIsNotKnownAnyMoreAndNobodyMinds(_ kind: Kind) async throws {
    let vendor = try OpenAIVideosVendor(kind)
    let provider = try Self.provider(vendor, kind)
    let id = try await provider.create(Self.request(provider), key: "k")
    try await provider.cancel(id)
    try await provider.cancel(id)
    try await provider.cancel("video_99")
    #expect(vendor.faults == [])
    // Where nothing can be cancelled it goes on.
    let status = try await provider.status(of: id)
    #expect(kind == .sglang ? status == .queued : status.failure?.code == .expired)
  }

  @Test func whatIsNotOfferedIsNotEvenAsked() async throws {
    let folder = try TestFolder()
    let vendor = try OpenAIVideosVendor()
    let provider = try Self.provider(vendor)
    let good = Self.request(provider)
    var wrong: [VideoRequest] = []
    for change in [
      { $0.seconds = 5 }, { $0.aspect = .square }, { $0.prompt = "" },
      { $0.prompt = String(repeating: "🛶", count: 32_001) },
      { $0.picture = folder.file("none.png") },
      { $0.picture = (try? folder.write(Array("<svg/>".utf8), "lies.png")) ?? folder.url },
      { $0.picture = folder.url },
    ] as [(inout VideoRequest) -> Void] {
      var request = good
      change(&request)
      wrong.append(request)
    }
    for request in wrong {
      #expect(await failure { try await provider.create(request, key: "k") }?.code == .invalid)
    }
    #expect(vendor.requests == [])
  }

  @Test func theLongestPromptGoesThere() async throws {
    let vendor = try OpenAIVideosVendor(.vllmOmni)
    let provider = try Self.provider(vendor, .vllmOmni)
    _ = try await provider.create(Self.request(provider, String(repeating: "🛶", count: 32_000)), key: "k")
    #expect(vendor.jobs.first?.prompt.unicodeScalars.count == 32_000)
  }

  @Test func whoAsksTooOftenIsToldToWait() async throws {
    let vendor = try OpenAIVideosVendor(.openAI, .init(pollEvery: .seconds(60), concurrent: 1))
    let provider = try Self.provider(vendor)
    let id = try await provider.create(Self.request(provider), key: "1")
    #expect(try await provider.status(of: id) == .queued)
    let soon = await failure { try await provider.status(of: id) }
    #expect(soon?.code == .rateLimited)
    #expect(soon?.retryAfter == 5)
    let more = await failure { try await provider.create(Self.request(provider), key: "2") }
    #expect(more?.code == .rateLimited)
    #expect(more?.retryAfter == 7)
    #expect(vendor.faults == ["asked too soon"])
  }

  // MARK: The key

  @Test(arguments: [Kind.openAI, .azure])
  func aWrongKeyIsForTheOperatorAndInNoText(_ kind: Kind) async throws {
    let key = "sk-wrong-0123456789"
    let vendor = try OpenAIVideosVendor(kind)
    let provider = try Self.provider(vendor, kind, key: key)
    let refused = try #require(await failure { try await provider.create(Self.request(provider), key: "k") })
    #expect(refused.code == .unauthorized)
    #expect(!"\(refused)".contains("wrong-0123"))
    #expect(!refused.detail.contains("?k="))
    let settings = try #require(
      OpenAIVideosSettings(name: "x", address: "https://example.org", key: ProviderKey(key)))
    var shown = "\(settings) \(String(reflecting: settings)) \(provider.capabilities)"
    dump(settings, to: &shown)
    #expect(!shown.contains(key))
  }

  @Test(arguments: ["", "a b", "a\nb", "ä", String(repeating: "k", count: 4097)])
  func whatCannotStandInAHeaderIsNoKey(_ text: String) { #expect(ProviderKey(text) == nil) }

  @Test(arguments: [
    "", "api.example.org", "ftp://example.org", "https://u:p@example.org", "https://example.org/v1?k=1",
    "https://exa mple.org", "https:///v1",
  ])
  func whatIsNoAddressIsNone(_ text: String) {
    #expect(OpenAIVideosSettings(name: "x", address: text) == nil)
  }

  @Test func anAddressWithoutAPathHasTheUsualOne() {
    func shown(_ text: String, _ server: OpenAIVideosSettings.Server) -> String? {
      OpenAIVideosSettings(name: "x", server: server, address: text)?.address.description
    }
    #expect(shown("https://api.example.org", .openAI) == "https://api.example.org/v1")
    #expect(shown("https://api.example.org/", .openAI) == "https://api.example.org/v1")
    #expect(shown("https://api.example.org/x/", .openAI) == "https://api.example.org/x")
    #expect(shown("https://r.openai.azure.com", .azure) == "https://r.openai.azure.com/openai/v1")
    #expect(shown("http://10.0.0.5:8000", .vllmOmni) == "http://10.0.0.5:8000/v1")
  }
}
