public import Generation
internal import Platform

/// Where a server is that speaks the dialect of OpenAI's videos, and in which of its ways.
///
/// OpenAI's own service has ended; its dialect has not. Each server reads it a little differently, so what
/// differs are switches, and the names of servers are only what they are set to at first.
public struct OpenAIVideosSettings: Sendable {
  public enum Server: String, Sendable, CaseIterable {
    /// As it was written down.
    case openAI = "openai"
    case vllmOmni = "vllm-omni"
    case sglang
    case liteLLM = "litellm"
    case azure
  }

  /// How a picture to start from goes there.
  public enum Pictures: Sendable {
    case none
    /// As a file of a form, in `input_reference`.
    case file
    /// In JSON, as `input_reference: {"image_url": "data:…"}`.
    case object
    /// In JSON, as `input_reference: "data:…"`.
    case text
    /// In JSON, as `reference_url: "data:…"`.
    case url
  }

  public var name: String
  public let address: VendorAddress
  public var key: ProviderKey?
  /// Nil: the one that the server has.
  public var model: String?

  /// Everything goes there as a form, not only files.
  public var takesFormsAlone = false
  /// `seconds` is a number, not a text.
  public var secondsAreNumbers = false
  public var pictures = Pictures.file
  /// The key goes as `api-key`, not as a bearer's.
  public var hasKeyHeader = false
  /// For `api-version` in each address.
  public var apiVersion: String?
  /// Whether there is `/videos/{id}/remix`.
  public var refines = false

  /// How each aspect is called there, as `WIDTHxHEIGHT`. Others are not offered.
  public var sizes: [VideoAspect: String]
  /// Ascending.
  public var seconds: [Int]
  public var promptLength = 32_000
  public var concurrent = 4
  public var pollSeconds = 5.0
  /// Hosts that content may come from beside the server's own, as `VendorReach` has it.
  public var hosts: [String] = []

  /// `address` as its client libraries call it the base URL: what comes before `/videos`. Without a path it
  /// is the server's usual one. Nil: no such address.
  public init?(
    name: String, server: Server = .openAI, address: String, key: ProviderKey? = nil, model: String? = nil
  ) {
    let usual = server == .azure ? "/openai/v1" : "/v1"
    guard let address = VendorAddress(address, usualPath: usual) else { return nil }
    (self.name, self.address, self.key, self.model) = (name, address, key, model)
    sizes = [.portrait: "720x1280", .landscape: "1280x720"]
    seconds = [4, 8, 12]
    switch server {
    case .openAI, .liteLLM: refines = server == .openAI
    case .azure:
      hasKeyHeader = true
      apiVersion = "preview"
      refines = true
    case .vllmOmni:
      takesFormsAlone = true
      sizes[.square] = "960x960"
      seconds = [5]
    case .sglang:
      secondsAreNumbers = true
      pictures = .url
      sizes[.square] = "960x960"
      seconds = [5]
    }
  }

  var capabilities: VideoCapabilities {
    VideoCapabilities(
      seconds: seconds, aspects: Set(sizes.keys), takesPictures: pictures != .none, refines: refines,
      promptLength: promptLength, concurrent: concurrent, pollSeconds: pollSeconds)
  }
}
