import Foundation
import Testing

/// What Prometheus demands of a page of metrics (text format 0.0.4), and what promtool warns of.
struct MetricsPageReader {
  private(set) var kinds: [String: String] = [:]
  private(set) var samples: [String: Double] = [:]
  private(set) var faults: [String] = []

  init(_ text: String) {
    var (current, helped): (String?, Set<String>) = (nil, [])
    if !text.hasSuffix("\n") { faults.append("the last line does not end") }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
      if line.hasPrefix("# HELP ") {
        if !helped.insert(words[2]).inserted { faults.append("help twice: \(line)") }
        if words.count < 4 || words[3].isEmpty { faults.append("no help: \(line)") }
      } else if line.hasPrefix("# TYPE ") {
        current = words[2]
        if kinds.updateValue(words[3], forKey: words[2]) != nil { faults.append("type twice: \(line)") }
        if (words[3] == "counter") != words[2].hasSuffix("_total") {
          faults.append("name of a counter: \(line)")
        }
      } else {
        read(String(line), current)
      }
    }
    faults += Set(kinds.keys).symmetricDifference(helped).map { "help and type do not match: \($0)" }
    checkHistograms()
  }

  private mutating func read(_ line: String, _ current: String?) {
    let label = #"[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*""#
    let form = "^([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{\(label)(?:,\(label))*\\})? (-?[0-9.e+-]+|NaN|[+-]Inf)$"
    guard let match = line.range(of: form, options: .regularExpression),
      match == line.startIndex..<line.endIndex,
      let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...])
    else { return faults.append("no sample: \(line)") }
    let series = String(line[..<space])
    let name = String(series.prefix { $0 != "{" })
    let isPart =
      kinds[current ?? ""] == "histogram"
      && ["_bucket", "_sum", "_count"].contains { name == (current ?? "") + $0 }
    if name != current && !isPart { faults.append("stands under another name: \(line)") }
    if samples.updateValue(value, forKey: series) != nil { faults.append("twice: \(line)") }
  }

  private mutating func checkHistograms() {
    for (series, count) in samples
    where kinds.contains(where: { $0.value == "histogram" && series.hasPrefix($0.key + "_count") }) {
      let bucket = series.replacingOccurrences(of: "_count", with: "_bucket")
      let all = bucket.hasSuffix("}") ? bucket.dropLast() + #",le="+Inf"}"# : bucket + #"{le="+Inf"}"#
      if samples[String(all)] != count { faults.append("the last bucket is not the count: \(series)") }
    }
  }
}

extension MetricsPageReader {
  private static func promtool(_ text: String) throws -> (status: Int32, output: String)? {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/promtool") else { return nil }
    let (input, output) = (Pipe(), Pipe())
    let process = try ChildProgram(
      "/usr/bin/promtool", ["check", "metrics"], input: input, output: output, error: output)
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try input.fileHandleForWriting.close()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: said, as: UTF8.self))
  }

  /// What Prometheus would say of it, and promtool where it is there.
  static func expectGood(_ text: String) throws {
    #expect(Self(text).faults.isEmpty, "\(Self(text).faults)")
    if let (status, output) = try promtool(text) { #expect(status == 0, "\(output)") }
  }
}
