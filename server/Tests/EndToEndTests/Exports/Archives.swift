import Contract
import Foundation
import Platform
import Uploads
import Videos

@testable import Composition
@testable import Exports
@testable import ServerTesting

/// An archive that an instance made, as whoever downloads it has it.
struct MadeArchive {
  let url: URL
  let reader: ArchiveReader

  /// Lines of a list, as objects.
  func lines(_ name: String) async throws -> [[String: Any]] {
    var lines: [[String: Any]] = []
    try await reader.lines(of: name) { line in
      if let object = try JSONSerialization.jsonObject(with: line) as? [String: Any] { lines.append(object) }
    }
    return lines
  }

  /// The same without what differs from one instance to another: ids and times.
  func shape(_ name: String) async throws -> [String] {
    try await lines(name).map { line in
      let kept = line.filter { key, _ in !key.hasSuffix("id") && !key.hasSuffix("_ms") && key != "likes" }
      let data = try JSONSerialization.data(withJSONObject: kept, options: [.sortedKeys])
      return String(decoding: data, as: UTF8.self)
    }.sorted()
  }

  func bytes() throws -> Data { try Data(contentsOf: url) }
}

extension TestInstance {
  /// Asks for an archive, has it made, and gets it.
  func export(_ account: String, key: String = "an-export-of-this-test") async throws -> MadeArchive {
    let exports = instance.exports()
    let asked = try await exports.request(by: account, idempotencyKey: key)
    while try await instance.exportWorker().runNext() {}
    let made = try await exports.list(of: account).items.first { $0.id == asked.id }
    guard let made, made.state == .ready, let seal = made.url?.split(separator: "/").last else {
      throw AppError(.exportFailed, made?.problem)
    }
    let archive = try await exports.archive(asked.id, by: String(seal))
    let url = folder.appendingPathComponent("\(asked.id).tar")
    guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
      throw AppError(.storageFull)
    }
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    let size = try await instance.sources.size(archive.blob) ?? 0
    try await instance.sources.read(archive.blob, range: 0..<size) { try file.write(contentsOf: Data($0)) }
    return MadeArchive(url: url, reader: try ArchiveReader(url))
  }

  /// Archives in the store, whoever may have them.
  func storedArchives() async throws -> [BlobName] {
    try await instance.sources.list(after: nil, limit: 1000).map(\.name).filter { $0.ext == "tar" }
  }

  /// A clip of an account, taken in and converted.
  func upload(
    _ file: URL, by account: String, caption: String, tags: String = "", visibility: Visibility = .public
  ) async throws -> (upload: String, clip: String) {
    let taker = ArchiveTaker(
      instance: instance, account: account, accounts: try await instance.accounts(),
      context: FeatureContext(instance))
    let clip = ArchivedClip(
      id: "", caption: caption, tags: tags, visibility: visibility.rawValue, state: nil, coverMs: nil,
      removed: nil)
    let upload = try await taker.takeClip(file, clip, key: "upload-\(caption)-of-\(account)")
    while try await instance.worker(tools: tools).runNext() {}
    return (upload, try await taker.clip(ofUpload: upload))
  }
}
