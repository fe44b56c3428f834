internal import ArgumentParser
internal import Composition
internal import FFmpeg
internal import Foundation
internal import Logging
internal import ModelServer
internal import OpenIDConnect
internal import Options
internal import Platform
internal import PostgreSQL
internal import Redis
internal import S3Blobs
internal import Uploads

struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Checks what this machine needs to run Clipfeed.")

  @OptionGroup var options: DataOptions
  @OptionGroup var site: SiteOptions
  @OptionGroup var shared: CacheOptions
  @OptionGroup var signIn: SignInOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var model: ModelOptions

  func run() async throws {
    let web = site.folder
    var isHealthy = true
    func check(_ what: String, _ remedy: String, _ look: () async throws -> String) async {
      do {
        Console.say("ok    \(what): \(try await look())")
      } catch {
        isHealthy = false
        Console.say("FAIL  \(what): \(error)\n      \(remedy)")
      }
    }
    await check("ffmpeg", "Install it: apt-get install ffmpeg") {
      let (version, missing) = try await FFmpegTools().check(in: FileManager.default.temporaryDirectory)
      guard missing.isEmpty else { throw Fault("it lacks \(missing.joined(separator: ", "))") }
      return version
    }
    if let tools = try? FFmpegTools(), !tools.isAbleToPrint {
      Console.say(
        "warn  sounds: this ffmpeg has no chromaprint\n      Clips do not show who else has their sound.")
    }
    let remedy = "Run where the kernel allows namespaces, or in a room of its own; docs/operate.md says how."
    if FFmpegTools.isConfined || sandbox.isRequired {
      await check("confinement of ffmpeg", remedy) {
        guard FFmpegTools.isConfined else { throw Fault(FFmpegTools.confinement) }
        return FFmpegTools.confinement
      }
    } else {
      Console.say("warn  confinement of ffmpeg: \(FFmpegTools.confinement)\n      \(remedy)")
    }
    func database() async throws -> String {
      let instance = try await options.open(migrating: false)
      let missing = try await instance.migrator.missing().count
      return try await instance.database.version()
        + (missing == 0
          ? ", schema up to date" : ", schema lacks \(missing) steps, which the next start takes")
    }
    switch options.database.place {
    case .folder:
      await check("data folder and SQLite", "Choose a folder that can be written: --data FOLDER") {
        let instance = try await options.open(migrating: false)
        if case .folders = options.storage.storage { try await instance.media.checkWritable() }
        return "\(instance.folder.path), \(try await database())"
      }
    case .postgreSQL(let address, _):
      await check("data folder", "Choose a folder that can be written: --data FOLDER") {
        let folder = URL(fileURLWithPath: options.data ?? "./var", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard FileManager.default.isWritableFile(atPath: folder.path) else {
          throw Fault("it cannot be written")
        }
        return folder.standardizedFileURL.path
      }
      await check("database", "docs/operate.md explains PostgreSQL") { "\(try await database()), \(address)" }
    }
    await check("room", "Make room on the disk under the data folder") {
      let folder = options.data ?? "./var"
      guard FileManager.default.fileExists(atPath: folder) else { throw Fault("\(folder) is not there") }
      let free = try FileManager.default.attributesOfFileSystem(forPath: folder)[.systemFreeSize]
      let megabytes = (free as? NSNumber).map { $0.int64Value >> 20 } ?? 0
      let needed = UploadRules().reserveBytes >> 20
      guard megabytes >= needed else {
        throw Fault("\(megabytes) MB are free; below \(needed) MB no upload begins any more")
      }
      return "\(megabytes) MB free"
    }
    if case .bucket(let bucket, let delivery, let sending) = options.storage.storage {
      await check("bucket", "docs/operate.md explains the settings of a bucket") {
        for folder in ["media", "sources"] { try await S3Blobs(bucket: bucket.under(folder)).checkAccess() }
        return "\(bucket), media by \(delivery.rawValue), uploads by \(sending.rawValue)"
      }
    }
    if let address = shared.address {
      await check("cache", "Without it the service goes on, slower; docs/operate.md explains its settings") {
        let cache = try RedisCache(
          address, prefix: "clipfeed:doctor:",
          logger: Logger(label: "clipfeed.doctor") { _ in SwiftLogNoOpLogHandler() })
        defer { cache.stop() }
        await cache.start()
        try await cache.check()
        return "\(address), Redis \(try await cache.version())"
      }
    }
    for entry in signIn.providers {
      let id = entry.settings.id
      await check("sign-in by \(id)", "docs/operate.md goes through the settings of a provider step by step")
      {
        guard let provider = try signIn.make().first(where: { $0.id == id }) else {
          throw Fault("it is gone")
        }
        return try await provider.check()
      }
    }
    if let server = model.make() {
      await check(
        "model server", "Without it pages go by our own scores; docs/operate.md explains its settings"
      ) {
        try await server.check()
      }
    }
    await check("web client", "Start from the repository, or say where it is: --web FOLDER") {
      let page = URL(fileURLWithPath: web).appendingPathComponent("index.html").path
      guard FileManager.default.isReadableFile(atPath: page) else { throw Fault("\(page) is not there") }
      return web
    }
    await check("core.wasm", "Build it: make wasm") {
      let file = URL(fileURLWithPath: web).appendingPathComponent("core.wasm").path
      guard let size = try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int else {
        throw Fault("\(file) is not there")
      }
      return "\(size) bytes"
    }
    if !isHealthy { throw ExitCode(1) }
  }

  private struct Fault: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
}
