internal import Foundation
internal import Generation
internal import Platform

/// What a vendor says is wrong, in whichever of the usual shapes: `{"error": {"code", "type", "status",
/// "message"}}`, `{"error": "…"}`, `{"detail": …}`, or the inner object alone. Nothing of it has to be there.
struct VendorComplaint: Decodable, Sendable {
  /// Codes, types and names of statuses, in lower case.
  private(set) var marks: [String] = []
  /// Where a code is one.
  private(set) var number: Int?
  private(set) var message = ""

  private enum Key: String, CodingKey { case error, detail, code, type, status, message, msg }

  init() {}

  init(mark: String, message: String) { (marks, self.message) = ([mark.lowercased()], message) }

  /// Whatever the bytes are.
  init(answer body: Data) {
    self = (try? JSONDecoder().decode(VendorComplaint.self, from: body)) ?? VendorComplaint()
  }

  /// NB: never throws: a complaint of another shape must not hide the one that it comes with.
  init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      message = text
      return
    }
    if let several = try? decoder.singleValueContainer().decode([VendorComplaint].self) {
      self = several.first ?? VendorComplaint()
      return
    }
    guard let container = try? decoder.container(keyedBy: Key.self) else { return }
    if let inner: VendorComplaint = container.lenient(.error) ?? container.lenient(.detail) { self = inner }
    for key in [Key.code, .type, .status] {
      guard let text = container.text(key) else { continue }
      if key == .code, let read = SafeInteger.read(text) { number = number ?? read }
      marks.append(text.lowercased())
    }
    if message.isEmpty { message = container.text(.message) ?? container.text(.msg) ?? "" }
  }

  /// Whether it is against the vendor's rules. Their codes for that are not written down, so what is in use
  /// is looked for; and, since some have one code for all that is refused, a few words of the message.
  var isOfPolicy: Bool {
    let inMarks = [
      "content_policy", "policy_violation", "moderation", "content_filter", "safety", "responsible_ai",
      "sensitive_content",
    ]
    if marks.contains(where: { mark in inMarks.contains { mark.has($0) } }) { return true }
    let words = message.lowercased()
    return [
      "content policy", "content policies", "policy violation", "moderation", "safety system",
      "safety filter", "usage guidelines", "usage polic", "responsible ai",
    ].contains { words.has($0) }
  }

  func isMarked(_ parts: String...) -> Bool {
    marks.contains { mark in parts.contains { mark.has($0) } }
  }

  /// Of a request that was refused with this status. `missing`: what it means that there is no such thing.
  func code(status: Int, missing: ProviderFailure.Code) -> ProviderFailure.Code {
    if [400, 403, 409, 422, 451].contains(status), isOfPolicy { return .contentPolicy }
    // Google says so with 400.
    if message.lowercased().has("api key not valid") { return .unauthorized }
    switch status {
    case 401, 402, 403: return .unauthorized
    case 404, 410: return missing
    case 408, 504: return .timeout
    // No money left there: to wait does not help.
    case 429: return isMarked("insufficient_quota", "billing") ? .unauthorized : .rateLimited
    case 502, 503, 529: return .capacity
    case 400..<500: return .invalid
    default: return .providerError
    }
  }

  /// Of a video that failed.
  var code: ProviderFailure.Code {
    if isOfPolicy { return .contentPolicy }
    if let number, (400...599).contains(number) { return code(status: number, missing: .providerError) }
    if isMarked("rate_limit") { return .rateLimited }
    if isMarked("capacity", "overload", "unavailable", "resource_exhausted", "busy") { return .capacity }
    if isMarked("timeout", "timed_out", "deadline") { return .timeout }
    if isMarked("expired") { return .expired }
    if isMarked("invalid") { return .invalid }
    return .providerError
  }

  /// For the log.
  var words: String { (marks + [message]).filter { !$0.isEmpty }.joined(separator: ": ") }
}

extension String {
  /// Byte by byte.
  func has(_ part: String) -> Bool { Array(utf8).firstRange(of: Array(part.utf8)) != nil }
}

extension ProviderFailure {
  /// With words of a vendor's: one line, cut, without secrets and without what stands behind the "?" of an
  /// address, which may open something.
  static func of(_ code: Code, retryAfter: Double? = nil, _ words: String, without secrets: [String])
    -> ProviderFailure
  {
    // NB: before anything is cut, since a part of a secret is one as well.
    var text = words
    for secret in secrets { text = text.split(atText: secret).joined(separator: "…") }
    let shown = PlainText.line(text).split(atByte: UInt8(ascii: " ")).map { word in
      guard word.contains(byte: UInt8(ascii: "/")) else { return String(word) }
      return String(Substring(word.utf8.prefix { $0 != UInt8(ascii: "?") }))
    }
    return ProviderFailure(
      code, retryAfter: retryAfter, BoundedText.cut(shown.joined(separator: " "), toScalars: 300))
  }
}
