internal import Dialing
public import Foundation
public import Generation
public import Platform

/// Google's Veo, by the Gemini API: operations that last (ai.google.dev/gemini-api/docs/video).
public struct VeoSettings: Sendable {
  public static let usualAddress = "https://generativelanguage.googleapis.com"

  public var name: String
  public let address: VendorAddress
  public var key: ProviderKey
  public var model = "veo-3.1-generate-preview"
  public var resolution = "720p"
  /// Ascending.
  public var seconds = [4, 6, 8]
  /// It takes 1024 tokens, which a scalar has at most one of in most scripts.
  public var promptLength = 1000
  public var concurrent = 4
  public var pollSeconds = 10.0
  /// Hosts that content may come from beside the vendor's own, as `VendorReach` has it.
  public var hosts = [".googleapis.com", ".googleusercontent.com"]

  /// Nil: no such address.
  public init?(
    name: String, address: String = usualAddress, key: ProviderKey
  ) {
    guard let address = VendorAddress(address, usualPath: "/v1beta") else { return nil }
    (self.name, self.address, self.key) = (name, address, key)
  }
}

/// The VideoProvider port on Veo. An id is the name of an operation.
///
/// The address of what was made needs our key, so nobody else could fetch it, and it is fetched here.
public struct VeoProvider: VideoProvider {
  public let name: String
  public let capabilities: VideoCapabilities
  private let settings: VeoSettings
  var client: VendorClient

  /// `allowing`: addresses of `settings.hosts` that may be asked although they are not of the open network.
  public init(_ settings: VeoSettings, allowing: [NetworkAddress] = []) {
    name = settings.name
    capabilities = VideoCapabilities(
      seconds: settings.seconds, aspects: [.portrait, .landscape], takesPictures: true,
      promptLength: settings.promptLength, concurrent: settings.concurrent, pollSeconds: settings.pollSeconds)
    self.settings = settings
    client = VendorClient(
      reach: VendorReach(home: settings.address, hosts: settings.hosts, allowing: allowing),
      credentials: [("x-goog-api-key", settings.key.text)], secrets: [settings.key.text])
  }

  private struct Begun: Decodable { let name: String }

  public func create(_ request: VideoRequest, key: String) async throws -> String {
    try capabilities.check(request)
    let picture = try request.picture.map { try StartPicture(at: $0) }
    let body = VeoRequest(
      instances: [
        .init(
          prompt: request.prompt,
          image: picture.map { .init(bytesBase64Encoded: $0.base64, mimeType: $0.type) })
      ],
      parameters: .init(
        aspectRatio: request.aspect.rawValue, durationSeconds: request.seconds,
        resolution: settings.resolution))
    let place = settings.address.appending(["models", settings.model], suffix: ":predictLongRunning")
    let answer = try await client.post(.json(body), to: place)
    let operation = try checkedID(client.value(Begun.self, in: answer, missing: .invalid).name)
    guard self.place(of: operation) != nil else {
      throw ProviderFailure(.providerError, "an operation whose name is no path")
    }
    return operation
  }

  public func status(of id: String) async throws -> VideoStatus {
    let answer = try await client.get(place(of: id))
    if let gone = client.gone(answer) { return gone }
    let operation = try client.value(VeoOperation.self, in: answer, missing: .expired)
    guard operation.isDone else {
      return .inProgress(permille: nil, pollAfter: VendorClient.wait(answer.headers))
    }
    do {
      _ = try video(of: operation)
      return .completed
    } catch let failure as ProviderFailure {
      return .failed(failure)
    }
  }

  public func content(of id: String, into file: URL, atMost bytes: Int64) async throws {
    let answer = try await client.get(place(of: id))
    let operation = try client.value(VeoOperation.self, in: answer, missing: .expired)
    guard operation.isDone else { throw ProviderFailure(.providerError, "it is not done") }
    try await client.content(at: WebAddress(video(of: operation)), into: file, atMost: bytes)
  }

  /// It has no such thing: the video goes on there, is paid for, and nobody asks for it any more.
  public func cancel(_ id: String) async throws {}

  /// NB: an operation's name is a path, of which each part is looked at.
  private func place(of operation: String) -> WebAddress? {
    settings.address.appending(
      operation.split(atByte: UInt8(ascii: "/"), omittingEmpty: false).map(String.init))
  }

  /// The address of what was made. Throws why there is none.
  private func video(of operation: VeoOperation) throws -> String {
    if let complaint = operation.complaint { throw client.failure(complaint, code: operation.code) }
    if let uri = operation.uri { return uri }
    guard operation.isFiltered else { throw ProviderFailure(.providerError, "it is done without a video") }
    let complaint = VendorComplaint(mark: "filtered", message: operation.reasons.joined(separator: " "))
    throw client.failure(complaint, code: .contentPolicy)
  }
}
