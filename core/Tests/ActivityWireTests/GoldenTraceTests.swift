import Activity
public import ActivityWire
public import CoreTesting
import CoreTypes
import Testing

extension ActivityEventKind: NamedRow {}
extension ActivityCommandKind: NamedRow {}

extension RowNames {
  static let activity = RowNames().adding(ActivityEventKind.self, ActivityCommandKind.self)
}

@Suite struct GoldenTraceTests {
  @Test(arguments: Recordings.all.keys.sorted())
  func theActivityGivesTheSameCommands(name: String) throws {
    if Trace.records { try Trace.write("activity/" + name, Recordings.all[name]!(), .activity) }
    let golden = try Trace.read("activity/" + name)
    #expect(golden.count > 30)
    #expect(try Trace.text("activity/" + name) == golden.map(RowNames.activity.added(to:)), "names")
    #expect(Trace.replay(golden, through: Activity.self) == golden)
  }
}

private enum Recordings {
  static let all: [String: @Sendable () -> [String]] = [
    "watching": watching, "toggles": toggles, "hostile": hostile,
  ]

  /// A clip from before it moves, with a stall, a pause, two turns and a jump; the next is skipped. Batches
  /// are lost, refused for a while, and answered.
  @Sendable static func watching() -> [String] {
    var script = Script<Activity>()
    script.send([150, 0, 3_000, -1])
    script.wait(180)
    script.send([151])
    for place: Int64 in stride(from: 0, through: 6_500, by: 250) {
      script.send([152, place])
      script.wait(250)
      if place == 1_000 {
        script.send([153])
        script.wait(700)
        script.send([151])
      }
      if place == 2_000 {
        script.send([154])
        script.wait(4_000)
      }
    }
    script.send([152, 9_900])
    script.send([150, 1, 20_000, 400])
    for status: Int64 in [0, 429] {
      script.wait(45_000)
      script.send([157, status])
    }
    script.send([155])
    script.wait(90_000)
    script.send([156])
    script.send([150, 2, 7_000, -1])
    script.wait(11_000)
    script.send([157, 400])
    script.send([155])
    return script.trace
  }

  /// Taken back on the way, refused, lost and asked for again, and forgotten with the account.
  @Sendable static func toggles() -> [String] {
    var script = Script<Activity>()
    for row: [Int64] in [
      [158, 1, 1, 0], [158, 2, 1, 0], [158, 1, 0, 1], [159, 2], [159, 1], [159, 1], [158, 1, 1, 0],
      [160, 1, 404],
      [158, 1, 1, 0], [160, 1, 0], [158, 1, 0, 0], [160, 1, 503], [158, 1, 1, 0], [158, 1, 0, 1], [159, 1],
      [159, 1], [158, 3, 0, 1], [161], [159, 3], [158, 4, 0, 0], [158, 4, 1, 0], [160, 4, 401],
    ] {
      script.send(row)
      script.wait(90)
    }
    return script.trace
  }

  @Sendable static func hostile() -> [String] {
    Trace.hostile(
      Activity.self, seed: 9,
      fields: [
        (50...50, 0), (150...150, 3), (151...151, 0), (152...152, 1), (152...152, 1), (153...156, 0),
        (157...157, 1), (158...158, 3), (159...159, 1), (160...160, 2), (161...161, 0),
      ],
      start: [[150, 1, 900, 0], [152, 0], [152, 500]])
  }
}
