import Foundation

/// The core's phone and a plain pool, one after the other: the same person, the same feed, the same link.
@MainActor enum Comparison {
  /// How many goals were missed or words broken.
  static func run(_ options: Evening.Options, _ profiles: [Link.Profile], say: ([String]) -> Void)
    async throws
    -> Int
  {
    var rows: [String] = []
    var faults: [String] = []
    for profile in profiles {
      // What an earlier run has left on disk would come for nothing.
      try? FileManager.default.removeItem(at: options.handset.data)
      let core = try await Evening(options, profile).run()
      say(core.lines)
      let plain = try await PlainPool(options, profile).run()
      say(plain.lines)
      rows += [core.row, plain.row]
      faults += core.violations.keys.map { "\(profile.name): \($0)" }
      faults += missed(core, plain)
    }
    say(["", Figures.tableHead] + rows + faults.map { "MISSED: \($0)" })
    return faults.count
  }

  /// Issue 19: on 3G the slowest twentieth waits at most a third as long; nowhere come more bytes for
  /// nothing.
  static func missed(_ core: Figures, _ plain: Figures) -> [String] {
    var missed: [String] = []
    if core.link == "3g", let ours = core.p95, let theirs = plain.p95, ours * 3 > theirs {
      missed.append("3g: p95 \(ours) ms is more than a third of \(theirs) ms")
    }
    if core.unseen > plain.unseen {
      missed.append("\(core.link): \(core.unseen) bytes never shown are more than \(plain.unseen)")
    }
    return missed
  }
}
