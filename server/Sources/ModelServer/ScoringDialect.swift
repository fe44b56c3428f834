internal import Contract
internal import Foundation
internal import Recommendations

/// A protocol of model servers: what is asked at which path, and what answers mean.
protocol ScoringDialect: Sendable {
  /// Where candidates are sent (POST).
  var scoring: String { get }
  func body(of candidates: CandidateFeatures) -> [UInt8]
  /// As many as `count`. Throws `ScoringFailure.malformed`.
  func scores(in body: Data, count: Int) throws -> [Float]
  /// What is looked at (GET) to know whether the model is there, in this order.
  var readiness: [String] { get }
  /// Whether an answer to one of those, whose status is 200, says that it is.
  func saysReady(_ body: Data) -> Bool
}

extension ModelServerSettings {
  var spoken: any ScoringDialect {
    switch dialect {
    case .openInference: OpenInference(self)
    case .tensorFlow: TensorFlowServing(self)
    }
  }

  /// A part of a path, with nothing in it that could be more than that.
  static func part(_ text: String) -> String {
    var kept = CharacterSet()
    kept.insert(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return text.addingPercentEncoding(withAllowedCharacters: kept) ?? ""
  }

  /// `/versions/…`, where one is demanded.
  var versionPath: String { version.map { "/versions/\(Self.part($0))" } ?? "" }
}

/// Numbers of an answer: one after the other, or each in a list of its own.
struct NumberList: Decodable {
  let values: [Double]

  init(_ values: [Double]) { self.values = values }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let flat = try? container.decode([Double].self) {
      values = flat
      return
    }
    let rows = try container.decode([[Double]].self)
    guard rows.allSatisfy({ $0.count == 1 }) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "rows of several numbers")
    }
    values = rows.map { $0[0] }
  }

  /// Throws `ScoringFailure.malformed` where they are not as many, or one is too large for a score.
  func scores(_ count: Int) throws -> [Float] {
    guard values.count == count else {
      throw ScoringFailure.malformed("\(values.count) scores for \(count) candidates")
    }
    let scores = values.map { Float($0) }
    guard scores.allSatisfy(\.isFinite) else { throw ScoringFailure.malformed("scores that are not finite") }
    return scores
  }
}

/// Writes rows as JSON. An encoder would look at each of some twenty thousand numbers several times.
struct RowWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ text: String) { bytes += text.utf8 }

  /// `1.5,2.0`: without brackets.
  mutating func append(_ numbers: some Sequence<Float>) {
    var isFirst = true
    for number in numbers {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      bytes += number.description.utf8
    }
  }

  static func quoted(_ text: String) -> String {
    (try? WireCoding.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }
}
