public import ArgumentParser
import CoreTypes
import Foundation
public import Simulation

@main
struct Simulate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Simulates people who swipe through clips on links that vary, under several policies.",
    discussion: """
      Every policy meets the same people, clips and links: person n has seed SEED + n, and with it habits, \
      a device, a feed and a link. The same options give the same bytes (but for the times that the core's \
      decisions took, which --no-timing leaves out).

      Without options: all policies on all kinds of links, 20 people who watch 3 minutes each. \
      docs/design/simulator.md says what is modelled, and what each column means.

      EXAMPLES
        simulate --quick
        simulate --family 3g --policy ours --policy oracle --people 100
        simulate --family train --policy ours --seed 7 --plot train.svg
        simulate --trace commute.txt --people 50 --json
        simulate --swipes 1000 --family wifi
      """)

  @Option(help: "A kind of link. Can be given again. (default: all)")
  var family: [TraceFamily] = []

  @Option(help: "Who decides downloads. Can be given again; ratios are to the first. (default: all)")
  var policy: [PolicyKind] = []

  @Option(help: "Seed of the first person.")
  var seed: UInt64 = 1

  @Option(help: "How many people.")
  var people: Int?

  @Option(help: "How many minutes of clips each of them watches.")
  var minutes: Double?

  @Option(help: "Instead: how many clips each of them swipes to; prints how the memory grew, too.")
  var swipes: Int?

  @Option(
    help: "A link from a file with lines `time_s bandwidth_mbps [rtt_ms]`, instead of the kinds above.",
    completion: .file())
  var trace: String?

  @Option(help: "Write the first person's session under the first policy as an SVG.", completion: .file())
  var plot: String?

  @Option(help: "Write an SVG for each kind of link and policy into this folder.", completion: .directory)
  var plots: String?

  @Option(help: "Where the plot begins, s. (default: before the longest time without a picture)")
  var from: Double?

  @Option(help: "How much the plot shows, s.")
  var span: Double = 60

  @Flag(help: "A smoke run: 4 people who watch 1 minute each.")
  var quick = false

  @Flag(help: "Print JSON instead of tables.")
  var json = false

  @Flag(inversion: .prefixedNo, help: "Measure how long the core's decisions take.")
  var timing = true

  @Option(help: "How many sessions run at a time.")
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  func validate() throws {
    guard people.map({ $0 > 0 }) ?? true else { throw ValidationError("There is nobody.") }
    guard minutes.map({ $0 > 0 && $0 <= 600 }) ?? true else {
      throw ValidationError("--minutes has to be more than 0 and at most 600.")
    }
    guard swipes.map({ $0 > 0 && $0 <= 100_000 }) ?? true else {
      throw ValidationError("--swipes has to be more than 0 and at most 100000.")
    }
    guard span > 0 else { throw ValidationError("--span has to be more than 0.") }
    if trace != nil, !family.isEmpty { throw ValidationError("Either --trace or --family.") }
    if swipes != nil, minutes != nil { throw ValidationError("Either --swipes or --minutes.") }
  }

  func run() async throws {
    let sources = try sources()
    let policies = policy.isEmpty ? PolicyKind.allCases : policy
    if let plot { return try draw(sources[0], policies[0], to: plot) }
    if swipes != nil { return try memory(sources, policies) }
    let count = people ?? (quick ? 4 : 20)
    let study = Study(
      sources: sources, policies: policies, seeds: (0..<count).map { seed &+ UInt64($0) }, length: length,
      timesDecisions: timing && policies.contains(.ours))
    let comparison = await study.run(jobs: jobs)
    if json {
      print(String(decoding: try comparison.json(), as: UTF8.self))
    } else {
      print(comparison.markdown())
      if timing { print(comparison.decisionTimes()) }
    }
    guard let plots else { return }
    try FileManager.default.createDirectory(atPath: plots, withIntermediateDirectories: true)
    for source in sources {
      for policy in policies {
        let name = "\(source.name)-\(policy.rawValue).svg"
        try draw(source, policy, to: URL(fileURLWithPath: plots).appendingPathComponent(name).path)
      }
    }
  }

  private var length: Scenario.Length {
    if let swipes { return .visits(swipes + 1) }
    return .watching(Milliseconds(Int64((minutes ?? (quick ? 1 : 3)) * 60_000)))
  }

  private func sources() throws -> [Study.Source] {
    guard let trace else { return (family.isEmpty ? TraceFamily.allCases : family).map { .family($0) } }
    guard let text = try? String(contentsOfFile: trace, encoding: .utf8) else {
      throw ValidationError("\(trace): it cannot be read as text.")
    }
    let name = URL(fileURLWithPath: trace).deletingPathExtension().lastPathComponent
    do {
      return [.trace(try Trace(text: text), name: name)]
    } catch {
      throw ValidationError("\(trace): \(error)")
    }
  }

  private func draw(_ source: Study.Source, _ policy: PolicyKind, to path: String) throws {
    let scenario = source.scenario(seed: seed, length: length)
    var world = World(
      scenario, policy: policy.policy(for: scenario), hearsCurves: policy.hearsCurves,
      recordsTimeline: true)
    world.run()
    guard let timeline = world.timeline else { return }
    let plot = TimelinePlot(
      timeline, title: "\(policy.title) on \(source.name), person \(seed)", measures: world.measures,
      from: from.map { Instant(Int64($0 * 1_000)) }, span: Milliseconds(Int64(span * 1_000)))
    try plot.svg().write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// Whether a long session needs more than a short one.
  private func memory(_ sources: [Study.Source], _ policies: [PolicyKind]) throws {
    print("| link | policy | swipes | peak MiB until swipe 100 | until the end |")
    print("| --- | --- | ---: | ---: | ---: |")
    for source in sources {
      for policy in policies {
        let scenario = source.scenario(seed: seed, length: length)
        var world = World(
          scenario, policy: policy.policy(for: scenario), hearsCurves: policy.hearsCurves)
        world.run()
        let early = world.peaks.prefix(100).last ?? world.measures.peakStored
        let mebibytes = [early, world.measures.peakStored].map {
          String(format: "%.1f", Double($0) / 1_048_576)
        }
        print(
          "| \(source.name) | \(policy.title) | \(world.peaks.count) | "
            + mebibytes.joined(separator: " | ") + " |")
      }
    }
  }
}

extension TraceFamily: ExpressibleByArgument {}
extension PolicyKind: ExpressibleByArgument {}
