internal import Contract
public import Foundation
internal import Platform

/// Reads an archive that somebody brings, and believes nothing of it: where what lies is read off the tape,
/// and everything is held against the manifest, size and hash, before anything is taken.
public struct ArchiveReader: Sendable {
  /// More than any archive of ours has; what is beyond costs memory and nothing else.
  static let entries = 200_000
  /// Bytes of the manifest: as many files, some hundred bytes each.
  static let manifestBytes: Int64 = 96 << 20
  /// Bytes of one line: a text of the most scalars, each written as an escape, and what stands around it.
  static let lineBytes = 256 << 10
  /// Folders in a path, and the letters of each.
  private static let depth = 3

  public let manifest: ArchiveManifest
  private let url: URL
  private let places: [String: Place]

  private struct Place: Sendable {
    let offset: UInt64
    let size: Int64
  }

  /// Reads the whole of it. Throws `ArchiveFailure`.
  public init(_ url: URL) throws {
    guard let file = try? FileHandle(forReadingFrom: url), let end = try? file.seekToEnd() else {
      throw ArchiveFailure.unreadable
    }
    defer { try? file.close() }
    self.url = url
    places = try Self.places(in: file, end: end)
    manifest = try Self.manifest(in: file, places)
    try Self.check(manifest, against: places)
    for entry in manifest.files {
      guard let place = places[entry.path], try Self.hash(of: place, in: file).hasSameBytes(as: entry.sha256)
      else { throw ArchiveFailure.damaged("\(entry.path) is not what the manifest says") }
    }
  }

  // MARK: The tape

  private static func places(in file: FileHandle, end: UInt64) throws -> [String: Place] {
    var places: [String: Place] = [:]
    var offset: UInt64 = 0
    while true {
      try seek(file, to: offset)
      guard let block = try read(file, TarHeader.length) else { throw ArchiveFailure.cutOff }
      guard let header = try TarHeader.read(block) else { return places }
      offset += UInt64(TarHeader.length)
      // NB: compared without a sum that a hostile size could overflow.
      guard header.size >= 0, UInt64(header.size) <= end - min(offset, end) else {
        throw ArchiveFailure.cutOff
      }
      let place = Place(offset: offset, size: header.size)
      offset += UInt64(header.size) + UInt64(TarHeader.padding(behind: header.size))
      switch header.kind {
      case .folder:
        guard header.size == 0 else { throw ArchiveFailure.unsafe("a folder with bytes in it") }
        continue
      case .other: throw ArchiveFailure.unsafe("something that is neither a file nor a folder")
      case .file: break
      }
      let path = try checked(header.path)
      guard places[path] == nil else { throw ArchiveFailure.unsafe("\(path) twice") }
      guard places.count < entries else { throw ArchiveFailure.tooLarge("more than \(entries) files") }
      places[path] = place
    }
  }

  /// A path below the archive's own folder, of plain names. Who unpacks and packs it again puts `./` before
  /// it.
  static func checked(_ path: String) throws -> String {
    let bare = path.starts(withBytesOf: "./") ? String(path.dropFirst(2)) : path
    let parts = bare.split(atByte: UInt8(ascii: "/"), omittingEmpty: false)
    let hasPlainNames = parts.allSatisfy { part in
      !part.isEmpty && part.utf8.first != UInt8(ascii: ".") && part.utf8.allSatisfy(isPlain)
    }
    guard hasPlainNames, (1...depth).contains(parts.count) else {
      throw ArchiveFailure.unsafe("a file with a path that leads elsewhere")
    }
    return bare
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  // MARK: The manifest

  private static func manifest(in file: FileHandle, _ places: [String: Place]) throws -> ArchiveManifest {
    guard let place = places[ArchiveManifest.path] else { throw ArchiveFailure.noArchive }
    guard place.size <= manifestBytes else { throw ArchiveFailure.tooLarge("its manifest") }
    try seek(file, to: place.offset)
    guard let bytes = try read(file, Int(place.size)) else { throw ArchiveFailure.cutOff }
    struct Head: Decodable {
      let format: String
      let version: Int
    }
    // NB: first what every version says: a later one may say the rest otherwise.
    guard let head = try? WireCoding.decode(Head.self, from: Data(bytes)),
      head.format == ArchiveManifest.format
    else { throw ArchiveFailure.noArchive }
    guard head.version == ArchiveManifest.version else { throw ArchiveFailure.unknownVersion(head.version) }
    guard let manifest = try? WireCoding.decode(ArchiveManifest.self, from: Data(bytes)) else {
      throw ArchiveFailure.damaged("its manifest cannot be read")
    }
    return manifest
  }

  private static func check(_ manifest: ArchiveManifest, against places: [String: Place]) throws {
    var named: Set<String> = [ArchiveManifest.path]
    for entry in manifest.files {
      guard named.insert(entry.path).inserted else {
        throw ArchiveFailure.damaged("\(shown(entry.path)) is named twice")
      }
      guard let place = places[entry.path], place.size == entry.sizeBytes else {
        throw ArchiveFailure.damaged("\(shown(entry.path)) is missing or of another size")
      }
    }
    guard let stray = places.keys.sorted().first(where: { !named.contains($0) }) else { return }
    throw ArchiveFailure.unsafe("\(stray), which the manifest does not name")
  }

  /// Of a stranger's text no more than a path has.
  private static func shown(_ path: String) -> String {
    String(
      decoding: path.utf8.prefix(TarHeader.pathBytes).map { isPlain($0) || $0 == 47 ? $0 : 63 }, as: UTF8.self
    )
  }

  private static func hash(of place: Place, in file: FileHandle) throws -> String {
    var hash = RunningHash()
    try pieces(of: place, in: file) { hash.add($0) }
    return hash.value
  }

  // MARK: Reading

  private static func pieces(
    of place: Place, in file: FileHandle, _ take: (Data) throws -> Void
  ) throws {
    try seek(file, to: place.offset)
    var left = place.size
    while left > 0 {
      let piece = try? file.read(upToCount: Int(min(left, 1 << 20)))
      guard let piece, !piece.isEmpty else { throw ArchiveFailure.cutOff }
      left -= Int64(piece.count)
      try take(piece)
    }
  }

  private static func seek(_ file: FileHandle, to offset: UInt64) throws {
    do { try file.seek(toOffset: offset) } catch { throw ArchiveFailure.unreadable }
  }

  /// Exactly so many bytes; nil: there are not as many.
  private static func read(_ file: FileHandle, _ count: Int) throws -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard let piece = try? file.read(upToCount: count - bytes.count), !piece.isEmpty else { return nil }
      bytes += piece
    }
    return bytes
  }

  /// The lines of a list, in their order; none where there is no such list. Throws `ArchiveFailure` for a
  /// line that is too long.
  func lines(of name: String, _ take: (Data) async throws -> Void) async throws {
    guard let place = places["records/\(name).jsonl"] else { return }
    guard let file = try? FileHandle(forReadingFrom: url) else { throw ArchiveFailure.unreadable }
    defer { try? file.close() }
    try Self.seek(file, to: place.offset)
    var (left, rest) = (place.size, Data())
    while left > 0 {
      guard let piece = try? file.read(upToCount: Int(min(left, 1 << 20))), !piece.isEmpty else {
        throw ArchiveFailure.cutOff
      }
      left -= Int64(piece.count)
      rest += piece
      var start = rest.startIndex
      while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
        if end > start { try await take(Data(rest[start..<end])) }
        start = end + 1
      }
      rest = Data(rest[start...])
      try Task.checkCancellation()
      guard rest.count <= Self.lineBytes else { throw ArchiveFailure.tooLarge("a line of \(name)") }
    }
    if !rest.isEmpty { try await take(rest) }
  }

  /// A file as a file of its own, of at most so many bytes; false: it is larger.
  func extract(_ path: String, to target: URL, atMost limit: Int64) throws -> Bool {
    guard let place = places[path] else { throw ArchiveFailure.damaged("\(Self.shown(path)) is missing") }
    guard place.size <= limit else { return false }
    guard let file = try? FileHandle(forReadingFrom: url),
      FileManager.default.createFile(atPath: target.path, contents: nil)
    else { throw ArchiveFailure.unreadable }
    let made = try FileHandle(forWritingTo: target)
    defer {
      try? file.close()
      try? made.close()
    }
    try Self.pieces(of: place, in: file) { try made.write(contentsOf: $0) }
    return true
  }

  /// The bytes of a small file; nil: it is larger.
  func bytes(of path: String, atMost limit: Int) throws -> [UInt8]? {
    guard let place = places[path] else { throw ArchiveFailure.damaged("\(Self.shown(path)) is missing") }
    guard place.size <= Int64(limit) else { return nil }
    guard let file = try? FileHandle(forReadingFrom: url) else { throw ArchiveFailure.unreadable }
    defer { try? file.close() }
    var bytes: [UInt8] = []
    try Self.pieces(of: place, in: file) { bytes += $0 }
    return bytes
  }
}
