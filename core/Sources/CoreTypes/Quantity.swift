/// An amount with a unit in its type, so that milliseconds never meet bytes by mistake.
///
/// Arithmetic saturates instead of trapping: numbers come from the network and from clocks that
/// jump, and a feed that shows a wrong estimate is better than one that crashes.
public struct Quantity<Unit>: Equatable, Comparable, Sendable {
  public var rawValue: Int64

  @inlinable public init(_ rawValue: Int64) { self.rawValue = rawValue }

  @inlinable public static var zero: Self { Self(0) }

  @inlinable public static func == (left: Self, right: Self) -> Bool {
    left.rawValue == right.rawValue
  }

  @inlinable public static func < (left: Self, right: Self) -> Bool {
    left.rawValue < right.rawValue
  }

  @inlinable public static func + (left: Self, right: Self) -> Self {
    Self(saturatingSum(left.rawValue, right.rawValue))
  }

  @inlinable public static func - (left: Self, right: Self) -> Self {
    Self(saturatingSum(left.rawValue, saturatingNegation(right.rawValue)))
  }

  @inlinable public static func * (left: Self, factor: Int64) -> Self {
    Self(saturatingProduct(left.rawValue, factor))
  }

  @inlinable public static func += (left: inout Self, right: Self) { left = left + right }
  @inlinable public static func -= (left: inout Self, right: Self) { left = left - right }
}

public enum MillisecondUnit {}
public enum ByteUnit {}
public enum BitRateUnit {}

/// A length of time in ms.
public typealias Milliseconds = Quantity<MillisecondUnit>
/// A number of bytes.
public typealias Bytes = Quantity<ByteUnit>
/// A rate in bit/s.
public typealias BitsPerSecond = Quantity<BitRateUnit>

extension Quantity where Unit == ByteUnit {
  /// How long these bytes take at a rate; `Int64.max` ms when the rate is not positive.
  @inlinable public func transferTime(at rate: BitsPerSecond) -> Milliseconds {
    guard rate.rawValue > 0 else { return Milliseconds(.max) }
    return Milliseconds(saturatingProduct(rawValue, 8_000) / rate.rawValue)
  }
}

/// A point on the host's monotonic clock, in ms. Its zero means nothing.
public struct Instant: Equatable, Comparable, Sendable {
  public var rawValue: Int64

  @inlinable public init(_ rawValue: Int64) { self.rawValue = rawValue }

  @inlinable public static func < (left: Self, right: Self) -> Bool {
    left.rawValue < right.rawValue
  }

  @inlinable public static func + (left: Self, right: Milliseconds) -> Self {
    Self(saturatingSum(left.rawValue, right.rawValue))
  }

  @inlinable public static func - (left: Self, right: Self) -> Milliseconds {
    Milliseconds(left.rawValue) - Milliseconds(right.rawValue)
  }
}

/// The earlier of two deadlines, of which either may be absent.
@inlinable public func earlier(_ left: Instant?, _ right: Instant?) -> Instant? {
  guard let left else { return right }
  guard let right else { return left }
  return min(left, right)
}

@inlinable public func saturatingSum(_ left: Int64, _ right: Int64) -> Int64 {
  let (sum, overflow) = left.addingReportingOverflow(right)
  return overflow ? (right < 0 ? .min : .max) : sum
}

@inlinable public func saturatingNegation(_ value: Int64) -> Int64 {
  value == .min ? .max : -value
}

@inlinable public func saturatingProduct(_ left: Int64, _ right: Int64) -> Int64 {
  let (product, overflow) = left.multipliedReportingOverflow(by: right)
  return overflow ? ((left < 0) == (right < 0) ? .max : .min) : product
}
