internal import Contract
public import CoreTypes
public import Foundation
internal import Marks
internal import MediaStore
internal import Upload

/// Hashes bytes piece by piece: CryptoKit on the phone, a program on Linux.
public protocol ContentHash: Sendable {
  mutating func update(_ bytes: Data) throws
  /// 32 bytes of SHA-256.
  mutating func finish() throws -> [UInt8]
}

/// What this app can do with the bytes of files, as the system gives it.
public struct FileTools: Sendable {
  public var hash: @Sendable () throws -> any ContentHash
  /// `nil`: nothing here can tell.
  public var duration: @Sendable (URL) async -> Milliseconds?

  public init(
    hash: @escaping @Sendable () throws -> any ContentHash,
    duration: @escaping @Sendable (URL) async -> Milliseconds?
  ) {
    self.hash = hash
    self.duration = duration
  }
}

/// The files of one upload, each in the upload's own folder: the chosen one, what was made of it, and the
/// parts that are on their way. It refuses to know which of them is uploaded.
struct UploadFolder: Sendable {
  static let original = FileID(1)
  /// Between two of them a hash can be given up.
  private static let pieceSize = 1 << 20

  /// A file ended sooner than it was said to, or cannot be read.
  struct Unreadable: Error {}

  let url: URL
  /// By the name that the record has of it.
  let source: String?
  let tools: FileTools

  /// Products are named by their number, so that one of an earlier run is found.
  func url(of file: FileID) -> URL? {
    if file == Self.original { return source.map { url.appending(path: $0) } }
    return url.appending(path: "product-\(file.rawValue).mp4")
  }

  func facts(of file: FileID) async -> SourceFile {
    guard let url = url(of: file) else {
      return SourceFile(file: file, size: .zero, duration: SourceFile.unknownDuration, kind: .unknown)
    }
    // NB: one that cannot be read passes for one that can; hashing says the truth.
    let head = Self.head(of: url)
    let kind = head.map(FileKind.of) ?? .mp4
    let duration = kind == .unknown ? nil : await tools.duration(url)
    return SourceFile(
      file: file, size: Bytes(Int64(Self.size(of: url))),
      duration: duration.map { max($0, .zero) } ?? SourceFile.unknownDuration, kind: kind)
  }

  /// A product of an earlier run with this size; else the chosen file, if it is still there.
  func find(size: Bytes, isProduct: Bool) -> FileID? {
    if isProduct,
      let product = products.first(where: { Self.size(of: $0.url) == Int(clamping: size.rawValue) })
    {
      return product.file
    }
    guard let url = url(of: Self.original), Self.size(of: url) > 0 else { return nil }
    return Self.original
  }

  var lastProduct: Int32 { products.map(\.file.rawValue).max() ?? Self.original.rawValue }

  private var products: [(file: FileID, url: URL)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    return names.sorted().compactMap { name in
      guard name.hasPrefix("product-"), name.hasSuffix(".mp4"),
        let number = Int32(name.dropFirst(8).dropLast(4)), number > Self.original.rawValue
      else { return nil }
      return (FileID(number), url.appending(path: name))
    }
  }

  func remove(_ file: FileID) {
    guard file != Self.original, let url = url(of: file) else { return }
    try? FileManager.default.removeItem(at: url)
  }

  /// What the chosen file says of AI; `nil`: nothing, or it cannot be read.
  func sourceType() async -> DigitalSourceType? {
    guard let url = url(of: Self.original), let handle = try? FileHandle(forReadingFrom: url) else {
      return nil
    }
    defer { try? handle.close() }
    let reader = MarkReader(size: Int64(Self.size(of: url))) { range in
      try? handle.seek(toOffset: UInt64(clamping: range.lowerBound))
      return [UInt8]((try? handle.read(upToCount: range.count)) ?? Data())
    }
    return reader.mark.flatMap { DigitalSourceType(rawValue: $0.name) }
  }

  /// SHA-256 as the machine takes it. `progress` is told thousandths.
  func hash(_ file: FileID, progress: @Sendable (Int32) -> Void) async throws -> FileHash {
    guard let url = url(of: file) else { throw Unreadable() }
    let total = max(1, Self.size(of: url))
    let handle = try FileHandle(forReadingFrom: url)
    defer { try? handle.close() }
    var hash = try tools.hash()
    var done = 0
    while let piece = try handle.read(upToCount: Self.pieceSize), !piece.isEmpty {
      try Task.checkCancellation()
      try hash.update(piece)
      done += piece.count
      progress(Int32(min(1_000, done * 1_000 / total)))
      await Task.yield()
    }
    let digest = try hash.finish()
    guard digest.count == 32 else { throw Unreadable() }
    let words = (0..<4).map { word in
      digest[word * 8..<word * 8 + 8].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }
    return FileHash(words[0], words[1], words[2], words[3])
  }

  /// A range as a file of its own, since only files are sent. Throws `DiskError` if there is no room.
  func part(of file: FileID, _ range: Range<Int>, named name: String) throws -> URL {
    guard let url = url(of: file), let handle = try? FileHandle(forReadingFrom: url) else {
      throw Unreadable()
    }
    defer { try? handle.close() }
    let part = self.url.appending(path: name)
    guard (try? handle.seek(toOffset: UInt64(range.lowerBound))) != nil else { throw Unreadable() }
    guard FileManager.default.createFile(atPath: part.path, contents: nil),
      let target = try? FileHandle(forWritingTo: part)
    else { throw DiskError(Self.code(of: nil)) }
    defer { try? target.close() }
    var left = range.count
    while left > 0 {
      guard let piece = try? handle.read(upToCount: min(left, Self.pieceSize)), !piece.isEmpty else {
        try? FileManager.default.removeItem(at: part)
        throw Unreadable()
      }
      do { try target.write(contentsOf: piece) } catch {
        try? FileManager.default.removeItem(at: part)
        throw DiskError(Self.code(of: error))
      }
      left -= piece.count
    }
    return part
  }

  /// Parts of an earlier run are of no use: nobody waits for their requests any more.
  func removeParts() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    for name in names where name.hasPrefix("part-") {
      try? FileManager.default.removeItem(at: url.appending(path: name))
    }
  }

  static func size(of url: URL) -> Int {
    ((try? FileManager.default.attributesOfItem(atPath: url.path)[.size]) as? NSNumber)?.intValue ?? 0
  }

  /// `nil`: it cannot be read.
  static func head(of url: URL) -> [UInt8]? {
    guard let handle = try? FileHandle(forReadingFrom: url) else { return nil }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: FileKind.headSize)).map { [UInt8]($0) }
  }

  private static func code(of error: (any Error)?) -> Int32 {
    let underlying = (error as NSError?)?.userInfo[NSUnderlyingErrorKey] as? NSError
    return (underlying ?? error as NSError?).map { Int32(clamping: $0.code) } ?? ENOSPC
  }
}
