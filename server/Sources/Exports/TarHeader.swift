internal import Foundation

/// The 512 bytes before a file in a tape archive (POSIX.1-1988, "ustar"), as every `tar` reads and writes
/// them. A size beyond 8 GiB is written in base 256, as GNU and BSD do it.
struct TarHeader: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    case file, folder
    /// A link, a device, an extension: what no archive of ours has.
    case other
  }

  static let length = 512
  /// What fits into the field of the name.
  static let pathBytes = 100
  /// The largest size that eleven octal digits hold, and one more.
  private static let octalLimit: Int64 = 1 << 33

  var path: String
  var size: Int64
  var kind = Kind.file

  /// Zeros behind a file, up to the next block.
  static func padding(behind size: Int64) -> Int { Int((512 - size % 512) % 512) }

  // MARK: Writing

  /// - Parameter seconds: since 1970, when the file was made.
  func bytes(seconds: Int64) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: Self.length)
    func put(_ text: some Sequence<UInt8>, at place: Int) {
      for (index, byte) in text.enumerated() { block[place + index] = byte }
    }
    put(path.utf8.prefix(Self.pathBytes), at: 0)
    put("0000644\0".utf8, at: 100)
    put("0000000\0".utf8, at: 108)
    put("0000000\0".utf8, at: 116)
    put(Self.number(size), at: 124)
    put(Self.number(seconds), at: 136)
    // As spaces while it is summed up.
    put("        ".utf8, at: 148)
    put("0".utf8, at: 156)
    put("ustar\u{0}00".utf8, at: 257)
    let sum = block.reduce(0) { $0 + Int($1) }
    put("\(Self.octal(Int64(sum), digits: 6))\0 ".utf8, at: 148)
    return block
  }

  private static func number(_ value: Int64) -> [UInt8] {
    let value = max(0, value)
    guard value >= octalLimit else { return Array(octal(value, digits: 11).utf8) + [0] }
    var bytes: [UInt8] = [0x80, 0, 0, 0]
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
    return bytes
  }

  private static func octal(_ value: Int64, digits: Int) -> String {
    let text = String(value, radix: 8)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  // MARK: Reading

  /// Nil: an empty block, of which two end an archive. Throws `ArchiveFailure` for what is no header.
  static func read(_ block: [UInt8]) throws -> TarHeader? {
    guard block.count == length else { throw ArchiveFailure.cutOff }
    if block.allSatisfy({ $0 == 0 }) { return nil }
    var summed = block
    for place in 148..<156 { summed[place] = UInt8(ascii: " ") }
    guard let sum = number(block[148..<156]), sum == Int64(summed.reduce(0) { $0 + Int($1) }),
      Array(block[257..<262]) == Array("ustar".utf8)
    else { throw ArchiveFailure.noArchive }
    guard let size = number(block[124..<136]), let path = path(in: block) else {
      throw ArchiveFailure.damaged("a header that cannot be read")
    }
    let kind: Kind =
      switch block[156] {
      case 0, UInt8(ascii: "0"): .file
      case UInt8(ascii: "5"): .folder
      default: .other
      }
    return TarHeader(path: path, size: size, kind: kind)
  }

  /// Octal digits up to a space or a zero, or base 256. Nil for what is neither, and for what is negative or
  /// does not fit.
  private static func number(_ field: ArraySlice<UInt8>) -> Int64? {
    guard let first = field.first else { return nil }
    var value: Int64 = 0
    if first & 0x80 != 0 {
      guard first == 0x80 else { return nil }
      for byte in field.dropFirst() {
        guard value < 1 << 55 else { return nil }
        value = value << 8 | Int64(byte)
      }
      return value
    }
    let digits = field.drop { $0 == UInt8(ascii: " ") }.prefix {
      (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0)
    }
    let rest = field[digits.endIndex...]
    guard rest.allSatisfy({ $0 == 0 || $0 == UInt8(ascii: " ") }) else { return nil }
    for digit in digits {
      guard value < 1 << 60 else { return nil }
      value = value << 3 | Int64(digit - UInt8(ascii: "0"))
    }
    return value
  }

  /// Nil: it is continued in the field of the prefix, or is no ASCII.
  private static func path(in block: [UInt8]) -> String? {
    guard block[345] == 0 || block[257..<265].elementsEqual("ustar  \u{0}".utf8) else { return nil }
    let name = block[0..<pathBytes].prefix { $0 != 0 }
    guard !name.isEmpty, name.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    return String(decoding: name, as: UTF8.self)
  }
}

/// Why something is no archive that can be taken. For people.
public enum ArchiveFailure: Error, Equatable, CustomStringConvertible {
  case unreadable
  case noArchive
  case cutOff
  case damaged(String)
  case unsafe(String)
  case tooLarge(String)
  case unknownVersion(Int)

  public var description: String {
    switch self {
    case .unreadable: "The file cannot be opened for reading."
    case .noArchive: "This is no archive of Clipfeed: a tar file that was exported there."
    case .cutOff:
      "The archive ends before its end; the download was cut off. Go on with it, or load it again."
    case .damaged(let what): "The archive is damaged: \(what)."
    case .unsafe(let what): "The archive holds what none of Clipfeed's does: \(what)."
    case .tooLarge(let what): "The archive is larger than can be taken: \(what)."
    case .unknownVersion(let version):
      "The archive is of version \(version); this Clipfeed reads version \(ArchiveManifest.version). Update it."
    }
  }
}
