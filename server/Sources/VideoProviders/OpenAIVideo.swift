internal import Foundation
internal import Generation

/// What a server of the dialect says of a video. Fields that are not known are nothing to it, and those that
/// are may have another type than was written down.
struct OpenAIVideo: Decodable, Sendable {
  let id: String?
  let status: String
  let progress: Double?
  let complaint: VendorComplaint?

  private enum Key: String, CodingKey { case id, status, progress, error }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = container.text(.id)
    guard let status = container.text(.status) else {
      throw DecodingError.dataCorruptedError(forKey: .status, in: container, debugDescription: "no status")
    }
    self.status = status.lowercased()
    progress = container.number(.progress)
    complaint = container.lenient(.error)
  }
}

/// What a video is to be.
struct OpenAIVideoRequest: Encodable {
  var model: String?
  var prompt: String
  var seconds: Seconds
  var size: String
  var reference: Reference?
  var referenceURL: String?

  enum Seconds: Encodable {
    case text(Int)
    case number(Int)

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let seconds): try container.encode("\(seconds)")
      case .number(let seconds): try container.encode(seconds)
      }
    }
  }

  enum Reference: Encodable {
    case object(String)
    case text(String)

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .object(let url): try container.encode(["image_url": url])
      case .text(let url): try container.encode(url)
      }
    }
  }

  private enum CodingKeys: String, CodingKey {
    case model, prompt, seconds, size
    case reference = "input_reference"
    case referenceURL = "reference_url"
  }
}
