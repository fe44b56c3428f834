internal import Contract

/// Reads JSON of strangers (RFC 8259): strict, to a bounded depth, and no name twice in one object, since
/// which of the two counts is a matter of who reads, and no more marks on a letter than any text has
/// (`StackedMarks`).
public struct JSONReader {
  /// Why a text cannot be taken.
  public struct Fault: Error, Equatable {
    /// Names and positions from the top, as in `details.tags[0]`; nil where it is about the whole text.
    public let field: String?
    /// A sentence for a person.
    public let message: String
  }

  private let bytes: [UInt8]
  private var place = 0
  private var path = FieldPath()

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  public static func read(_ bytes: [UInt8]) throws(Fault) -> JSON {
    var reader = JSONReader(bytes)
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.place == bytes.count else { throw reader.broken() }
    return value
  }

  private func broken() -> Fault {
    Fault(
      field: nil,
      message: place < bytes.count
        ? "The body is not JSON; it is wrong at byte \(place)." : "The body is not JSON; it ends too early.")
  }

  /// About the value at `path`.
  private func fault(_ message: (String) -> String) -> Fault {
    Fault(field: path.text, message: message(path.text ?? "The body"))
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { place += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  private mutating func value(depth: Int) throws(Fault) -> JSON {
    guard depth <= Limits.jsonDepth else {
      // NB: a path of that many names helps nobody.
      throw Fault(
        field: path.first,
        message: "The body has more than \(Limits.jsonDepth) objects and lists in each other.")
    }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSON) throws(Fault) -> JSON {
    for index in 0..<word.utf8CodeUnitCount {
      guard next == word.utf8Start[index] else { throw broken() }
      place += 1
    }
    return value
  }

  private mutating func object(depth: Int) throws(Fault) -> JSON {
    place += 1
    var members: [JSON.Member] = []
    var names: Set<String> = []
    skipSpace()
    if take("}") { return .object([]) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw broken() }
      let name = try string()
      path.enter(name)
      skipSpace()
      guard take(":") else { throw broken() }
      let member = JSON.Member(name, try value(depth: depth + 1))
      // NB: `sizeBytes` is taken for `size_bytes`, so these two are one name.
      guard names.insert(member.wireName).inserted else { throw fault { "\($0) is there twice." } }
      path.leave()
      members.append(member)
      guard members.count <= Limits.jsonMembers else {
        throw fault { "\($0) has more than \(Limits.jsonMembers) names." }
      }
      skipSpace()
    } while take(",")
    guard take("}") else { throw broken() }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(Fault) -> JSON {
    place += 1
    var items: [JSON] = []
    skipSpace()
    if take("]") { return .array([]) }
    repeat {
      path.enter(items.count)
      items.append(try value(depth: depth + 1))
      path.leave()
      guard items.count <= Limits.jsonItems else {
        throw fault { "\($0) has more than \(Limits.jsonItems) items." }
      }
      skipSpace()
    } while take(",")
    guard take("]") else { throw broken() }
    return .array(items)
  }

  private mutating func string() throws(Fault) -> String {
    place += 1
    let start = place
    var bits: UInt8 = 0
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
      guard byte >= 0x20 else { throw broken() }
      bits |= byte
      place += 1
    }
    // Nearly all text stands there as it is.
    if bits < 0x80, take("\"") { return String(decoding: bytes[start..<place - 1], as: UTF8.self) }
    var text = Array(bytes[start..<place])
    while let byte = next, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw broken() }
      place += 1
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      text += try escaped()
    }
    guard take("\"") else { throw broken() }
    let string = String(decoding: text, as: UTF8.self)
    // Wrong bytes have become others.
    guard string.utf8.elementsEqual(text) else {
      throw fault { _ in "The body is not text in UTF-8." }
    }
    // NB: before anything compares it, as the list of an object's names does.
    guard !StackedMarks.areTooMany(in: string) else {
      throw fault { "\($0) has more than \(StackedMarks.most) marks on one letter." }
    }
    return string
  }

  /// What follows a backslash.
  private mutating func escaped() throws(Fault) -> [UInt8] {
    guard let kind = next else { throw broken() }
    place += 1
    switch kind {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [kind]
    case UInt8(ascii: "b"): return [8]
    case UInt8(ascii: "f"): return [12]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "u"):
      let unit = try unit()
      var code = UInt32(unit)
      if (0xD800..<0xDC00).contains(unit) {
        guard take("\\"), take("u") else { throw broken() }
        let low = try self.unit()
        guard (0xDC00..<0xE000).contains(low) else { throw broken() }
        code = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw broken() }
      return Array(String(Character(scalar)).utf8)
    default:
      place -= 1
      throw broken()
    }
  }

  private mutating func unit() throws(Fault) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw broken() }
      unit = unit << 4 | UInt16(digit)
      place += 1
    }
    return unit
  }

  private mutating func number() throws(Fault) -> JSON {
    let start = place
    _ = take("-")
    let whole = digits()
    // A zero in front is not allowed.
    guard whole > 0, whole == 1 || bytes[place - whole] != UInt8(ascii: "0") else { throw broken() }
    if take(".") { guard digits() > 0 else { throw broken() } }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      guard digits() > 0 else { throw broken() }
    }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    if let integer = Int64(text) { return .integer(integer) }
    guard let decimal = Double(text), decimal.isFinite else { throw fault { "\($0) is too large a number." } }
    // 1.0 and 1e3 are integers, as JSON Schema counts them.
    return Int64(exactly: decimal).map(JSON.integer) ?? .decimal(decimal)
  }

  private mutating func digits() -> Int {
    let start = place
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { place += 1 }
    return place - start
  }
}

/// Names as the wire spells them.
public enum WireName {
  /// `sizeBytes` becomes `size_bytes`, as the coder of the wire has it.
  public static func snake(_ name: String) -> String {
    guard name.utf8.contains(where: { (65...90).contains($0) }) else { return name }
    var out: [UInt8] = []
    out.reserveCapacity(name.utf8.count + 8)
    for byte in name.utf8 {
      if (65...90).contains(byte) {
        if let last = out.last, last != UInt8(ascii: "_") { out.append(UInt8(ascii: "_")) }
        out.append(byte | 0x20)
      } else {
        out.append(byte)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// Names and places (`[0]`) as one path.
  public static func joined(_ path: [String]) -> String {
    path.reduce(into: "") { out, part in out += out.isEmpty || part.hasPrefix("[") ? part : ".\(part)" }
  }
}
