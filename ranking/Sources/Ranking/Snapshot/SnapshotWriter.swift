/// Lays numbers one behind the other.
struct SnapshotWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ value: Float) { append(value.bitPattern) }
  mutating func append(_ value: Double) { append(value.bitPattern) }

  mutating func append(_ id: EntityID) {
    append(id.high)
    append(id.low)
  }

  mutating func append(_ decay: ForwardDecay) {
    append(decay.landmark)
    append(decay.now)
  }

  mutating func append(_ values: [Float]) {
    append(UInt64(values.count))
    values.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ values: [UInt32]) {
    append(UInt64(values.count))
    values.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ values: [UInt64]) {
    append(UInt64(values.count))
    values.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }
}

/// Reads them back. Says `cut` instead of reading past the end, and `damaged` for what cannot be; counts
/// are believed only as far as there are bytes.
struct SnapshotReader {
  private let bytes: ArraySlice<UInt8>
  private var place: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  var isAtEnd: Bool { place == bytes.endIndex }

  mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws(SnapshotError)
    -> Value
  {
    let size = MemoryLayout<Value>.size
    guard bytes.endIndex - place >= size else { throw .cut }
    let offset = place - bytes.startIndex
    place += size
    return bytes.withUnsafeBytes {
      Value(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Value.self))
    }
  }

  /// A finite number.
  mutating func float() throws(SnapshotError) -> Float {
    let value = Float(bitPattern: try integer())
    guard value.isFinite else { throw .damaged }
    return value
  }

  mutating func double() throws(SnapshotError) -> Double {
    let value = Double(bitPattern: try integer())
    guard value.isFinite else { throw .damaged }
    return value
  }

  mutating func id() throws(SnapshotError) -> EntityID {
    EntityID(high: try integer(), low: try integer())
  }

  mutating func decay(_ halfLife: Int64) throws(SnapshotError) -> ForwardDecay {
    let landmark: Int64 = try integer()
    let now: Int64 = try integer()
    guard let decay = ForwardDecay(halfLife: halfLife, landmark: landmark, now: now) else { throw .damaged }
    return decay
  }

  /// A count of things of which each takes so many bytes.
  mutating func count(ofBytes size: Int) throws(SnapshotError) -> Int {
    let count = try integer(UInt64.self)
    guard count <= UInt64((bytes.endIndex - place) / max(size, 1)) else { throw .cut }
    return Int(count)
  }

  /// - Parameter count: how many there must be, if that is known.
  mutating func floats(_ count: Int? = nil) throws(SnapshotError) -> [Float] {
    let values: [Float] = try array()
    guard count == nil || count == values.count, values.allSatisfy(\.isFinite) else { throw .damaged }
    return values
  }

  /// - Parameters:
  ///   - bound: above all of them.
  ///   - mark: bits that are no part of a number.
  mutating func numbers(below bound: Int, passing mark: UInt32 = 0) throws(SnapshotError) -> [UInt32] {
    let values: [UInt32] = try array()
    guard values.allSatisfy({ Int($0 & ~mark) < bound }) else { throw .damaged }
    return values
  }

  mutating func words() throws(SnapshotError) -> [UInt64] { try array() }

  private mutating func array<Value: BitwiseCopyable>() throws(SnapshotError) -> [Value] {
    let count = try count(ofBytes: MemoryLayout<Value>.size)
    let range = place..<(place + count * MemoryLayout<Value>.size)
    place = range.upperBound
    return [Value](unsafeUninitializedCapacity: count) { out, initialized in
      bytes[range].withUnsafeBytes { UnsafeMutableRawBufferPointer(out).copyMemory(from: $0) }
      initialized = count
    }
  }
}
