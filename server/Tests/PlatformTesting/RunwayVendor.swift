import Foundation

/// In the place of Runway's interface for developers: tasks, whose results lie elsewhere, signed for a while.
final class RunwayVendor: Sendable {
  static let key = "key_0123456789abcdefSECRET"
  static let version = "2024-11-06"

  let vendor: VideoVendor
  let server: VendorServer
  /// Where results are. It must not be shown the key.
  let results: VendorServer

  var jobs: [VideoVendor.Job] { vendor.jobs }
  var faults: [String] { vendor.faults }
  var requests: [String] { vendor.requests }
  var address: String { server.origin }
  /// As settings have it.
  var resultsPlace: String { results.originByName.replacingOccurrences(of: "http://", with: "") }

  init(_ rules: VideoVendor.Rules = .init()) throws {
    let vendor = VideoVendor(rules)
    self.vendor = vendor
    let results = try VendorServer { RunwayDialect.result(vendor, $0) }
    self.results = results
    let dialect = RunwayDialect(vendor: vendor, resultsAt: results.originByName)
    server = try VendorServer { dialect.answer(to: $0) }
  }
}

private struct RunwayDialect: Sendable {
  let vendor: VideoVendor
  let resultsAt: String

  static func result(_ vendor: VideoVendor, _ request: VendorServer.Request) -> VendorServer.Answer {
    vendor.note(request)
    guard !request.headers.values.contains(where: { $0.contains(RunwayVendor.key) }) else {
      vendor.fault("the key went to the results")
      return .text("", status: 400)
    }
    let id = request.path.replacingOccurrences(of: "/", with: "").replacingOccurrences(of: ".mp4", with: "")
    guard request.method == "GET", let job = vendor.job(id), job.isDoneThere else {
      vendor.fault("a result of what is not done")
      return .text("", status: 404)
    }
    guard request.query["_jwt"] == "signed.\(id)" else {
      return .text("<Error>AccessDenied</Error>", status: 403, type: "application/xml")
    }
    return vendor.rules.script(request, job) ?? .bytes(vendor.rules.video(job))
  }

  func answer(to request: VendorServer.Request) -> VendorServer.Answer {
    vendor.note(request)
    do {
      guard request.headers["authorization"] == "Bearer \(RunwayVendor.key)" else {
        throw refusal(401, "The API key \(request.headers["authorization"] ?? "none") is not valid.")
      }
      guard request.headers["x-runway-version"] == RunwayVendor.version else {
        throw refusal(400, "X-Runway-Version")
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
    switch (request.method, request.path) {
    case ("POST", "/v1/text_to_video"): return try create(request, withPicture: false)
    case ("POST", "/v1/image_to_video"): return try create(request, withPicture: true)
    default: break
    }
    guard let match = request.path.wholeMatch(of: /\/v1\/tasks\/([0-9a-z-]+)/) else {
      throw refusal(404, request.path)
    }
    guard let job = vendor.job(String(match.1)), !job.isCancelled else {
      throw VendorRefusal(.text(#"{"error":"No such task"}"#, status: 404))
    }
    if let other = vendor.rules.script(request, job) { return other }
    switch request.method {
    case "DELETE":
      vendor.cancel(job.id)
      return .text("", status: 204)
    case "GET": return try poll(job)
    default: throw refusal(405, request.method)
    }
  }

  private func create(_ request: VendorServer.Request, withPicture: Bool) throws -> VendorServer.Answer {
    var known: Set = ["model", "promptText", "ratio", "duration"]
    if withPicture { known.insert("promptImage") }
    guard request.headers["content-type"] == "application/json", let object = request.object,
      Set(object.keys) == known, object["model"] as? String == "gen4.5"
    else { throw refusal(400, "the body") }
    var job = VideoVendor.Job()
    job.prompt = object["promptText"] as? String ?? ""
    guard (1...1000).contains(job.prompt.utf16.count) else { throw refusal(400, "promptText") }
    job.size = object["ratio"] as? String ?? ""
    guard ["1280:720", "720:1280"].contains(job.size) else { throw refusal(400, "ratio") }
    guard let seconds = object["duration"] as? NSNumber, (2...10).contains(seconds.intValue) else {
      throw refusal(400, "duration")
    }
    job.seconds = seconds.intValue
    if withPicture {
      guard let text = object["promptImage"] as? String,
        let match = text.wholeMatch(of: /data:image\/(png|jpeg);base64,([A-Za-z0-9+\/=]+)/),
        let bytes = Data(base64Encoded: String(match.2))
      else { throw refusal(400, "promptImage") }
      job.picture = Array(bytes)
    }
    if let other = vendor.rules.script(request, job) { return other }
    guard let begun = vendor.begin(job, id: { "0d6e4079-\($0)" }) else {
      throw VendorRefusal(.text(#"{"error":"Too many at once"}"#, status: 429))
    }
    return .text(VideoVendor.json(["id": begun.id]))
  }

  private func poll(_ job: VideoVendor.Job) throws -> VendorServer.Answer {
    // Once it is done it may be asked again at once: that is how its result is found.
    let step: (job: VideoVendor.Job, stage: VideoVendor.Stage)? =
      job.isDoneThere ? (job: job, stage: .over) : vendor.poll(job.id)
    guard let (job, stage) = step else {
      throw VendorRefusal(
        .text(#"{"error":"Slow down"}"#, status: 429, headers: ["retry-after": "5"]), fault: "asked too soon")
    }
    var object: [String: Any] = ["id": job.id, "createdAt": "2026-11-27T12:00:00.000Z"]
    switch stage {
    case .waiting: object["status"] = "THROTTLED"
    case .going(let permille):
      object["status"] = "RUNNING"
      object["progress"] = Double(permille) / 1000
    case .over:
      switch vendor.rules.end(job) {
      case .completed:
        object["status"] = "SUCCEEDED"
        object["output"] = ["\(resultsAt)/\(job.id).mp4?_jwt=signed.\(job.id)"]
      case .failed(let code, let message):
        object["status"] = code == "CANCELLED" ? code : "FAILED"
        object["failure"] = message
        object["failureCode"] = code
      }
    }
    return .text(VideoVendor.json(object))
  }

  private func refusal(_ status: Int, _ message: String) -> VendorRefusal {
    VendorRefusal(.text(VideoVendor.json(["error": message]), status: status), fault: message)
  }
}
