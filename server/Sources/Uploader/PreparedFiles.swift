internal import Contract
internal import CoreTypes
internal import Foundation
internal import Marks
internal import Upload

/// The files of one upload by the numbers that the machine knows them by: the person's, and those that were
/// made of it, which lie beside what is remembered of the upload, so that a later run finds them.
struct PreparedFiles {
  private let memory: UploadMemory
  private var files: [Int32: URL]
  private var last = FileID.original.rawValue

  init(of original: URL, memory: UploadMemory) {
    self.memory = memory
    files = [FileID.original.rawValue: original]
  }

  func url(_ file: FileID) -> URL? { files[file.rawValue] }

  /// A place for the next one.
  mutating func next() -> (FileID, URL) {
    last += 1
    let url = memory.product(Int(last))
    files[last] = url
    return (FileID(last), url)
  }

  /// What was made in an earlier run, if it is still there.
  mutating func find(sizeBytes: Int) -> FileID? {
    guard let (number, url) = memory.products().first(where: { Self.size($0.url) == sizeBytes }) else {
      return nil
    }
    last = max(last, Int32(number))
    files[Int32(number)] = url
    return FileID(Int32(number))
  }

  /// What the person's file says of AI: one that was made of it may not say it any more. Nil: nothing, or it
  /// cannot be read.
  var sourceType: DigitalSourceType? {
    guard let url = url(.original), let file = try? FileHandle(forReadingFrom: url) else { return nil }
    defer { try? file.close() }
    let reader = MarkReader(size: Int64(Self.size(url))) { range in
      try? file.seek(toOffset: UInt64(clamping: range.lowerBound))
      return [UInt8]((try? file.read(upToCount: range.count)) ?? Data())
    }
    return reader.mark.flatMap { DigitalSourceType(rawValue: $0.name) }
  }

  func drop(_ file: FileID) {
    guard file != .original, let url = url(file) else { return }
    try? FileManager.default.removeItem(at: url)
  }

  static func size(_ url: URL) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int) ?? 0
  }
}

extension FileID {
  /// The file that the person chose.
  static let original = FileID(1)
}
