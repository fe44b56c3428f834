import Foundation
import Platform
import Testing

@testable import Generation
@testable import PlatformTesting
@testable import VideoProviders

/// What may come in place of a video.
@Suite struct ContentTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// A vendor with a video that is done, and this in place of its content.
  private func fetch(
    _ answer: @escaping @Sendable (VendorServer.Request) -> VendorServer.Answer?,
    atMost bytes: Int64 = 1 << 20,
    allowing: [NetworkAddress] = [], _ change: (inout OpenAIVideosSettings) -> Void = { _ in }
  ) async throws -> (ProviderFailure?, OpenAIVideosVendor) {
    let vendor = try OpenAIVideosVendor(
      .openAI,
      .init(steps: 1, script: { request, _ in request.path.hasSuffix("/content") ? answer(request) : nil }))
    let provider = try OpenAIVideosTests.provider(vendor, allowing: allowing, change)
    let id = try await provider.create(OpenAIVideosTests.request(provider), key: "k")
    #expect(try await provider.status(of: id) == .completed)
    let file = folder.file()
    return (await failure { try await provider.content(of: id, into: file, atMost: bytes) }, vendor)
  }

  static let wrong: [(String, VendorServer.Answer, ProviderFailure.Code)] = [
    ("a page", .page, .providerError),
    ("JSON", .text(#"{"url":"http://x"}"#), .providerError),
    ("a page that says it is a video", .bytes(Array("\r\n <!doctype html>".utf8)), .providerError),
    ("JSON that says it is a video", .bytes(Array("{}".utf8)), .providerError),
    ("nothing", .bytes([]), .providerError),
    ("half of it", .cutOff(VideoVendor.video), .providerError),
    ("pieces without an end", .cutOffPieces(VideoVendor.video), .providerError),
    ("an end in place of an answer", .hangUp, .providerError), ("no HTTP", .noise, .providerError),
    ("no such video", .text("", status: 404), .expired), ("gone", .text("", status: 410), .expired),
    ("an error", .text("", status: 500), .providerError),
    ("part of it", .text("x", status: 206), .providerError),
    ("no key", .text("", status: 401), .unauthorized), ("later", .text("", status: 429), .rateLimited),
  ]

  @Test(arguments: wrong.indices)
  func nothingStaysOfWhatIsNoVideo(_ index: Int) async throws {
    let (name, answer, code) = Self.wrong[index]
    let (failed, _) = try await fetch { _ in answer }
    #expect(failed?.code == code, "\(name): \(String(describing: failed))")
    #expect(folder.names == [])
  }

  @Test func whatHasTooManyBytesIsNotKept() async throws {
    let (failed, _) = try await fetch({ _ in nil }, atMost: Int64(VideoVendor.video.count - 1))
    #expect(failed?.code == .invalid)
    #expect(folder.names == [])
    let (none, _) = try await fetch({ _ in nil }, atMost: Int64(VideoVendor.video.count))
    #expect(none == nil)
    #expect(folder.names == ["made.mp4"])
  }

  /// It does not say how much it is.
  @Test func whatNeverEndsEndsAtTheLimit() async throws {
    let (failed, vendor) = try await fetch({ _ in .endless }, atMost: 1 << 20)
    #expect(failed?.code == .invalid)
    #expect(folder.names == [])
    let sent = vendor.server.sentBytes
    // What sockets and buffers hold beyond the limit.
    #expect(sent < 64 << 20)
  }

  @Test func aFileThatIsThereStaysAsItIs() async throws {
    _ = try folder.write([1, 2, 3], "made.mp4")
    let (failed, _) = try await fetch { _ in nil }
    #expect(failed?.code == .providerError)
    #expect(try Array(Data(contentsOf: folder.file())) == [1, 2, 3])
  }

  @Test func aLinkIsNotFollowed() async throws {
    let target = folder.file("target")
    try FileManager.default.createSymbolicLink(at: folder.file(), withDestinationURL: target)
    let (failed, _) = try await fetch { _ in nil }
    #expect(failed?.code == .providerError)
    #expect(!FileManager.default.fileExists(atPath: target.path))
  }

  // MARK: Redirects

  @Test(arguments: [301, 302, 303, 307, 308])
  func aRedirectAtTheSameServerIsFollowedWithTheKey(_ status: Int) async throws {
    let seen = Shared<[String?]>([])
    let (failed, _) = try await fetch { request in
      seen.with { $0.append(request.headers["authorization"]) }
      guard request.query["again"] == nil else { return nil }
      return .redirect(request.path + "?again=1", status: status)
    }
    #expect(failed == nil)
    #expect(seen.with { $0 } == Array(repeating: "Bearer \(OpenAIVideosVendor.key)", count: 2))
  }

  @Test func noRedirectLeadsInside() async throws {
    let asked = Shared(0)
    let inside = try VendorServer { _ in
      asked.with { $0 += 1 }
      return .bytes(VideoVendor.video)
    }
    let name = inside.originByName.replacingOccurrences(of: "http://", with: "")
    for (to, hosts) in [
      (inside.origin, []), (inside.originByName, []), (inside.origin, [inside.place]),
      (inside.originByName, [name]),
      ("http://169.254.169.254/latest/meta-data", ["169.254.169.254:80"]), ("http://[::1]:80/", ["[::1]:80"]),
      ("file:///etc/passwd", []), ("gopher://x", []), ("http://0/", ["0:80"]),
      ("https://user:pass@127.0.0.1/", ["127.0.0.1"]),
    ] as [(String, [String])] {
      let (failed, _) = try await fetch({ _ in .redirect(to) }) { $0.hosts = hosts }
      #expect(failed?.code == .providerError, "\(to)")
      #expect(folder.names == [])
    }
    #expect(asked.with { $0 } == 0)
  }

  @Test func aRedirectToAHostOnTheListIsFollowedWithoutTheKey() async throws {
    let seen = Shared<[VendorServer.Request]>([])
    let other = try VendorServer { request in
      seen.with { $0.append(request) }
      return .bytes(VideoVendor.video)
    }
    let place = other.originByName.replacingOccurrences(of: "http://", with: "")
    let (failed, _) = try await fetch({ _ in .redirect(other.originByName + "/x?sig=1") }, allowing: here) {
      $0.hosts = [place]
    }
    #expect(failed == nil, "\(String(describing: failed))")
    let request = try #require(seen.with { $0.first })
    #expect(request.path == "/x")
    #expect(request.query == ["sig": "1"])
    #expect(request.headers["authorization"] == nil)
    #expect(!request.headers.values.contains { $0.contains(OpenAIVideosVendor.key) })
  }

  @Test func redirectsThatNeverEndAreLeft() async throws {
    let (failed, vendor) = try await fetch { request in .redirect(request.path) }
    #expect(failed?.code == .providerError)
    #expect(vendor.requests.count == 2 + 6)
  }

  @Test func aSignedAddressThatIsOverIsExpired() async throws {
    let other = try VendorServer { _ in .text("<Error>AccessDenied</Error>", status: 403, type: "text/xml") }
    let place = other.originByName.replacingOccurrences(of: "http://", with: "")
    let (failed, _) = try await fetch({ _ in .redirect(other.originByName + "/x") }, allowing: here) {
      $0.hosts = [place]
    }
    #expect(failed?.code == .expired)
  }

  @Test func whatComesTooSlowlyIsLeft() async throws {
    let server = try VendorServer { _ in .trickle(type: "video/mp4") }
    let home = try #require(VendorAddress(server.origin))
    let client = VendorClient(
      reach: VendorReach(home: home, hosts: [], allowing: []), credentials: [], secrets: [])
    let file = folder.file()
    let failed = await failure {
      try await client.content(
        at: home.appending(["x"]), into: file, atMost: 1 << 20, patience: .milliseconds(300))
    }
    #expect(failed?.code == .timeout)
    #expect(folder.names == [])
  }
}
