import Foundation

/// In the place of the Gemini API: operations that last, whose result needs the key.
final class VeoVendor: Sendable {
  static let key = "AIza0123456789-SECRET_abcdef"
  static let model = "veo-3.1-generate-preview"

  let vendor: VideoVendor
  let server: VendorServer

  var jobs: [VideoVendor.Job] { vendor.jobs }
  var faults: [String] { vendor.faults }
  var requests: [String] { vendor.requests }
  var address: String { server.origin }

  /// `contentAt`: nil: a path of its own. Else that address, for the number of the job.
  init(_ rules: VideoVendor.Rules = .init(), contentAt: (@Sendable (String) -> String)? = nil) throws {
    let vendor = VideoVendor(rules)
    self.vendor = vendor
    let origin = Shared("")
    let dialect = VeoDialect(vendor: vendor) { id in
      contentAt?(id) ?? "\(origin.with { $0 })/v1beta/files/\(id):download?alt=media"
    }
    server = try VendorServer { dialect.answer(to: $0) }
    let itself = server.origin
    origin.with { $0 = itself }
  }
}

private struct VeoDialect: Sendable {
  let vendor: VideoVendor
  let contentAt: @Sendable (String) -> String

  private var operations: String { "/v1beta/models/\(VeoVendor.model)/operations/" }

  func answer(to request: VendorServer.Request) -> VendorServer.Answer {
    vendor.note(request)
    do {
      guard request.headers["x-goog-api-key"] == VeoVendor.key, request.query["key"] == nil else {
        let came = request.headers["x-goog-api-key"] ?? "none"
        throw refusal(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key, not \(came).")
      }
      return try right(request)
    } catch let refusal as VendorRefusal {
      if let fault = refusal.fault { vendor.fault(fault) }
      return refusal.answer
    } catch {
      vendor.fault("\(error)")
      return .hangUp
    }
  }

  private func right(_ request: VendorServer.Request) throws -> VendorServer.Answer {
    if request.method == "POST" {
      guard request.path == "/v1beta/models/\(VeoVendor.model):predictLongRunning" else {
        throw refusal(404, "NOT_FOUND", request.path)
      }
      return try create(request)
    }
    guard request.method == "GET" else { throw refusal(404, "NOT_FOUND", request.method) }
    if request.path.hasPrefix(operations) {
      return try poll(job(String(request.path.dropFirst(operations.count))), request)
    }
    if let match = request.path.wholeMatch(of: /\/(download\/)?v1beta\/files\/([a-z0-9]+):download/) {
      guard request.query["alt"] == "media" else { throw refusal(400, "INVALID_ARGUMENT", "alt") }
      let job = try job(String(match.2))
      guard job.isDoneThere else { throw refusal(404, "NOT_FOUND", "a file of what is not done") }
      if let other = vendor.rules.script(request, job) { return other }
      // As it does: the file itself is at another path.
      guard match.1 != nil else { return .redirect("/download\(request.path)?alt=media") }
      return .bytes(vendor.rules.video(job))
    }
    throw refusal(404, "NOT_FOUND", request.path)
  }

  private func create(_ request: VendorServer.Request) throws -> VendorServer.Answer {
    guard request.headers["content-type"] == "application/json", let object = request.object,
      Set(object.keys) == ["instances", "parameters"],
      let instances = object["instances"] as? [[String: Any]], instances.count == 1,
      let parameters = object["parameters"] as? [String: Any]
    else { throw refusal(400, "INVALID_ARGUMENT", "the body") }
    var job = VideoVendor.Job()
    job.prompt = instances[0]["prompt"] as? String ?? ""
    guard Set(instances[0].keys).isSubset(of: ["prompt", "image"]), !job.prompt.isEmpty else {
      throw refusal(400, "INVALID_ARGUMENT", "the instance")
    }
    if let image = instances[0]["image"] {
      guard let image = image as? [String: String], Set(image.keys) == ["bytesBase64Encoded", "mimeType"],
        ["image/png", "image/jpeg"].contains(image["mimeType"]),
        let bytes = Data(base64Encoded: image["bytesBase64Encoded"] ?? "")
      else { throw refusal(400, "INVALID_ARGUMENT", "the image") }
      job.picture = Array(bytes)
    }
    guard Set(parameters.keys).isSubset(of: ["aspectRatio", "durationSeconds", "resolution"]),
      let aspect = parameters["aspectRatio"] as? String, ["16:9", "9:16"].contains(aspect),
      let seconds = parameters["durationSeconds"] as? NSNumber, [4, 6, 8].contains(seconds.intValue),
      ["720p", "1080p", "4k"].contains(parameters["resolution"] as? String)
    else { throw refusal(400, "INVALID_ARGUMENT", "the parameters") }
    (job.size, job.seconds) = (aspect, seconds.intValue)
    if let other = vendor.rules.script(request, job) { return other }
    guard let begun = vendor.begin(job, id: { "op\($0)" }) else {
      throw VendorRefusal(.text(error(429, "RESOURCE_EXHAUSTED", "Too many at once"), status: 429))
    }
    return .text(VideoVendor.json(["name": name(begun)]))
  }

  private func poll(_ job: VideoVendor.Job, _ request: VendorServer.Request) throws -> VendorServer.Answer {
    if let other = vendor.rules.script(request, job) { return other }
    // Once it is done it may be asked again at once: that is how its result is found.
    let step: (job: VideoVendor.Job, stage: VideoVendor.Stage)? =
      job.isDoneThere ? (job: job, stage: .over) : vendor.poll(job.id)
    guard let (job, stage) = step else {
      throw VendorRefusal(
        .text(error(429, "RESOURCE_EXHAUSTED", "Slow down"), status: 429, headers: ["retry-after": "10"]),
        fault: "asked too soon")
    }
    guard stage == .over else {
      return .text(VideoVendor.json(["name": name(job), "metadata": ["@type": "x"]]))
    }
    var object: [String: Any] = ["name": name(job), "done": true]
    switch vendor.rules.end(job) {
    case .completed:
      object["response"] = [
        "@type": "type.googleapis.com/x",
        "generateVideoResponse": ["generatedSamples": [["video": ["uri": contentAt(job.id)]]]],
      ]
    // Against its rules: in place of a video, not as an error.
    case .failed(let code, let message) where code == "rai":
      object["response"] = [
        "generateVideoResponse": ["raiMediaFilteredCount": 1, "raiMediaFilteredReasons": [message]]
      ]
    case .failed(let code, let message):
      object["error"] = ["code": Int(code) ?? 13, "message": message]
    }
    return .text(VideoVendor.json(object))
  }

  private func job(_ id: String) throws -> VideoVendor.Job {
    guard let job = vendor.job(id) else {
      throw VendorRefusal(.text(error(404, "NOT_FOUND", "no such operation"), status: 404))
    }
    return job
  }

  private func name(_ job: VideoVendor.Job) -> String { "models/\(VeoVendor.model)/operations/\(job.id)" }

  private func error(_ code: Int, _ status: String, _ message: String) -> String {
    VideoVendor.json(["error": ["code": code, "message": message, "status": status]])
  }

  private func refusal(_ status: Int, _ name: String, _ message: String) -> VendorRefusal {
    VendorRefusal(.text(error(status, name, message), status: status), fault: "\(name): \(message)")
  }
}
