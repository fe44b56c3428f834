import Contract
import Foundation
import Platform

@testable import Exports

/// A tape archive that a test puts together byte by byte, right or wrong.
struct Tape {
  var bytes: [UInt8] = []

  /// `change`: what is wrong with the header; its sum is right again behind it.
  mutating func add(
    _ path: String, _ content: [UInt8], size: Int64? = nil, _ change: (inout [UInt8]) -> Void = { _ in }
  ) {
    var block = TarHeader(path: path, size: size ?? Int64(content.count)).bytes(seconds: 0)
    change(&block)
    bytes += Self.summed(block) + content
    bytes += [UInt8](repeating: 0, count: TarHeader.padding(behind: Int64(content.count)))
  }

  static func summed(_ block: [UInt8]) -> [UInt8] {
    var block = block
    for place in 148..<156 { block[place] = UInt8(ascii: " ") }
    let sum = String(block.reduce(0) { $0 + Int($1) }, radix: 8)
    let text = String(repeating: "0", count: 6 - sum.utf8.count) + sum + "\0 "
    for (index, byte) in text.utf8.enumerated() { block[148 + index] = byte }
    return block
  }

  mutating func end() { bytes += [UInt8](repeating: 0, count: 1024) }

  /// A file of these bytes, gone with the work.
  func read<Value>(_ work: (URL) async throws -> Value) async throws -> Value {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tar")
    try Data(bytes).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try await work(url)
  }

  /// What is wrong with it; nil: nothing.
  func failure() async throws -> ArchiveFailure? {
    try await read { url in
      do {
        _ = try ArchiveReader(url)
        return nil
      } catch let failure as ArchiveFailure { return failure }
    }
  }

  // MARK: Whole archives

  struct Content {
    var path: String
    var text: String
    var tell: (inout ArchiveManifest.File) -> Void = { _ in }
  }

  static func manifest(_ contents: [Content]) -> ArchiveManifest {
    ArchiveManifest(
      format: ArchiveManifest.format, version: ArchiveManifest.version, export: "e", instance: "there",
      account: .init(id: "mara-there", handle: "mara", name: "Mara"),
      createdAt: Date(timeIntervalSince1970: 0),
      files: contents.map { content in
        var file = ArchiveManifest.File(
          path: content.path, sizeBytes: Int64(content.text.utf8.count),
          sha256: ContentHash.of(Array(content.text.utf8)))
        content.tell(&file)
        return file
      }, missing: [])
  }

  static func whole(
    _ contents: [Content], manifest change: (inout ArchiveManifest) -> Void = { _ in }
  ) throws -> Tape {
    var tape = Tape()
    for content in contents { tape.add(content.path, Array(content.text.utf8)) }
    var manifest = manifest(contents)
    change(&manifest)
    tape.add(ArchiveManifest.path, [UInt8](try WireCoding.encode(manifest)))
    tape.end()
    return tape
  }

  static func lines(_ name: String, _ lines: String...) -> Content {
    Content(path: "records/\(name).jsonl", text: lines.map { $0 + "\n" }.joined()) {
      $0.records = lines.count
    }
  }
}
