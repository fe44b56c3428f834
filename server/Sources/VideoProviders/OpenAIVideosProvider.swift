internal import Dialing
public import Foundation
public import Generation
public import Platform

/// The VideoProvider port on a server that speaks the dialect of OpenAI's videos.
///
/// It knows how such servers are spoken to, and believes little of what they say: a status that it never
/// heard of is progress, a type may be another one, and anything at all may stand in the place of an answer.
/// How long a video may take is for whoever asks.
public struct OpenAIVideosProvider: VideoProvider {
  public let name: String
  public let capabilities: VideoCapabilities
  private let settings: OpenAIVideosSettings
  var client: VendorClient

  /// `allowing`: addresses of `settings.hosts` that may be asked although they are not of the open network.
  public init(_ settings: OpenAIVideosSettings, allowing: [NetworkAddress] = []) {
    name = settings.name
    capabilities = settings.capabilities
    self.settings = settings
    let credentials = settings.key.map { key in
      settings.hasKeyHeader ? ("api-key", key.text) : ("authorization", "Bearer \(key.text)")
    }
    client = VendorClient(
      reach: VendorReach(home: settings.address, hosts: settings.hosts, allowing: allowing),
      credentials: credentials.map { [$0] } ?? [], secrets: settings.key.map { [$0.text] } ?? [])
  }

  // MARK: The port

  public func create(_ request: VideoRequest, key: String) async throws -> String {
    try capabilities.check(request)
    let path = request.refined.map { ["videos", $0, "remix"] } ?? ["videos"]
    let answer = try await client.post(
      try body(of: request), to: place(path), headers: [("idempotency-key", try checkedID(key))])
    let video = try client.value(OpenAIVideo.self, in: answer, missing: .invalid)
    guard let id = video.id else { throw ProviderFailure(.providerError, "a video without an id") }
    return try checkedID(id)
  }

  public func status(of id: String) async throws -> VideoStatus {
    let answer = try await client.get(place(["videos", id]))
    if let gone = client.gone(answer) { return gone }
    let video = try client.value(OpenAIVideo.self, in: answer, missing: .expired)
    switch video.status {
    case "queued", "pending": return .queued
    case "completed": return .completed
    case "failed": return .failed(client.failure(video.complaint ?? VendorComplaint()))
    case "expired": return .failed(ProviderFailure(.expired, "it is not kept any more"))
    case "cancelled", "canceled": return .failed(ProviderFailure(.providerError, "it was cancelled there"))
    // NB: also what nobody has heard of yet. Whoever asks has a deadline.
    default:
      return .inProgress(
        permille: permille(video.progress, of: 100), pollAfter: VendorClient.wait(answer.headers))
    }
  }

  public func content(of id: String, into file: URL, atMost bytes: Int64) async throws {
    try await client.content(at: place(["videos", id, "content"]), into: file, atMost: bytes)
  }

  public func cancel(_ id: String) async throws {
    let answer = try await client.delete(place(["videos", id]))
    // 405 and 501: it has no such thing, so the video goes on there, and nobody asks for it any more.
    guard !(200...299).contains(answer.status), ![404, 405, 410, 501].contains(answer.status) else { return }
    throw client.failure(answer, missing: .expired)
  }

  // MARK: What goes there

  private func place(_ path: [String]) -> WebAddress? {
    settings.address.appending(path, query: settings.apiVersion.map { [("api-version", $0)] } ?? [])
  }

  private struct Remix: Encodable { let prompt: String }

  private func body(of request: VideoRequest) throws -> VendorClient.Body {
    if request.refined != nil { return try .json(Remix(prompt: request.prompt)) }
    let picture = try request.picture.map { try StartPicture(at: $0) }
    let size = settings.sizes[request.aspect] ?? ""
    if settings.takesFormsAlone || (picture != nil && settings.pictures == .file) {
      return form(of: request, size, picture)
    }
    var body = OpenAIVideoRequest(
      model: settings.model, prompt: request.prompt,
      seconds: settings.secondsAreNumbers ? .number(request.seconds) : .text(request.seconds), size: size)
    if let picture {
      switch settings.pictures {
      case .none, .file: break
      case .object: body.reference = .object(picture.dataURL)
      case .text: body.reference = .text(picture.dataURL)
      case .url: body.referenceURL = picture.dataURL
      }
    }
    return try .json(body)
  }

  private func form(of request: VideoRequest, _ size: String, _ picture: StartPicture?) -> VendorClient.Body {
    var form = MultipartForm()
    if let model = settings.model { form.add("model", model) }
    form.add("prompt", request.prompt)
    form.add("seconds", "\(request.seconds)")
    form.add("size", size)
    if let picture { form.add("input_reference", file: picture.name, type: picture.type, picture.bytes) }
    return form.body
  }
}
