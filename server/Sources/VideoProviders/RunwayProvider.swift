internal import Dialing
public import Foundation
public import Generation
public import Platform

/// Runway's interface for developers: tasks (docs.dev.runwayml.com).
public struct RunwaySettings: Sendable {
  public static let usualAddress = "https://api.dev.runwayml.com"

  /// Of its interface: what is asked and answered is as it was then.
  static let version = "2024-11-06"
  /// It asks everybody for that.
  static let leastPollSeconds = 5.0

  public var name: String
  public let address: VendorAddress
  public var key: ProviderKey
  public var model = "gen4.5"
  /// How each aspect is called there. Others are not offered.
  public var ratios: [VideoAspect: String] = [.portrait: "720:1280", .landscape: "1280:720"]
  /// Ascending.
  public var seconds = [5, 10]
  /// Units of UTF-16.
  public var promptLength = 1000
  public var concurrent = 2
  public var pollSeconds = RunwaySettings.leastPollSeconds
  /// Hosts that content may come from beside the vendor's own, as `VendorReach` has it.
  public var hosts = [".cloudfront.net", ".runwayml.com"]

  /// Nil: no such address.
  public init?(name: String, address: String = usualAddress, key: ProviderKey) {
    guard let address = VendorAddress(address, usualPath: "/v1") else { return nil }
    (self.name, self.address, self.key) = (name, address, key)
  }
}

/// The VideoProvider port on Runway.
public struct RunwayProvider: VideoProvider {
  /// Bytes of a picture that goes there within the request, in base64.
  private static let largestPicture = 5_000_000

  public let name: String
  public let capabilities: VideoCapabilities
  private let settings: RunwaySettings
  var client: VendorClient

  /// `allowing`: addresses of `settings.hosts` that may be asked although they are not of the open network.
  public init(_ settings: RunwaySettings, allowing: [NetworkAddress] = []) {
    name = settings.name
    capabilities = VideoCapabilities(
      seconds: settings.seconds, aspects: Set(settings.ratios.keys), takesPictures: true,
      promptLength: settings.promptLength, concurrent: settings.concurrent,
      pollSeconds: max(settings.pollSeconds, RunwaySettings.leastPollSeconds))
    self.settings = settings
    client = VendorClient(
      reach: VendorReach(home: settings.address, hosts: settings.hosts, allowing: allowing),
      credentials: [
        ("authorization", "Bearer \(settings.key.text)"), ("x-runway-version", RunwaySettings.version),
      ],
      secrets: [settings.key.text])
  }

  private struct Wanted: Encodable {
    var model: String
    var promptText: String
    var ratio: String
    var duration: Int
    var promptImage: String?
  }

  private struct Begun: Decodable { let id: String }

  public func create(_ request: VideoRequest, key: String) async throws -> String {
    try capabilities.check(request)
    guard request.prompt.utf16.count <= settings.promptLength else {
      throw ProviderFailure(.invalid, "a prompt of \(request.prompt.utf16.count) units of UTF-16")
    }
    let picture = try request.picture.map { try StartPicture(at: $0).dataURL }
    guard (picture?.utf8.count ?? 0) <= Self.largestPicture else {
      throw ProviderFailure(.invalid, "a picture of more than \(Self.largestPicture) bytes in base64")
    }
    let body = Wanted(
      model: settings.model, promptText: request.prompt, ratio: settings.ratios[request.aspect] ?? "",
      duration: request.seconds, promptImage: picture)
    let place = settings.address.appending([picture == nil ? "text_to_video" : "image_to_video"])
    let answer = try await client.post(.json(body), to: place)
    return try checkedID(client.value(Begun.self, in: answer, missing: .invalid).id)
  }

  public func status(of id: String) async throws -> VideoStatus {
    let answer = try await client.get(settings.address.appending(["tasks", id]))
    if let gone = client.gone(answer) { return gone }
    let task = try client.value(RunwayTask.self, in: answer, missing: .expired)
    switch task.status {
    // The second: it waits for others of ours.
    case "pending", "throttled": return .queued
    case "succeeded": return .completed
    case "failed": return .failed(client.failure(task.complaint))
    case "cancelled": return .failed(ProviderFailure(.providerError, "it was cancelled there"))
    default:
      return .inProgress(
        permille: permille(task.progress, of: 1), pollAfter: VendorClient.wait(answer.headers))
    }
  }

  /// What it names is signed for a day or two, and new each time that it is asked.
  public func content(of id: String, into file: URL, atMost bytes: Int64) async throws {
    let answer = try await client.get(settings.address.appending(["tasks", id]))
    let task = try client.value(RunwayTask.self, in: answer, missing: .expired)
    guard let output = task.output.first else {
      throw ProviderFailure(.providerError, "there is no output")
    }
    try await client.content(at: WebAddress(output), into: file, atMost: bytes)
  }

  public func cancel(_ id: String) async throws {
    let answer = try await client.delete(settings.address.appending(["tasks", id]))
    guard !(200...299).contains(answer.status), ![404, 410].contains(answer.status) else { return }
    throw client.failure(answer, missing: .expired)
  }
}

/// What it says of a task.
struct RunwayTask: Decodable, Sendable {
  let status: String
  /// 0 to 1.
  let progress: Double?
  let output: [String]
  let complaint: VendorComplaint

  private enum Key: String, CodingKey { case status, progress, output, failure, failureCode }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard let status = container.text(.status) else {
      throw DecodingError.dataCorruptedError(forKey: .status, in: container, debugDescription: "no status")
    }
    self.status = status.lowercased()
    progress = container.number(.progress)
    output = container.lenient(.output) ?? []
    complaint = VendorComplaint(
      mark: container.text(.failureCode) ?? "", message: container.text(.failure) ?? "")
  }
}
