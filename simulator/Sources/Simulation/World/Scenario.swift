public import CoreTypes

/// One person with one device on one link with one feed: everything but the policy.
public struct Scenario: Sendable {
  /// `nil` for a trace of the user's own.
  public let family: TraceFamily?
  public let trace: Trace
  public let library: ClipLibrary
  public let device: Device
  public let plan: Plan

  public init(
    family: TraceFamily? = nil, trace: Trace, library: ClipLibrary, device: Device = Device(), plan: Plan
  ) {
    self.family = family
    self.trace = trace
    self.library = library
    self.device = device
    self.plan = plan
  }

  /// How much a person does.
  public enum Length: Sendable {
    case watching(Milliseconds)
    case visits(Int)
  }

  /// The person, the link and the clips that belong to a seed.
  public init(family: TraceFamily, seed: UInt64, length: Length) {
    self.init(
      family: family, trace: family.trace(seed: seed), isCellular: family.isCellular, seed: seed,
      length: length)
  }

  public init(trace: Trace, seed: UInt64, length: Length) {
    self.init(family: nil, trace: trace, isCellular: true, seed: seed, length: length)
  }

  private init(family: TraceFamily?, trace: Trace, isCellular: Bool, seed: UInt64, length: Length) {
    let library = ClipLibrary(seed: seed)
    let device = Device(seed: seed, link: trace, isCellular: isCellular)
    let person = Person(seed: seed)
    let plan =
      switch length {
      case .watching(let time): person.plan(library, watching: time, device: device)
      case .visits(let count): person.plan(library, visits: count, device: device)
      }
    self.init(family: family, trace: trace, library: library, device: device, plan: plan)
  }
}
