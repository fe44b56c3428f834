/// Rows of numbers, one behind the other.
public struct Matrix: Sendable, Equatable {
  public private(set) var rows: Int
  public let columns: Int
  public internal(set) var values: [Float]

  public init(rows: Int, columns: Int) {
    self.rows = max(rows, 0)
    self.columns = max(columns, 1)
    values = [Float](repeating: 0, count: self.rows * self.columns)
  }

  /// Numbers of mean 0 and this standard deviation, by the generator.
  public init(rows: Int, columns: Int, deviation: Float, by generator: inout SeededGenerator) {
    self.init(rows: rows, columns: columns)
    for place in values.indices { values[place] = Float(generator.normal()) * deviation }
  }

  public subscript(row: Int) -> ArraySlice<Float> { values[row * columns..<(row + 1) * columns] }

  public mutating func set(_ row: Int, to vector: some Sequence<Float>) {
    var place = row * columns
    for value in vector.prefix(columns) {
      values[place] = value
      place += 1
    }
  }

  /// Adds rows of zeros until there are so many.
  mutating func grow(to rows: Int) {
    guard rows > self.rows else { return }
    if rows * columns > values.capacity { values.reserveCapacity(max(rows, self.rows * 2) * columns) }
    values.append(contentsOf: repeatElement(0, count: (rows - self.rows) * columns))
    self.rows = rows
  }
}
