internal import ArgumentParser
internal import Composition
internal import Demo
internal import FFmpeg
internal import Foundation
internal import Options
internal import Platform
internal import Transcoding
internal import Videos

/// Makes the demo clips, one after the other through the real pipeline, so that the first can be watched
/// while the others are made. Each is known by its origin, so an interrupted fill goes on where it was.
struct DemoFill: Sendable {
  private static let setting = "demo"

  let instance: Instance
  let tools: FFmpegTools

  func run() async throws {
    let state = try await instance.settings.value(Self.setting)
    if state == "done" { return }
    // Whoever has clips of their own does not want ours in between.
    if state == nil, try await instance.clips.count() > 0 { return }
    try await instance.settings.set(Self.setting, to: "started")
    for (number, clip) in DemoClip.all.enumerated() {
      let title = clip.slug.replacing("-", with: " ").capitalizedFirst
      let counter = "\(number + 1)".padded(to: 2) + "/\(DemoClip.all.count)"
      try await make(clip, ProgressLine("demo \(counter)  \"\(title)\""))
    }
    try await instance.settings.set(Self.setting, to: "done")
    Console.say("demo  all \(DemoClip.all.count) clips are there")
  }

  private func make(_ clip: DemoClip, _ progress: ProgressLine) async throws {
    var progress = progress
    let origin = "demo:" + clip.slug
    var known = try await instance.clips.find(origin: origin)
    if known?.state == .ready { return }
    let began = ContinuousClock.now
    if known == nil {
      progress.show("drawing")
      try await draw(clip, origin)
      known = try await instance.clips.find(origin: origin)
    }
    guard let known, known.state == .processing else { return progress.end("is there already") }
    let job = try await instance.queue.waitForTranscode(of: known.clipID) {
      progress.show($0)
    }
    progress.end(
      job.state == .done
        ? "ready after \((ContinuousClock.now - began).inSeconds)"
        : "failed: \(job.failureDetail ?? "")")
  }

  private func draw(_ clip: DemoClip, _ origin: String) async throws {
    let folder = instance.workFolder.appendingPathComponent("demo", isDirectory: true)
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("\(clip.slug).mp4")
    try await tools.run(clip.ffmpegArguments(outputPath: file.path), in: folder)
    _ = try await instance.intake.take(
      fileAt: file, caption: clip.caption, authorHandle: clip.authorHandle, authorName: clip.authorName,
      origin: origin)
  }
}

struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: "Fills an empty instance with demo clips, and ends.")

  @OptionGroup var options: DataOptions

  func run() async throws {
    let instance = try await options.open()
    let tools = try FFmpegTools()
    try await untilSignal {
      try await withWorkers(1, instance, tools) { try await DemoFill(instance: instance, tools: tools).run() }
    }
  }
}

extension String {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
  func padded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

extension Duration {
  /// "3.2 s"
  var inSeconds: String {
    String(format: "%.1f s", Double(components.seconds) + Double(components.attoseconds) / 1e18)
  }
}
