/// The policies that are compared.
public enum PolicyKind: String, CaseIterable, Sendable {
  /// The core's own fetches.
  case ours
  case fixed
  case nextOne = "next-one"
  case wholeFile = "whole-file"
  case staged
  case bufferRule = "buffer-rule"
  case oracle

  /// `nil`: the session decides by itself.
  public func policy(for scenario: Scenario) -> (any Policy)? {
    switch self {
    case .ours: nil
    case .fixed: FixedPreload()
    case .nextOne: NextOne()
    case .wholeFile: WholeFile()
    case .staged: StagedRanking()
    case .bufferRule: BufferRule()
    case .oracle: Oracle(scenario)
    }
  }

  public var title: String {
    switch self {
    case .ours: "ours"
    case .fixed: "fixed 3 s"
    case .nextOne: "next one"
    case .wholeFile: "whole files"
    case .staged: "staged (Media3)"
    case .bufferRule: "buffer rule (hls.js)"
    case .oracle: "oracle"
    }
  }
}
