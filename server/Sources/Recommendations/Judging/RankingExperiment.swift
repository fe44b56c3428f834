public import Ranking
internal import RankingJudgement

/// Two settings of pages at once: what some viewers get is compared with what others get.
///
/// Who is in it follows from the viewer's id and the experiment's name alone, so all servers agree without
/// asking each other.
public struct RankingExperiment: Sendable, Equatable {
  public let name: String
  /// The share of viewers who have the treatment; as many are its control. Above 0, at most 1/2.
  public let share: Double
  public let treatment: Ranker.PageSettings
  private let lot: Experiment

  public init(name: String, share: Double, treatment: Ranker.PageSettings) {
    self.name = name
    self.share = share
    self.treatment = treatment
    lot = Experiment(name: name, share: share)
  }

  /// Nothing for who is in neither, and has what everybody has.
  func arm(of viewer: String) -> ExperimentArm? {
    lot.arm(of: EntityID(of: viewer)).map { $0 == .treatment ? .treatment : .control }
  }

  /// What a viewer's page goes by; nil: what everybody's does.
  func settings(for viewer: String) -> Ranker.PageSettings? {
    arm(of: viewer) == .treatment ? treatment : nil
  }

  /// Of a to z, digits and `.-_`, at most 64: it stands in rows and on command lines.
  public static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}

/// As rows have it.
enum ExperimentArm: String, Sendable {
  case control, treatment
}
