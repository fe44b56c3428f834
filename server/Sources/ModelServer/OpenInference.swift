internal import Contract
internal import Foundation
internal import Recommendations

/// The Open Inference Protocol, version 2, by REST (github.com/kserve/open-inference-protocol), as Triton,
/// KServe and MLServer speak it.
///
/// One tensor goes there: `features`, a row for each candidate. One comes back: of several outputs the one
/// that is called `scores`, else the only one.
struct OpenInference: ScoringDialect {
  private let model: String
  private let sendsIDs: Bool

  init(_ settings: ModelServerSettings) {
    model = "/v2/models/\(ModelServerSettings.part(settings.model))\(settings.versionPath)"
    sendsIDs = settings.sendsIDs
  }

  var scoring: String { model + "/infer" }
  var readiness: [String] { ["/v2/health/ready", model + "/ready"] }

  /// The protocol says it by the status alone.
  func saysReady(_ body: Data) -> Bool { true }

  func body(of candidates: CandidateFeatures) -> [UInt8] {
    var writer = RowWriter()
    let columns = CandidateFeatures.columns.count
    writer.append(#"{"parameters":{"feature_version":\#(CandidateFeatures.version)},"inputs":["#)
    writer.append(
      #"{"name":"features","datatype":"FP32","shape":[\#(candidates.count),\#(columns)],"data":["#)
    writer.append(candidates.values)
    writer.append("]}")
    if sendsIDs {
      Self.append("clip_id", candidates.clips, to: &writer)
      Self.append("viewer_id", candidates.clips.map { _ in candidates.viewer }, to: &writer)
    }
    writer.append("]}")
    return writer.bytes
  }

  private static func append(_ name: String, _ texts: [String], to writer: inout RowWriter) {
    writer.append(#",{"name":"\#(name)","datatype":"BYTES","shape":[\#(texts.count)],"data":["#)
    writer.append(texts.map(RowWriter.quoted).joined(separator: ","))
    writer.append("]}")
  }

  private struct Answer: Decodable {
    let outputs: [Tensor]
  }

  private struct Tensor: Decodable {
    let name: String
    let shape: [Int]
    let datatype: String
    /// Nil: other things than numbers.
    let data: NumberList?

    private enum CodingKeys: CodingKey { case name, shape, datatype, data }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      shape = try container.decode([Int].self, forKey: .shape)
      datatype = try container.decode(String.self, forKey: .datatype)
      data = try? container.decode(NumberList.self, forKey: .data)
    }
  }

  private static let numbers: Set<String> = [
    "FP16", "FP32", "FP64", "BF16", "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64",
  ]

  func scores(in body: Data, count: Int) throws -> [Float] {
    guard let answer = try? WireCoding.decode(Answer.self, from: body) else {
      throw ScoringFailure.malformed("no JSON with outputs as the protocol has them")
    }
    let named = answer.outputs.filter { $0.name == "scores" }
    guard let output = named.first ?? answer.outputs.first, named.count == 1 || answer.outputs.count == 1
    else {
      throw ScoringFailure.malformed("not one output, and not one that is called scores")
    }
    guard output.shape == [count] || output.shape == [count, 1] else {
      throw ScoringFailure.malformed("an output of another shape than [\(count)]")
    }
    guard Self.numbers.contains(output.datatype), let data = output.data else {
      throw ScoringFailure.malformed("an output that is not of numbers")
    }
    return try data.scores(count)
  }
}
