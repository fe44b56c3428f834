import Contract
import FlyingFox
import FlyingSocks
import Foundation
import Playback
import Synchronization

/// Chromium's own HLS player on two addresses: what it says of length and size, and of the pixels at every
/// fifth of a second, gone to by a seek.
///
/// A page can read only pixels of its own origin, so both streams come through a server of ours, which hands
/// requests on with their ranges.
enum BrowserCheck {
  private struct Report: Decodable {
    var a: [String]?
    var b: [String]?
    var error: String?
  }

  static let compares =
    "length, size, and the time and all pixels (90 x 160) at every 0.2 s, gone to by a seek"

  /// What it saw of each; empty if it did not play.
  static func frames(_ one: URL, _ other: URL) async throws -> ([String], [String]) {
    try await reports(
      page.replacing("look('A')", with: "look('/a\(one.path)')")
        .replacing("look('B')", with: "look('/b\(other.path)')"), one, other)
  }

  /// How many tracks of text its HLS player has of each, then the cues that `<track>` has of their files.
  static func cues(_ one: URL, _ file: URL, _ other: URL, _ otherFile: URL) async throws -> (
    [String], [String]
  ) {
    try await reports(
      cuePage.replacing("look('A')", with: "look('/a\(one.path)', '/a\(file.path)')")
        .replacing("look('B')", with: "look('/b\(other.path)', '/b\(otherFile.path)')"), one, other)
  }

  private static func reports(_ page: String, _ one: URL, _ other: URL) async throws -> ([String], [String]) {
    let mirror = Mirror(page, one, other)
    let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled, handler: mirror)
    let run = Task { try await server.run() }
    try await server.waitUntilListening()
    guard case .ip4(_, let port) = await server.listeningAddress else { return ([], []) }
    let profile = FileManager.default.temporaryDirectory.appending(path: "browser-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: profile, withIntermediateDirectories: true)
    let browser = Process()
    // What it leaves in the temporary folder goes with its profile.
    browser.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": profile.path]) { $1 }
    browser.executableURL = URL(filePath: "/usr/bin/env")
    browser.arguments = [
      "chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--mute-audio", "--no-first-run",
      "--user-data-dir=\(profile.path)", "http://127.0.0.1:\(port)/",
    ]
    browser.standardOutput = FileHandle.nullDevice
    browser.standardError = FileHandle.nullDevice
    try browser.run()
    let clock = ContinuousClock()
    let limit = clock.now + .seconds(120)
    while mirror.report == nil, clock.now < limit { try await Task.sleep(for: .milliseconds(50)) }
    browser.terminate()
    while browser.isRunning { try await Task.sleep(for: .milliseconds(10)) }
    await server.stop(timeout: 0)
    _ = await run.result
    // Its children end a little later, and may still write.
    while FileManager.default.fileExists(atPath: profile.path), clock.now < limit {
      try? FileManager.default.removeItem(at: profile)
      try await Task.sleep(for: .milliseconds(20))
    }
    let report = mirror.report.flatMap { try? JSONDecoder().decode(Report.self, from: $0) }
    if let error = report?.error { print("Chromium: \(error)") }
    return (report?.a ?? [], report?.b ?? [])
  }

  static let page = #"""
    <!doctype html><meta charset="utf-8"><video muted playsinline></video><canvas width="90" height="160"></canvas>
    <script type="module">
    const [video, canvas] = [document.querySelector('video'), document.querySelector('canvas')];
    const context = canvas.getContext('2d', { willReadFrequently: true });
    const once = (name) => new Promise((done, fail) => {
      video.addEventListener(name, done, { once: true });
      video.addEventListener('error', () => fail(new Error(video.error?.message)), { once: true });
    });
    // FNV-1a.
    function pixels() {
      context.drawImage(video, 0, 0, canvas.width, canvas.height);
      let sum = 0x811c9dc5;
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      for (const byte of data) sum = Math.imul(sum ^ byte, 0x01000193);
      return (sum >>> 0).toString(16);
    }
    async function look(source) {
      const loaded = once('loadeddata');
      video.src = source;
      await loaded;
      const seen = [`${video.duration.toFixed(3)} s, ${video.videoWidth} x ${video.videoHeight}`];
      for (let at = 0.05; at < video.duration; at += 0.2) {
        const there = once('seeked');
        const shown = new Promise((done) => video.requestVideoFrameCallback((_, frame) => done(frame.mediaTime)));
        video.currentTime = at;
        await there;
        const late = new Promise((done) => setTimeout(done, 5000, NaN));
        seen.push(`${(await Promise.race([shown, late])).toFixed(3)} ${pixels()}`);
      }
      return seen;
    }
    const report = {};
    try {
      report.a = await look('A');
      report.b = await look('B');
    } catch (error) { report.error = String(error); }
    await fetch('/report', { method: 'POST', body: JSON.stringify(report) });
    </script>
    """#

  static let cuePage = #"""
    <!doctype html><meta charset="utf-8"><video muted playsinline></video>
    <script type="module">
    const video = document.querySelector('video');
    const once = (target, name) => new Promise((done, fail) => {
      target.addEventListener(name, done, { once: true });
      target.addEventListener('error', () => fail(new Error(`${name} of ${target.tagName}`)), { once: true });
    });
    async function look(source, file) {
      const loaded = once(video, 'loadeddata');
      video.src = source;
      await loaded;
      // Tracks of a stream come while it plays.
      const ended = once(video, 'ended');
      await video.play();
      await ended;
      const seen = [`${video.textTracks.length} tracks of text`];
      const element = document.createElement('track');
      Object.assign(element, { kind: 'captions', src: file });
      video.append(element);
      const read = once(element, 'load');
      element.track.mode = 'hidden';
      await read;
      for (const cue of element.track.cues) seen.push(`${cue.startTime} ${cue.endTime} ${cue.text}`);
      element.remove();
      return seen;
    }
    const report = {};
    try {
      report.a = await look('A');
      report.b = await look('B');
    } catch (error) { report.error = String(error); }
    await fetch('/report', { method: 'POST', body: JSON.stringify(report) });
    </script>
    """#
}

private final class Mirror: HTTPHandler {
  private let page: String
  private let transports: [String: HTTPTransport]
  private let state = Mutex<Data?>(nil)

  init(_ page: String, _ one: URL, _ other: URL) {
    self.page = page
    transports = ["a": HTTPTransport(base: one), "b": HTTPTransport(base: other)]
  }

  var report: Data? { state.withLock { $0 } }

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    if request.method == .POST {
      let body = try await request.bodyData
      state.withLock { $0 = body }
      return HTTPResponse(statusCode: .noContent)
    }
    let parts = request.path.split(separator: "/", maxSplits: 1)
    guard parts.count == 2, let transport = transports[String(parts[0])] else {
      return HTTPResponse(statusCode: .ok, headers: [.contentType: "text/html"], body: Data(page.utf8))
    }
    var wire = WireRequest("GET", "/\(parts[1])")
    wire.headers["range"] = request.headers[.range]
    let answer = try await transport.send(wire)
    var headers: HTTPHeaders = [.contentLength: "\(answer.body.count)"]
    for name in ["content-type", "content-range", "accept-ranges"] {
      headers[HTTPHeader(name)] = answer.headers[name]
    }
    return HTTPResponse(
      statusCode: HTTPStatusCode(answer.status, phrase: ""), headers: headers, body: answer.body)
  }
}
