internal import Platform

/// A Range header against a file of a known size.
public enum RequestedRange: Equatable {
  case part(Range<Int>)
  case unsatisfiable
  /// No range, one that is not well formed, or several: RFC 9110 lets a server answer these with the whole
  /// file.
  case whole

  public init(_ header: String, size: Int) {
    self = Self.ends(in: header).map { Self.part(from: $0, to: $1, size: size) } ?? .whole
  }

  /// Both ends as they are written, either of which may be missing. Nil: it is not one well-formed range of
  /// bytes.
  private static func ends(in header: String) -> (first: Int?, last: Int?)? {
    let unit = "bytes="
    guard header.utf8.starts(with: unit.utf8) else { return nil }
    let ends = header.utf8.dropFirst(unit.utf8.count).split(
      separator: UInt8(ascii: "-"), omittingEmptySubsequences: false
    ).map { end in end.filter { $0 != UInt8(ascii: " ") } }
    guard ends.count == 2, !ends.allSatisfy(\.isEmpty), ends.joined().allSatisfy({ (48...57).contains($0) })
    else { return nil }
    // What has more digits than a file can have bytes lies beyond every file.
    let places = ends.map { digits in
      digits.isEmpty ? nil : SafeInteger.read(String(decoding: digits, as: UTF8.self)) ?? SafeInteger.most
    }
    return (places[0], places[1])
  }

  private static func part(from first: Int?, to last: Int?, size: Int) -> RequestedRange {
    switch (first, last) {
    case (nil, let count?): count == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - count)..<size)
    case (let first?, let last?) where last < first: .whole
    case (let first?, let last):
      // NB: compared before it is added to.
      first < size ? .part(first..<(last.map { $0 < size ? $0 + 1 : size } ?? size)) : .unsatisfiable
    case (nil, nil): .whole
    }
  }
}
