/// What a `Range` header asks for (RFC 9110, 14.1), of one file.
enum ByteRequest: Equatable {
  /// No range, or one that is to be passed over: several, another unit, or nonsense.
  case whole
  case part(Range<Int>)
  case unsatisfiable

  init(_ header: String?, size: Int) {
    guard let header, header.utf8.count <= 64, header.hasPrefix("bytes=") else {
      self = .whole
      return
    }
    let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else {
      self = .whole
      return
    }
    switch (Self.number(ends[0]), Self.number(ends[1])) {
    case (let first?, let last?) where first <= last:
      self = first < size ? .part(first..<min(last, size - 1) + 1) : .unsatisfiable
    case (let first?, nil) where ends[1].isEmpty:
      self = first < size ? .part(first..<size) : .unsatisfiable
    case (nil, let count?) where ends[0].isEmpty:
      self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
    default: self = .whole
    }
  }

  /// Digits alone: `Int` would take a sign too.
  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
  }
}
