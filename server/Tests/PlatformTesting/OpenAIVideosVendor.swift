import Foundation

/// In the place of a server that speaks the dialect of OpenAI's videos: it looks at whoever asks as the real
/// ones do, each in its own way, with code of its own.
final class OpenAIVideosVendor: Sendable {
  enum Kind: String, Sendable, CaseIterable { case openAI, vllmOmni, sglang, liteLLM, azure }

  static let key = "sk-proj-0123456789abcdefSECRET"

  let vendor: VideoVendor
  let server: VendorServer
  var jobs: [VideoVendor.Job] { vendor.jobs }
  var faults: [String] { vendor.faults }
  var requests: [String] { vendor.requests }
  /// What an operator writes down.
  let address: String

  init(_ kind: Kind = .openAI, _ rules: VideoVendor.Rules = .init()) throws {
    let vendor = VideoVendor(rules)
    self.vendor = vendor
    let dialect = Dialect(kind: kind, vendor: vendor)
    server = try VendorServer { dialect.answer(to: $0) }
    address = server.origin + dialect.base
  }
}

private struct Dialect: Sendable {
  let kind: OpenAIVideosVendor.Kind
  let vendor: VideoVendor

  var base: String { kind == .azure ? "/openai/v1" : "/v1" }

  func answer(to request: VendorServer.Request) -> VendorServer.Answer {
    vendor.note(request)
    do {
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
    try checkKey(request)
    if kind == .azure, request.query["api-version"] != "preview" {
      throw refusal(404, "DeploymentNotFound", "no api-version")
    }
    guard request.path.hasPrefix(base + "/videos") else { throw refusal(404, "not_found", request.path) }
    let rest = request.path.dropFirst((base + "/videos").count).split(separator: "/").map(String.init)
    switch (request.method, rest.count) {
    case ("POST", 0): return try create(request)
    case ("POST", 2) where rest[1] == "remix": return try remix(rest[0], request)
    case ("GET", 1): return try retrieve(job(rest[0]), request)
    case ("GET", 2) where rest[1] == "content": return try content(job(rest[0]), request)
    case ("DELETE", 1):
      // It has none.
      guard kind != .sglang else {
        throw VendorRefusal(.text(#"{"detail":"Method Not Allowed"}"#, status: 405))
      }
      let job = try job(rest[0])
      if let other = vendor.rules.script(request, job) { return other }
      vendor.cancel(job.id)
      return .text(VideoVendor.json(["id": job.id, "deleted": true, "object": "video.deleted"]))
    default: throw refusal(404, "not_found", "\(request.method) \(request.path)")
    }
  }

  private func checkKey(_ request: VendorServer.Request) throws {
    let key = OpenAIVideosVendor.key
    let isRight =
      kind == .azure
      ? request.headers["api-key"] == key && request.headers["authorization"] == nil
      : request.headers["authorization"] == "Bearer \(key)" && request.headers["api-key"] == nil
    guard !isRight else { return }
    let came = request.headers["api-key"] ?? request.headers["authorization"] ?? "none"
    throw VendorRefusal(
      .text(
        error(
          "invalid_api_key",
          "Incorrect API key provided: \(came). Find yours at https://x.test/keys?k=\(came)"),
        status: 401), fault: "key")
  }

  // MARK: Requests

  private func create(_ request: VendorServer.Request) throws -> VendorServer.Answer {
    var job = try read(request)
    job.key = request.headers["idempotency-key"]
    guard job.key != nil else { throw refusal(400, "missing_key", "idempotency-key") }
    if let other = vendor.rules.script(request, job) { return other }
    guard let begun = vendor.begin(job, id: { "video_\($0)" }) else {
      return .text(
        error("rate_limit_exceeded", "Too many at once"), status: 429, headers: ["retry-after": "7"])
    }
    return .text(VideoVendor.json(video(begun, "queued", 0)))
  }

  private func read(_ request: VendorServer.Request) throws -> VideoVendor.Job {
    let type = request.headers["content-type"] ?? ""
    var job = VideoVendor.Job()
    if type.hasPrefix("multipart/") {
      guard let form = FormReader(request.body, type: type) else { throw refusal(400, "bad_form", type) }
      try checkNames(form.parts.map(\.name))
      job.prompt = form["prompt"]?.text ?? ""
      guard let seconds = Int(form["seconds"]?.text ?? "") else { throw refusal(400, "seconds", "in a form") }
      job.seconds = seconds
      job.size = form["size"]?.text ?? ""
      try checkModel(form["model"]?.text)
      if let file = form["input_reference"] {
        guard let type = file.type, let name = file.file, !name.isEmpty else {
          throw refusal(400, "input_reference", "no file")
        }
        job.picture = file.content
        try checkPicture(file.content, type)
      }
    } else {
      guard kind != .vllmOmni, type == "application/json", let object = request.object else {
        // As FastAPI has it.
        throw VendorRefusal(
          .text(
            #"{"detail":[{"type":"missing","loc":["body","prompt"],"msg":"Field required","input":null}]}"#,
            status: 422), fault: "not a form: \(type)")
      }
      try checkNames(Array(object.keys))
      job.prompt = object["prompt"] as? String ?? ""
      try checkModel(object["model"] as? String)
      job.seconds = try seconds(object["seconds"])
      job.size = object["size"] as? String ?? ""
      job.picture = try picture(object)
    }
    try check(job)
    return job
  }

  private func check(_ job: VideoVendor.Job) throws {
    guard (1...32_000).contains(job.prompt.unicodeScalars.count) else {
      throw refusal(400, "prompt", "length")
    }
    switch kind {
    case .openAI, .azure, .liteLLM:
      guard [4, 8, 12].contains(job.seconds) else { throw refusal(400, "invalid_value", "seconds") }
      guard ["720x1280", "1280x720", "1024x1792", "1792x1024"].contains(job.size) else {
        throw refusal(400, "invalid_value", "size \(job.size)")
      }
    case .vllmOmni, .sglang:
      guard job.size.wholeMatch(of: /[1-9][0-9]*x[1-9][0-9]*/) != nil else {
        throw refusal(422, "size", job.size)
      }
    }
  }

  private func checkNames(_ names: [String]) throws {
    var known: Set = ["model", "prompt", "seconds", "size", "input_reference"]
    if kind == .sglang { known.insert("reference_url") }
    for name in names where !known.contains(name) { throw refusal(400, "unknown_parameter", name) }
    guard Set(names).count == names.count else { throw refusal(400, "twice", "\(names)") }
  }

  private func checkModel(_ model: String?) throws {
    // Those who serve one alone need no name.
    guard model == "model-1" || (model == nil && [.vllmOmni, .sglang].contains(kind)) else {
      throw refusal(400, "model_not_found", model ?? "none")
    }
  }

  private func seconds(_ value: Any?) throws -> Int {
    if kind == .sglang {
      // NB: a number of JSON alone, not a text that has one in it.
      guard let number = value as? NSNumber, !(value is String) else {
        throw refusal(422, "seconds", "no number")
      }
      return number.intValue
    }
    guard let text = value as? String, let number = Int(text) else {
      throw refusal(400, "seconds", "no text")
    }
    return number
  }

  private func picture(_ object: [String: Any]) throws -> [UInt8]? {
    let reference = object["input_reference"]
    let text: String?
    switch kind {
    case .sglang: text = object["reference_url"] as? String ?? reference as? String
    case .openAI, .azure, .liteLLM, .vllmOmni:
      text = (reference as? [String: Any])?["image_url"] as? String
      if reference != nil, text == nil { throw refusal(400, "input_reference", "neither file nor address") }
    }
    guard let text else { return nil }
    guard let match = text.wholeMatch(of: /data:(image\/[a-z]+);base64,([A-Za-z0-9+\/=]+)/),
      let data = Data(base64Encoded: String(match.2))
    else { throw refusal(400, "input_reference", "no data in it") }
    try checkPicture(Array(data), String(match.1))
    return Array(data)
  }

  private func checkPicture(_ bytes: [UInt8], _ type: String) throws {
    let isRight =
      type == "image/jpeg"
      ? bytes.starts(with: [0xFF, 0xD8]) : type == "image/png" && bytes.starts(with: [0x89])
    guard isRight else { throw refusal(400, "input_reference", "not of the type \(type)") }
  }

  private func remix(_ id: String, _ request: VendorServer.Request) throws -> VendorServer.Answer {
    var source = try job(id)
    guard source.isDoneThere else { throw refusal(400, "not_ready", "remix of what is not done") }
    guard let object = request.object, Array(object.keys) == ["prompt"],
      let prompt = object["prompt"] as? String
    else { throw refusal(400, "unknown_parameter", "a remix has a prompt alone") }
    (source.prompt, source.refined, source.polls, source.isDoneThere) = (prompt, id, 0, false)
    (source.polled, source.key) = (nil, request.headers["idempotency-key"])
    if let other = vendor.rules.script(request, source) { return other }
    guard let begun = vendor.begin(source, id: { "video_\($0)" }) else {
      return .text(error("rate_limit_exceeded", "Too many at once"), status: 429)
    }
    return .text(VideoVendor.json(video(begun, "queued", 0)))
  }

  private func retrieve(_ job: VideoVendor.Job, _ request: VendorServer.Request) throws -> VendorServer.Answer
  {
    if let other = vendor.rules.script(request, job) { return other }
    guard let (job, stage) = vendor.poll(job.id) else {
      throw VendorRefusal(
        .text(error("rate_limit_exceeded", "Slow down"), status: 429, headers: ["retry-after": "5"]),
        fault: "asked too soon")
    }
    switch stage {
    case .waiting: return .text(VideoVendor.json(video(job, "queued", 0)))
    case .going(let permille):
      // A gateway says it in its own word.
      let status = kind == .liteLLM ? "processing" : "in_progress"
      return .text(
        VideoVendor.json(video(job, status, permille / 10)), headers: ["openai-poll-after-ms": "2500"])
    case .over:
      var object = video(job, "completed", 100)
      if case .failed(let code, let message) = vendor.rules.end(job) {
        object["status"] = "failed"
        // Some have a number there.
        let mark: Any = Int(code).map { $0 as Any } ?? code
        object["error"] = ["code": mark, "message": message]
      }
      return .text(VideoVendor.json(object))
    }
  }

  private func content(_ job: VideoVendor.Job, _ request: VendorServer.Request) throws -> VendorServer.Answer
  {
    guard job.isDoneThere else { throw refusal(404, "not_ready", "content of what is not done") }
    if let other = vendor.rules.script(request, job) { return other }
    return .bytes(vendor.rules.video(job))
  }

  // MARK: Answers

  private func job(_ id: String) throws -> VideoVendor.Job {
    guard let job = vendor.job(id), !job.isCancelled else {
      throw VendorRefusal(.text(error("not_found", "No such video"), status: 404))
    }
    return job
  }

  private func video(_ job: VideoVendor.Job, _ status: String, _ progress: Int) -> [String: Any] {
    var object: [String: Any] = [
      "id": job.id, "object": "video", "status": status, "progress": progress, "created_at": 1_758_941_485,
      "model": "model-1", "size": job.size, "prompt": job.prompt,
      // What nobody wrote down.
      "quality": "standard", "stage_durations": ["vae": 1.5], "error": NSNull(),
    ]
    if kind == .sglang { object["seconds"] = job.seconds } else { object["seconds"] = "\(job.seconds)" }
    if kind == .sglang { object["file_path"] = "/outputs/x.mp4" }
    if let refined = job.refined { object["remixed_from_video_id"] = refined }
    return object
  }

  private func error(_ code: String, _ message: String) -> String {
    VideoVendor.json(["error": ["code": code, "message": message, "type": "invalid_request_error"]])
  }

  private func refusal(_ status: Int, _ code: String, _ message: String) -> VendorRefusal {
    VendorRefusal(.text(error(code, message), status: status), fault: "\(code): \(message)")
  }
}
