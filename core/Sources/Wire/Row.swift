/// Writes rows of words as commands cross the wire: kind, number of fields, fields.
extension [Int64] {
  public mutating func row(_ kind: Int64) {
    append(kind)
    append(0)
  }

  public mutating func row(_ kind: Int64, _ field: some BinaryInteger) {
    append(kind)
    append(1)
    append(Int64(field))
  }

  public mutating func row(_ kind: Int64, _ flag: Bool) { row(kind, flag ? 1 : 0) }

  public mutating func row<Field: BinaryInteger>(_ kind: Int64, _ one: Field, _ two: Field) {
    append(kind)
    append(2)
    append(Int64(one))
    append(Int64(two))
  }
  /// Any number of fields.
  public mutating func row(_ kind: Int64, fields: Int64...) {
    append(kind)
    append(Int64(fields.count))
    append(contentsOf: fields)
  }
}

// The same by the name that a door has for a kind. Inlined, or each of them would bring a table of its
// numbers.
extension [Int64] {
  @inline(__always)
  public mutating func row(_ kind: some RawRepresentable<Int64>) { row(kind.rawValue) }

  @inline(__always)
  public mutating func row(_ kind: some RawRepresentable<Int64>, _ field: some BinaryInteger) {
    row(kind.rawValue, field)
  }

  @inline(__always)
  public mutating func row(_ kind: some RawRepresentable<Int64>, _ flag: Bool) { row(kind.rawValue, flag) }

  @inline(__always)
  public mutating func row<Field: BinaryInteger>(
    _ kind: some RawRepresentable<Int64>, _ one: Field, _ two: Field
  ) { row(kind.rawValue, one, two) }
}

extension Bool {
  /// As it crosses the wire.
  public var word: Int64 { self ? 1 : 0 }
}
