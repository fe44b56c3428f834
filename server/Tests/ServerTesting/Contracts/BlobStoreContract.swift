import Contract
import Foundation
import LocalBlobs
import Platform
import Testing

@testable import S3Blobs

/// The obligations of the `BlobStore` port, one case each, on every implementation. S3 is a real server:
/// `bash scripts/lib/s3-server.sh swift test …` starts one.
@Suite struct BlobStoreContract {
  enum Kind: CaseIterable { case folder, bucketInPath, bucketInHostName }

  private static let content = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 256) })

  private func read(_ store: any BlobStore, _ name: BlobName, _ range: Range<Int>) async throws -> Data {
    var data = Data()
    try await store.read(name, range: range) { piece in
      #expect(piece.count <= BlobPiece.maximumBytes)
      data += piece
    }
    return data
  }

  @Test(arguments: Kind.allCases)
  func whatIsPutCanBeReadAndItsFileIsGone(_ kind: Kind) async throws {
    let bench = try StoreBench(kind)
    let file = try bench.file(Self.content)
    let name = try await bench.store.put(fileAt: file, ext: "mp4")
    #expect(name.hash == ContentHash.of(Self.content))
    #expect(try await bench.store.size(name) == Self.content.count)
    #expect(try await read(bench.store, name, 0..<Self.content.count) == Self.content)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test(arguments: Kind.allCases)
  func aRangeGivesExactlyItsBytes(_ kind: Kind) async throws {
    let bench = try StoreBench(kind)
    let name = try await bench.store.put(Self.content, ext: "mp4", in: bench.folder)
    for range in [0..<1, 5..<6, 299_999..<600_001, 699_999..<700_000, 7..<7] {
      #expect(try await read(bench.store, name, range) == Self.content[range], "\(range)")
    }
  }

  @Test(arguments: Kind.allCases)
  func anEmptyBlobIsOne(_ kind: Kind) async throws {
    let bench = try StoreBench(kind)
    let name = try await bench.store.put(Data(), ext: "bin", in: bench.folder)
    #expect(try await bench.store.size(name) == 0)
    #expect(try await read(bench.store, name, 0..<0).isEmpty)
  }

  @Test(arguments: Kind.allCases)
  func whatIsNotThereHasNoSizeAndCannotBeRead(_ kind: Kind) async throws {
    let bench = try StoreBench(kind)
    let name = try #require(BlobName(hash: ContentHash.of(Data("never".utf8)), ext: "mp4"))
    #expect(try await bench.store.size(name) == nil)
    for range in [0..<0, 0..<5] {
      await #expect(throws: AppError(.mediaNotFound)) { try await read(bench.store, name, range) }
    }
    try await bench.store.remove(name)
  }

  @Test(arguments: Kind.allCases)
  func aRemovedBlobIsGone(_ kind: Kind) async throws {
    let bench = try StoreBench(kind)
    let name = try await bench.store.put(Data("short".utf8), ext: "jpg", in: bench.folder)
    #expect(try await bench.store.size(name) == 5)
    try await bench.store.remove(name)
    #expect(try await bench.store.size(name) == nil)
    await #expect(throws: AppError(.mediaNotFound)) { try await read(bench.store, name, 0..<5) }
    try await bench.store.remove(name)
  }

  @Test(arguments: Kind.allCases)
  func theSameContentAgainIsFineAndMakesTheBlobNew(_ kind: Kind) async throws {
    let bench = try StoreBench(kind)
    let first = try bench.file(Self.content)
    // As old as an upload that took a day.
    let yesterday = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: -86_400)]
    try FileManager.default.setAttributes(yesterday, ofItemAtPath: first.path)
    let began = Int64(Date().timeIntervalSince1970) * 1000
    let name = try await bench.store.put(fileAt: first, ext: "mp4")
    let second = try bench.file(Self.content)
    #expect(try await bench.store.put(fileAt: second, ext: "mp4") == name)
    #expect(!FileManager.default.fileExists(atPath: second.path))
    let listed = try await bench.store.list(after: nil, limit: 10)
    #expect(listed.map(\.name) == [name])
    #expect(listed.map(\.sizeBytes) == [Self.content.count])
    #expect(try #require(listed.first).changedMs >= began)
    #expect(try await read(bench.store, name, 0..<Self.content.count) == Self.content)
  }

  @Test(arguments: Kind.allCases)
  func aPutThatFailsLeavesTheFileAndNoBlob(_ kind: Kind) async throws {
    let bench = try StoreBench(kind)
    let file = try bench.file(Self.content)
    await #expect(throws: AppError.self) { try await bench.store.put(fileAt: file, ext: "exe") }
    #expect(try Data(contentsOf: file) == Self.content)
    #expect(try await bench.store.list(after: nil, limit: 10).isEmpty)
  }

  @Test(arguments: Kind.allCases)
  func manyAtOnceDoNotDisturbEachOther(_ kind: Kind) async throws {
    let bench = try StoreBench(kind)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<12 {
        group.addTask {
          // Four different contents, each three times.
          let data = Data("content \(number % 4)".utf8)
          let name = try await bench.store.put(data, ext: "bin", in: bench.folder)
          #expect(try await read(bench.store, name, 0..<data.count) == data)
        }
      }
      try await group.waitForAll()
    }
    #expect(try await bench.store.list(after: nil, limit: 100).count == 4)
  }

  @Test(arguments: Kind.allCases)
  func theTakersErrorComesOutAndEndsTheReading(_ kind: Kind) async throws {
    struct Enough: Error {}
    let bench = try StoreBench(kind)
    let name = try await bench.store.put(Self.content, ext: "mp4", in: bench.folder)
    var pieces = 0
    await #expect(throws: Enough.self) {
      try await bench.store.read(name, range: 0..<Self.content.count) { _ in
        pieces += 1
        throw Enough()
      }
    }
    #expect(pieces == 1)
  }

  @Test(arguments: Kind.allCases)
  func aListIsReadInPagesInTheOrderOfNames(_ kind: Kind) async throws {
    let bench = try StoreBench(kind)
    var names: [BlobName] = []
    for number in 0..<7 {
      names.append(try await bench.store.put(Data("blob \(number)".utf8), ext: "bin", in: bench.folder))
    }
    var listed: [StoredBlob] = []
    while true {
      let page = try await bench.store.list(after: listed.last?.name, limit: 3)
      #expect(page.count <= 3)
      if page.isEmpty { break }
      listed += page
    }
    #expect(listed.map(\.name) == names.sorted())
    #expect(listed.allSatisfy { $0.sizeBytes == 6 })
    // Behind a name that is not there any more.
    try await bench.store.remove(listed[2].name)
    let rest = try await bench.store.list(after: listed[2].name, limit: 100)
    #expect(rest == Array(listed[3...]))
  }

  @Test(arguments: Kind.allCases)
  func aStoreThatCanBeWrittenSaysSoAndKeepsNothing(_ kind: Kind) async throws {
    let bench = try StoreBench(kind)
    try await bench.store.checkWritable()
    #expect(try await bench.store.list(after: nil, limit: 10).isEmpty)
  }

  /// Reads as slowly as it likes: the store must not run ahead of it.
  @Test(arguments: Kind.allCases)
  func aSlowTakerGetsEverythingInOrder(_ kind: Kind) async throws {
    let bench = try StoreBench(kind)
    let data = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 251) })
    let name = try await bench.store.put(data, ext: "mp4", in: bench.folder)
    var hash = RunningHash()
    try await bench.store.read(name, range: 0..<data.count) { piece in
      for _ in 0..<20 { await Task.yield() }
      hash.add(piece)
    }
    #expect(hash.value == name.hash)
  }
}

/// A store of one kind, empty, with a folder for files.
final class StoreBench: Sendable {
  let folder: URL
  let store: any BlobStore

  init(_ kind: BlobStoreContract.Kind) throws {
    folder = TestFolders.path()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    store =
      switch kind {
      case .folder: try LocalBlobs(root: folder.appendingPathComponent("blobs"))
      case .bucketInPath: try S3Server.store()
      case .bucketInHostName: try S3Server.store(style: .virtual)
      }
  }

  deinit { FileManager.default.removeTestFolder(folder) }

  func file(_ data: Data) throws -> URL {
    let url = folder.appendingPathComponent(UUID().uuidString)
    try data.write(to: url)
    return url
  }
}
