public import Contract
public import Observation

/// Whether somebody sees clips for adults. A switch shows at once; what fails is taken back and said.
///
/// It refuses to know who may end restricted mode: the server says who has to say first that they are an
/// adult, and then they are asked.
@MainActor @Observable public final class RestrictedModel {
  /// As the server has it; `nil`: it did not come yet.
  public private(set) var mode: RestrictedMode?
  /// It could not be loaded.
  public private(set) var failure: Sentence?
  public private(set) var isSaving = false
  /// Somebody is asked whether they are an adult.
  public var asks = false
  /// What is not there yet.
  private var wanted: Bool?

  @ObservationIgnored private let client: Client
  @ObservationIgnored var say: (Sentence) -> Void = { _ in }
  /// Answers for somebody else are none.
  @ObservationIgnored private var beginning = 0

  init(client: Client) {
    self.client = client
  }

  public var isThere: Bool { mode != nil }

  public var isOn: Bool { wanted ?? mode?.restricted ?? true }

  public func load() async {
    failure = nil
    let begun = beginning
    do {
      let answer = try await client.restrictedMode()
      if begun == beginning { mode = answer }
    } catch {
      guard begun == beginning, !Sentence.isSilent(error) else { return }
      if isThere { say(Sentence(for: error)) } else { failure = Sentence(for: error) }
    }
  }

  public func set(_ isOn: Bool) async { await send(RestrictedModeChange(restricted: isOn)) }

  /// They say that they are an adult.
  public func confirm() async { await send(RestrictedModeChange(restricted: false, isAdult: true)) }

  private func send(_ change: RestrictedModeChange) async {
    guard !isSaving else { return }
    isSaving = true
    wanted = change.restricted
    asks = false
    let begun = beginning
    defer {
      if begun == beginning { (isSaving, wanted) = (false, nil) }
    }
    do {
      let answer = try await client.change(change)
      guard begun == beginning else { return }
      mode = answer
    } catch {
      guard begun == beginning, !Sentence.isSilent(error) else { return }
      let failure = RequestFailure(error)
      if failure.isOne(of: .adultUnconfirmed) { asks = true } else { say(failure.sentence) }
    }
  }

  /// Somebody else's begins.
  func clear() {
    beginning += 1
    (mode, failure, wanted) = (nil, nil, nil)
    (isSaving, asks) = (false, false)
  }
}
