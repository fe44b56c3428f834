internal import Foundation
public import Generation

/// Where prompts are looked at, by OpenAI's moderations endpoint or a server that speaks it.
public struct OpenAIModerationSettings: Sendable {
  public let address: VendorAddress
  public var key: ProviderKey?
  /// Nil: the one that the server has.
  public var model: String?
  /// It looks at pictures too, as omni-moderation does.
  public var takesPictures = false
  /// For a whole answer: somebody waits for it.
  public var patience = Duration.seconds(10)

  /// `address` as client libraries call it the base URL: what comes before `/moderations`. Nil: no such
  /// address.
  public init?(address: String, key: ProviderKey? = nil, model: String? = nil) {
    guard let address = VendorAddress(address, usualPath: "/v1") else { return nil }
    (self.address, self.key, self.model) = (address, key, model)
  }
}

/// The PromptModeration port on `POST /v1/moderations` (platform.openai.com/docs/api-reference/moderations).
/// What its model flags counts; the scores behind that are its own.
public struct OpenAIModeration: PromptModeration {
  private static let mostCategories = 20
  private static let longestCategory = 60

  private let settings: OpenAIModerationSettings
  private let client: VendorClient

  public init(_ settings: OpenAIModerationSettings) {
    self.settings = settings
    let key = settings.key.map(\.text)
    client = VendorClient(
      reach: VendorReach(home: settings.address, hosts: [], allowing: []),
      credentials: key.map { [("authorization", "Bearer \($0)")] } ?? [], secrets: key.map { [$0] } ?? [],
      patience: settings.patience)
  }

  private struct Request: Encodable {
    var model: String?
    var input: Input
  }

  /// A text, or parts where there is a picture.
  private enum Input: Encodable {
    case text(String)
    case parts([Part])

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .parts(let parts): try container.encode(parts)
      }
    }
  }

  private struct Part: Encodable {
    var type: String
    var text: String?
    var imageURL: [String: String]?

    private enum CodingKeys: String, CodingKey {
      case type, text
      case imageURL = "image_url"
    }
  }

  private struct Answer: Decodable { let results: [Finding] }

  private struct Finding: Decodable {
    /// NB: it has to be there: what says nothing has found nothing, and has not found it good.
    let isFlagged: Bool
    let categories: [String]
    /// What each category was found in: `text`, `image`.
    let places: [String: [String]]

    private enum Key: String, CodingKey {
      case flagged, categories
      case places = "category_applied_input_types"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      isFlagged = try container.decode(Bool.self, forKey: .flagged)
      // Some are null, where a model does not know them.
      let all: [String: Bool?]? = container.lenient(.categories)
      categories = (all ?? [:]).compactMap { $0.value == true ? $0.key : nil }
      places = container.lenient(.places) ?? [:]
    }

    /// Everything that it was flagged for is in the picture, and nothing of that in the prompt.
    var isOfPicture: Bool {
      !categories.isEmpty
        && categories.allSatisfy { name in
          let places = places[name] ?? []
          return places.contains("image") && !places.contains("text")
        }
    }
  }

  public var takesPictures: Bool { settings.takesPictures }

  public func judge(_ prompt: String, picture: [UInt8]?) async throws -> PromptJudgement {
    var input = Input.text(prompt)
    if let picture, settings.takesPictures {
      let address = "data:image/jpeg;base64,\(Data(picture).base64EncodedString())"
      input = .parts([
        Part(type: "text", text: prompt), Part(type: "image_url", imageURL: ["url": address]),
      ])
    }
    let answer = try await client.post(
      .json(Request(model: settings.model, input: input)), to: settings.address.appending(["moderations"]))
    let results = try client.value(Answer.self, in: answer, missing: .invalid).results
    guard !results.isEmpty else { throw ProviderFailure(.providerError, "an answer without a result") }
    let names = Set(results.flatMap(\.categories)).filter { name in
      (1...Self.longestCategory).contains(name.utf8.count)
        && name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
    let flagged = results.filter(\.isFlagged)
    return PromptJudgement(
      isFlagged: !flagged.isEmpty, categories: Array(names.sorted().prefix(Self.mostCategories)),
      isOfPicture: picture != nil && !flagged.isEmpty && flagged.allSatisfy(\.isOfPicture))
  }
}
