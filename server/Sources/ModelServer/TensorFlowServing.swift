internal import Contract
internal import Foundation
internal import Recommendations

/// TensorFlow Serving's REST API (tensorflow.org/tfx/serving/api_rest), in rows.
///
/// Without ids each instance is the list of its features, which is the only input of the model's default
/// signature; with them it is an object of three inputs. A prediction is a number, a list of one, or an
/// object that has either as `scores`.
struct TensorFlowServing: ScoringDialect {
  private let model: String
  private let sendsIDs: Bool

  init(_ settings: ModelServerSettings) {
    model = "/v1/models/\(ModelServerSettings.part(settings.model))\(settings.versionPath)"
    sendsIDs = settings.sendsIDs
  }

  var scoring: String { model + ":predict" }
  var readiness: [String] { [model] }

  private struct Status: Decodable {
    struct Version: Decodable { let state: String }
    let modelVersionStatus: [Version]
  }

  func saysReady(_ body: Data) -> Bool {
    (try? WireCoding.decode(Status.self, from: body))?.modelVersionStatus.contains { $0.state == "AVAILABLE" }
      ?? false
  }

  func body(of candidates: CandidateFeatures) -> [UInt8] {
    var writer = RowWriter()
    let columns = CandidateFeatures.columns.count
    let viewer = RowWriter.quoted(candidates.viewer)
    writer.append(#"{"instances":["#)
    for (row, clip) in candidates.clips.enumerated() {
      if row > 0 { writer.append(",") }
      writer.append(sendsIDs ? #"{"features":["# : "[")
      writer.append(candidates.values[row * columns..<(row + 1) * columns])
      writer.append(
        sendsIDs ? #"],"clip_id":\#(RowWriter.quoted(clip)),"viewer_id":\#(viewer)}"# : "]")
    }
    writer.append("]}")
    return writer.bytes
  }

  private struct Answer: Decodable {
    let predictions: [Prediction]
  }

  private struct Prediction: Decodable {
    let value: Double

    private struct Named: Decodable { let scores: Number }

    private struct Number: Decodable {
      let value: Double

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Double.self) {
          value = number
          return
        }
        let list = try container.decode([Double].self)
        guard list.count == 1 else {
          throw DecodingError.dataCorruptedError(in: container, debugDescription: "several numbers")
        }
        value = list[0]
      }
    }

    init(from decoder: any Decoder) throws {
      value = try (try? Number(from: decoder))?.value ?? Named(from: decoder).scores.value
    }
  }

  func scores(in body: Data, count: Int) throws -> [Float] {
    guard let answer = try? WireCoding.decode(Answer.self, from: body) else {
      throw ScoringFailure.malformed("no JSON with predictions that are numbers")
    }
    return try NumberList(answer.predictions.map(\.value)).scores(count)
  }
}
