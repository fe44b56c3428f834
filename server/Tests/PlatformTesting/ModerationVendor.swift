import Foundation

/// In the place of a server with OpenAI's moderations endpoint: it looks at whoever asks as the real one
/// does, with code of its own, and flags what has one of a few words in it, in the prompt or in the bytes of a
/// picture.
final class ModerationVendor: Sendable {
  static let key = "sk-moderation-0123456789abcdefSECRET"
  static let model = "omni-moderation-latest"
  /// By what they stand for.
  static let words = ["gore": ["violence", "violence/graphic"], "slander": ["harassment"]]
  private static let categories = [
    "sexual", "sexual/minors", "harassment", "harassment/threatening", "hate", "hate/threatening", "illicit",
    "illicit/violent", "self-harm", "self-harm/intent", "self-harm/instructions", "violence",
    "violence/graphic",
  ]

  private struct State {
    var faults: [String] = []
    var inputs: [String] = []
    var pictures: [[UInt8]] = []
    var requests = 0
  }

  private let state: Shared<State>
  let server: VendorServer
  /// What was wrong about requests.
  var faults: [String] { state.with { $0.faults } }
  /// Of requests that were as they should be.
  var inputs: [String] { state.with { $0.inputs } }
  var pictures: [[UInt8]] { state.with { $0.pictures } }
  var requests: Int { state.with { $0.requests } }
  /// What an operator writes down.
  var address: String { server.origin + "/v1" }

  /// `script`: an answer in place of the right one, to a request that is as it should be.
  init(_ script: @escaping @Sendable (_ input: String) -> VendorServer.Answer? = { _ in nil }) throws {
    let state = Shared(State())
    self.state = state
    server = try VendorServer { request in
      state.with { $0.requests += 1 }
      do {
        let (input, picture) = try ModerationVendor.input(of: request)
        state.with {
          $0.inputs.append(input)
          if let picture { $0.pictures.append(picture) }
        }
        return script(input) ?? .text(ModerationVendor.result(of: input, picture))
      } catch let refusal as VendorRefusal {
        if let fault = refusal.fault { state.with { $0.faults.append(fault) } }
        return refusal.answer
      } catch {
        state.with { $0.faults.append("\(error)") }
        return .hangUp
      }
    }
  }

  private static func refusal(
    _ status: Int, _ code: String, _ message: String, fault: String
  ) -> VendorRefusal {
    let error = ["code": code, "message": message, "type": "invalid_request_error"]
    return VendorRefusal(.text(VideoVendor.json(["error": error]), status: status), fault: fault)
  }

  private static func input(of request: VendorServer.Request) throws -> (text: String, picture: [UInt8]?) {
    guard request.path == "/v1/moderations", request.query.isEmpty else {
      throw refusal(404, "not_found", "Unknown request URL", fault: request.path)
    }
    guard request.method == "POST" else {
      throw refusal(405, "method_not_supported", "Not allowed", fault: request.method)
    }
    guard request.headers["authorization"] == "Bearer \(key)" else {
      let came = request.headers["authorization"] ?? "none"
      throw refusal(401, "invalid_api_key", "Incorrect API key provided: \(came).", fault: "key")
    }
    guard request.headers["content-type"] == "application/json", let object = request.object else {
      throw refusal(400, "invalid_json", "We could not parse the body", fault: "body")
    }
    let input = try Self.input(object["input"])
    guard (object["model"] ?? model) as? String == model else {
      throw refusal(400, "invalid_value", "Invalid value for model", fault: "model")
    }
    let others = Set(object.keys).subtracting(["input", "model"])
    guard others.isEmpty else {
      throw refusal(400, "unknown_parameter", "Unknown parameter", fault: others.sorted().joined())
    }
    return input
  }

  /// A text, or a list of a text and a picture as a data URL.
  private static func input(_ value: Any?) throws -> (text: String, picture: [UInt8]?) {
    let missing = refusal(400, "missing_required_parameter", "Missing input", fault: "input")
    if let text = value as? String {
      guard !text.isEmpty else { throw missing }
      return (text, nil)
    }
    guard let parts = value as? [[String: Any]], parts.count == 2, parts[0]["type"] as? String == "text",
      let text = parts[0]["text"] as? String, !text.isEmpty, Set(parts[0].keys) == ["type", "text"],
      parts[1]["type"] as? String == "image_url", Set(parts[1].keys) == ["type", "image_url"],
      let image = parts[1]["image_url"] as? [String: Any], Set(image.keys) == ["url"],
      let url = image["url"] as? String, url.hasPrefix("data:image/jpeg;base64,"),
      let picture = Data(base64Encoded: String(url.dropFirst(23)))
    else { throw missing }
    return (text, [UInt8](picture))
  }

  private static func result(of input: String, _ picture: [UInt8]?) -> String {
    func found(in text: String) -> Set<String> {
      Set(words.filter { text.contains($0.key) }.flatMap(\.value))
    }
    let inText = found(in: input)
    let inPicture = found(in: String(decoding: picture ?? [], as: UTF8.self))
    let flagged = inText.union(inPicture)
    var (found, scores, types): ([String: Any], [String: Any], [String: Any]) = ([:], [:], [:])
    for category in categories {
      found[category] = flagged.contains(category)
      scores[category] = flagged.contains(category) ? 0.98 : 0.0001
      types[category] =
        (inText.contains(category) || !flagged.contains(category) ? ["text"] : [])
        + (inPicture.contains(category) ? ["image"] : [])
    }
    return VideoVendor.json([
      "id": "modr-0123456789", "model": model,
      "results": [
        [
          "flagged": !flagged.isEmpty, "categories": found, "category_scores": scores,
          "category_applied_input_types": types,
        ] as [String: Any]
      ],
    ])
  }
}
