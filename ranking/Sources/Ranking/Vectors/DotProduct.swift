internal import CDotProduct

/// Dot products by the fastest path of this processor; all paths give the same bits (CDotProduct.h).
enum DotProduct {
  static let path = dot_best_path()

  @inline(__always)
  static func of(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ count: Int) -> Float {
    dot_float32(path, left, right, Int64(count))
  }

  static func of(_ left: [Float], _ right: [Float]) -> Float {
    dot_float32(path, left, right, Int64(min(left.count, right.count)))
  }

  /// Asks for values that are read soon.
  @inline(__always)
  static func prefetch<Value>(_ start: UnsafePointer<Value>, _ count: Int) {
    dot_prefetch(start, Int64(count * MemoryLayout<Value>.stride))
  }

  /// The product of `query` with `count` rows that lie one behind the other.
  static func ofRows(
    _ query: UnsafePointer<Float>, _ matrix: UnsafePointer<Float>, rows: Int, columns: Int,
    into out: UnsafeMutablePointer<Float>
  ) {
    dot_float32_rows(path, query, matrix, Int64(rows), Int64(columns), out)
  }

  static func ofRows(
    _ query: UnsafePointer<Int8>, _ matrix: UnsafePointer<Int8>, rows: Int, columns: Int,
    into out: UnsafeMutablePointer<Int32>
  ) {
    dot_int8_rows(path, query, matrix, Int64(rows), Int64(columns), out)
  }

  /// The first of `rows` products, from a row on, that is at least `bound` by its scale; `rows`: none is.
  @inline(__always)
  static func next(
    of products: UnsafePointer<Int32>, scales: UnsafePointer<Float>, from row: Int, rows: Int, bound: Float
  ) -> Int {
    Int(dot_int32_next(path, products, scales, Int64(row), Int64(rows), bound))
  }

  @inline(__always)
  static func add(
    _ vector: UnsafePointer<Float>, times weight: Float, _ count: Int, to sum: UnsafeMutablePointer<Float>
  ) {
    dot_float32_add_scaled(path, vector, weight, Int64(count), sum)
  }

  /// Adds the outer product of a vector with itself to an upper triangle; below it nothing is defined.
  @inline(__always)
  static func addOuter(
    _ vector: UnsafePointer<Float>, times weight: Float, _ count: Int, to matrix: UnsafeMutablePointer<Float>
  ) {
    dot_float32_add_outer(path, vector, weight, Int64(count), matrix)
  }
}
