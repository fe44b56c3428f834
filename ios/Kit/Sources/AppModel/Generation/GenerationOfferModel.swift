public import Contract
public import Observation

/// What can be asked for now, what it costs and what is left today: one for all screens that say it.
@MainActor @Observable public final class GenerationOfferModel {
  public enum State: Equatable, Sendable {
    case loading
    case failed(Sentence)
    /// Nobody makes videos here.
    case none
    case made(GenerationOffer)
  }

  public private(set) var state = State.loading

  @ObservationIgnored private let client: Client
  /// Of answers that are asked for at the same time the last one is right.
  @ObservationIgnored private var asking = 0

  init(client: Client) { self.client = client }

  public var offer: GenerationOffer? {
    if case .made(let offer) = state { offer } else { nil }
  }

  /// As it is now. What is shown stays until then.
  public func load() async {
    asking += 1
    let asked = asking
    if offer == nil { state = .loading }
    do {
      let offer = try await client.generationOffer()
      if asked == asking { state = offer.lengths.isEmpty ? .none : .made(offer) }
    } catch {
      // What was there is still true as far as anybody knows, and the server has the last word anyway.
      guard asked == asking, offer == nil, !Sentence.isSilent(error) else { return }
      state = .failed(Sentence(for: error))
    }
  }

  /// `nil`: it cannot be had, or nobody knows yet.
  public func length(of seconds: Int) -> GenerationLength? {
    offer?.lengths.first { $0.seconds == seconds }
  }

  /// Why one of this length cannot be asked for now; `nil`: nothing stands in the way.
  public func obstacle(to seconds: Int) -> Sentence? {
    guard let offer else { return nil }
    guard let length = length(of: seconds) else { return Sentence(ErrorCode.generationNotPossible.message) }
    if offer.underWay >= offer.mostUnderWay { return Sentence(ErrorCode.generationsUnderWay.message) }
    if offer.creditsLeft < length.credits { return Sentence(ErrorCode.insufficientCredits.message) }
    return nil
  }

  /// Somebody else is here.
  func clear() {
    asking += 1
    state = .loading
  }
}
