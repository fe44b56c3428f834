/// `?` of portable SQL as the `$1`, `$2`… of PostgreSQL.
enum Placeholders {
  /// What stands in quotation marks or comments stays as it is.
  static func numbered(_ sql: String) -> String {
    var out: [UInt8] = []
    var count = 0
    var rest = Array(sql.utf8)[...]
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: "?"):
        count += 1
        out += "$\(count)".utf8
        rest = rest.dropFirst()
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        // A doubled mark inside ends one quotation and begins the next, which comes to the same.
        take(through(rest, byte), &rest, &out)
      case UInt8(ascii: "-") where rest.dropFirst().first == byte:
        take(rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex, &rest, &out)
      case UInt8(ascii: "/") where rest.dropFirst().first == UInt8(ascii: "*"):
        take(commentEnd(rest), &rest, &out)
      default:
        out.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  private static func take(_ end: Int, _ rest: inout ArraySlice<UInt8>, _ out: inout [UInt8]) {
    out += rest[..<end]
    rest = rest[end...]
  }

  private static func through(_ rest: ArraySlice<UInt8>, _ mark: UInt8) -> Int {
    rest.dropFirst().firstIndex(of: mark).map { $0 + 1 } ?? rest.endIndex
  }

  /// PostgreSQL's comments nest.
  private static func commentEnd(_ rest: ArraySlice<UInt8>) -> Int {
    var depth = 0
    var place = rest.startIndex
    while place + 1 < rest.endIndex {
      switch (rest[place], rest[place + 1]) {
      case (UInt8(ascii: "/"), UInt8(ascii: "*")): depth += 1
      case (UInt8(ascii: "*"), UInt8(ascii: "/")): depth -= 1
      default:
        place += 1
        continue
      }
      place += 2
      if depth == 0 { return place }
    }
    return rest.endIndex
  }
}
