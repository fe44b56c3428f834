import Foundation
import NIOHTTP1

/// Reads requests as the published protocols have them: the Open Inference Protocol's REST API, version 2
/// (github.com/kserve/open-inference-protocol, specification/protocol/inference_rest.md), and TensorFlow
/// Serving's (tensorflow.org/tfx/serving/api_rest).
enum ProtocolReader {
  struct Wrong: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  static func read(_ head: HTTPRequestHead, _ body: Data) throws -> FakeModelServer.Question {
    var question = FakeModelServer.Question(
      path: head.uri, authorization: head.headers.first(name: "authorization"), connection: 0)
    try require(head.headers["host"].count == 1, "one host")
    if head.method == .GET {
      let parts = head.uri.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      try require(["v1", "v2"].contains(parts.first), "a path of a protocol")
      return question
    }
    try require(head.method == .POST, "POST")
    try require(head.headers["content-type"] == ["application/json"], "JSON")
    try require(head.headers.first(name: "content-length") == "\(body.count)", "the length of the body")
    guard let object = try? JSONSerialization.jsonObject(with: body) as? [String: Any] else {
      throw Wrong("no object of JSON")
    }
    if head.uri.wholeMatch(of: /\/v2\/models\/[A-Za-z0-9._~%-]+(\/versions\/[A-Za-z0-9._~%-]+)?\/infer/)
      != nil
    {
      try readTensors(object, into: &question)
    } else if head.uri.wholeMatch(
      of: /\/v1\/models\/[A-Za-z0-9._~%-]+(\/versions\/[0-9]+)?:predict/) != nil
    {
      try readRows(object, into: &question)
    } else {
      throw Wrong("a path of a protocol, not \(head.uri)")
    }
    return question
  }

  private static func require(_ condition: Bool, _ demand: String) throws {
    guard condition else { throw Wrong("it needs \(demand)") }
  }

  // MARK: Open Inference Protocol

  /// $inference_request = { "id"?, "parameters"?, "inputs": [ $request_input, … ], "outputs"? }
  private static func readTensors(
    _ object: [String: Any], into question: inout FakeModelServer.Question
  ) throws {
    try require(Set(object.keys).isSubset(of: ["id", "parameters", "inputs", "outputs"]), "known members")
    if let parameters = object["parameters"] {
      guard let parameters = parameters as? [String: Any] else { throw Wrong("parameters are no object") }
      try require(
        parameters.values.allSatisfy { $0 is String || $0 is NSNumber }, "a text, number or boolean each")
    }
    guard let inputs = object["inputs"] as? [[String: Any]] else { throw Wrong("inputs are no array") }
    try require(!inputs.isEmpty, "an input")
    for input in inputs { try readTensor(input, into: &question) }
    try require(!question.rows.isEmpty, "features")
  }

  /// $request_input = { "name", "shape", "datatype", "parameters"?, "data" }
  private static func readTensor(
    _ input: [String: Any], into question: inout FakeModelServer.Question
  ) throws {
    guard let name = input["name"] as? String, let shape = input["shape"] as? [Int],
      let type = input["datatype"] as? String, let data = input["data"] as? [Any]
    else { throw Wrong("an input lacks something") }
    try require(
      Set(input.keys).isSubset(of: ["name", "shape", "datatype", "parameters", "data"]), "known members")
    try require(!shape.isEmpty && shape.allSatisfy { $0 > 0 }, "a shape")
    try require(data.count == shape.reduce(1, *), "as many elements as the shape of \(name) says")
    switch (name, type) {
    case ("features", "FP32"):
      guard let numbers = data as? [Double] else { throw Wrong("other things than numbers") }
      try require(shape.count == 2, "rows and columns")
      question.rows = stride(from: 0, to: numbers.count, by: shape[1]).map { start in
        Array(numbers[start..<start + shape[1]])
      }
    case ("clip_id", "BYTES"), ("viewer_id", "BYTES"):
      guard let texts = data as? [String] else { throw Wrong("other things than texts") }
      if name == "clip_id" { question.clips = texts } else { question.viewers = texts }
    default: throw Wrong("no input that the model has: \(name) of \(type)")
    }
  }

  // MARK: TensorFlow Serving

  /// { "signature_name"?, "instances": <value>|<(nested)list>|<list-of-objects> } or "inputs"
  private static func readRows(
    _ object: [String: Any], into question: inout FakeModelServer.Question
  ) throws {
    try require(
      Set(object.keys).isSubset(of: ["signature_name", "instances", "inputs"]), "known members")
    try require((object["instances"] == nil) != (object["inputs"] == nil), "either rows or columns")
    if let rows = object["instances"] as? [[Double]] {
      question.rows = rows
    } else if let rows = object["instances"] as? [[String: Any]] {
      question.rows = rows.compactMap { $0["features"] as? [Double] }
      question.clips = rows.compactMap { $0["clip_id"] as? String }
      question.viewers = rows.compactMap { $0["viewer_id"] as? String }
      let counts = [question.rows.count, question.clips?.count, question.viewers?.count]
      try require(counts.allSatisfy { $0 == rows.count }, "the same inputs in each row")
    } else {
      throw Wrong("rows that are neither lists nor objects")
    }
    try require(Set(question.rows.map(\.count)).count == 1, "rows of one length")
  }
}
