internal import CDotProduct

/// Products and sums of vectors of one length, which stand somewhere in arrays; matrices are square and lie
/// one behind the other.
struct VectorMath: Sendable, Equatable {
  let size: Int
  private let path = dot_best_path()

  init(size: Int) { self.size = size }

  func dot(_ left: [Float], _ from: Int, _ right: [Float], _ start: Int) -> Float {
    left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer {
        dot_float32(path, left.baseAddress! + from, $0.baseAddress! + start, Int64(size))
      }
    }
  }

  func add(_ vector: [Float], _ from: Int, times factor: Float, to sum: inout [Float], _ start: Int) {
    vector.withUnsafeBufferPointer { vector in
      sum.withUnsafeMutableBufferPointer {
        dot_float32_add_scaled(
          path, vector.baseAddress! + from, factor, Int64(size), $0.baseAddress! + start)
      }
    }
  }

  /// With each of rows that lie one behind the other.
  func products(of vector: [Float], with rows: [Float]) -> [Float] {
    let count = rows.count / size
    return [Float](unsafeUninitializedCapacity: count) { out, initialized in
      rows.withUnsafeBufferPointer {
        if count > 0 {
          dot_float32_rows(
            path, vector, $0.baseAddress!, Int64(count), Int64(size), out.baseAddress!)
        }
      }
      initialized = count
    }
  }

  /// A matrix times a vector.
  func multiply(
    _ matrices: [Float], _ part: Int, _ vector: [Float], _ from: Int, into out: inout [Float]
  ) {
    matrices.withUnsafeBufferPointer { matrices in
      vector.withUnsafeBufferPointer { vector in
        out.withUnsafeMutableBufferPointer {
          dot_float32_rows(
            path, vector.baseAddress! + from, matrices.baseAddress! + part * size * size, Int64(size),
            Int64(size), $0.baseAddress!)
        }
      }
    }
  }

  /// Adds a transposed matrix times a vector.
  func multiplyBack(_ matrices: [Float], _ part: Int, _ vector: [Float], into out: inout [Float]) {
    for row in 0..<size where vector[row] != 0 {
      add(matrices, (part * size + row) * size, times: vector[row], to: &out, 0)
    }
  }

  /// Adds the outer product of two vectors to a matrix.
  func addOuter(
    _ left: [Float], _ right: [Float], _ start: Int, to matrices: inout [Float], _ part: Int
  ) {
    for row in 0..<size where left[row] != 0 {
      add(right, start, times: left[row], to: &matrices, (part * size + row) * size)
    }
  }
}
