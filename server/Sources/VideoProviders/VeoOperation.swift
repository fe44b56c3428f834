internal import Foundation
internal import Generation

/// What goes to Veo.
struct VeoRequest: Encodable {
  struct Instance: Encodable {
    var prompt: String
    var image: Image?
  }

  struct Image: Encodable {
    var bytesBase64Encoded: String
    var mimeType: String
  }

  struct Parameters: Encodable {
    var aspectRatio: String
    var durationSeconds: Int
    var resolution: String
  }

  var instances: [Instance]
  var parameters: Parameters
}

/// What it says of an operation.
struct VeoOperation: Decodable, Sendable {
  let isDone: Bool
  let complaint: VendorComplaint?
  let uri: String?
  /// Whether Google's rules took away what was made.
  let isFiltered: Bool
  let reasons: [String]

  private enum Key: String, CodingKey {
    case done, error, response, generateVideoResponse, generatedSamples, generatedVideos, video, uri
    case raiMediaFilteredCount, raiMediaFilteredReasons
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    // It is left out until it is true.
    isDone = container.lenient(.done) ?? false
    complaint = container.lenient(.error)
    let response = try? container.nestedContainer(keyedBy: Key.self, forKey: .response)
    // As the interface has it, and as its client libraries show it.
    let named = try? response?.nestedContainer(keyedBy: Key.self, forKey: .generateVideoResponse)
    let inner = named ?? response
    let samples: [Sample]? = inner?.lenient(.generatedSamples) ?? inner?.lenient(.generatedVideos)
    uri = samples?.lazy.compactMap(\.uri).first
    reasons = inner?.lenient(.raiMediaFilteredReasons) ?? []
    isFiltered = (inner?.number(.raiMediaFilteredCount) ?? 0) > 0 || !reasons.isEmpty
  }

  private struct Sample: Decodable {
    let uri: String?

    init(from decoder: any Decoder) throws {
      let container = try? decoder.container(keyedBy: Key.self)
      let video = try? container?.nestedContainer(keyedBy: Key.self, forKey: .video)
      uri = video?.text(.uri)
    }
  }

  /// By google.rpc.Code, which an operation that failed has in the place of a status.
  var code: ProviderFailure.Code {
    guard let complaint else { return .providerError }
    if complaint.isOfPolicy { return .contentPolicy }
    return switch complaint.number {
    case 3, 9, 11: .invalid
    case 4: .timeout
    case 5: .expired
    case 7, 16: .unauthorized
    case 8, 14: .capacity
    default: .providerError
    }
  }
}
