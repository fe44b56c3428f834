// The standard library's ways to a whole number that trap on what does not fit, or take text that is no plain
// number. Each is declared once more here, which hides the original from every file that imports Platform, so
// that a use is a warning and thus an error. `scripts/check-numbers.sh` sees to the files that do not.

extension Int {
  @available(*, deprecated, message: "traps on what does not fit: Int(clamping:to:)")
  public init(_ value: Double) { self.init(clamping: value.rounded(.towardZero), to: .min ... .max) }

  @available(*, deprecated, message: "traps on what does not fit: Int(clamping:) or Int(exactly:)")
  public init(_ value: UInt64) { self.init(clamping: value) }

  @available(*, deprecated, message: "takes signs and 19 digits: SafeInteger.read")
  public init?(_ text: String) { self.init(text, radix: 10) }

  @available(*, deprecated, message: "takes signs and 19 digits: SafeInteger.read")
  public init?(_ text: Substring) { self.init(text, radix: 10) }
}

extension Int64 {
  @available(*, deprecated, message: "traps on what does not fit: Int64(Int(clamping:to:))")
  public init(_ value: Double) { self.init(Int(clamping: value.rounded(.towardZero), to: .min ... .max)) }

  @available(*, deprecated, message: "traps on what does not fit: Int64(clamping:) or Int64(exactly:)")
  public init(_ value: UInt64) { self.init(clamping: value) }

  @available(*, deprecated, message: "takes signs and 19 digits: SafeInteger.read")
  public init?(_ text: String) { self.init(text, radix: 10) }

  @available(*, deprecated, message: "takes signs and 19 digits: SafeInteger.read")
  public init?(_ text: Substring) { self.init(text, radix: 10) }
}
