/// Who liked what, as a sparse matrix of ones by rows (CSR): row r has the columns `columns[starts[r] ..<
/// starts[r + 1]]`.
public struct Interactions: Sendable {
  public let columnCount: Int
  public private(set) var starts: [Int] = [0]
  public private(set) var columns: [UInt32] = []

  public var rowCount: Int { starts.count - 1 }

  public init(columnCount: Int) { self.columnCount = max(columnCount, 0) }

  /// Adds a row. Columns that are not there are left out; one that comes twice counts twice, so give it once.
  public mutating func append(_ row: some Sequence<UInt32>) {
    for column in row where Int(column) < columnCount { columns.append(column) }
    starts.append(columns.count)
  }

  public subscript(row: Int) -> ArraySlice<UInt32> { columns[starts[row]..<starts[row + 1]] }

  /// Rows and columns exchanged; within a row the old rows ascend.
  public func transposed() -> Interactions {
    var turned = Interactions(columnCount: rowCount)
    var places = [Int](repeating: 0, count: columnCount + 1)
    for column in columns { places[Int(column) + 1] += 1 }
    for column in 0..<columnCount { places[column + 1] += places[column] }
    turned.starts = places
    turned.columns = [UInt32](repeating: 0, count: columns.count)
    for row in 0..<rowCount {
      for column in self[row] {
        turned.columns[places[Int(column)]] = UInt32(row)
        places[Int(column)] += 1
      }
    }
    return turned
  }
}
