/// The policies that are compared.
public enum PolicyKind: String, CaseIterable, Sendable {
  /// The core's own fetches.
  case ours
  /// The same, where the server knows how long people stay with each clip.
  case informed = "ours-informed"
  case fixed
  case nextOne = "next-one"
  case wholeFile = "whole-file"
  case staged
  case bufferRule = "buffer-rule"
  case oracle

  /// `nil`: the session decides by itself.
  public func policy(for scenario: Scenario) -> (any Policy)? {
    switch self {
    case .ours, .informed: nil
    case .fixed: FixedPreload()
    case .nextOne: NextOne()
    case .wholeFile: WholeFile()
    case .staged: StagedRanking()
    case .bufferRule: BufferRule()
    case .oracle: Oracle(scenario)
    }
  }

  /// Whether the session hears each clip's curve.
  public var hearsCurves: Bool { self == .informed }

  public var title: String {
    switch self {
    case .ours: "ours"
    case .informed: "ours, with curves"
    case .fixed: "fixed 3 s"
    case .nextOne: "next one"
    case .wholeFile: "whole files"
    case .staged: "staged (Media3)"
    case .bufferRule: "buffer rule (hls.js)"
    case .oracle: "oracle"
    }
  }
}
