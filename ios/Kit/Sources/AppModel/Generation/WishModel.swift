public import Contract
public import Observation

/// What somebody wants to see, before it is asked for: a new clip, or another version of one. It stays until
/// the server has it, also over the end of the app, and whoever taps twice asks once.
///
/// It refuses to know how a clip is made, and what a screen looks like.
@MainActor @Observable public final class WishModel {
  /// As on the wire.
  public enum Field: String, CaseIterable, Sendable { case prompt }

  public static let styles: [GenerationStyle] = [.none, .cinematic, .animation, .realistic]

  public let form = FormState<Field>()
  /// The one of which this is to be another version: of that only the prompt changes.
  public let refined: Generation?
  /// The clip of one's own with whose picture it begins.
  public private(set) var fromClip: String?
  private var wantedSeconds: Int?
  private var wantedStyle: GenerationStyle?
  private var wantedAspect: GenerationAspect?

  @ObservationIgnored public let offer: GenerationOfferModel
  /// A picture to begin with, in the place of a clip.
  @ObservationIgnored public let picture: FirstPictureModel
  /// Clips of one's own, of which one may be chosen.
  @ObservationIgnored public let clips: PagedList<OwnClip>
  /// Hears what was begun.
  @ObservationIgnored var begun: (Generation) -> Void = { _ in }
  @ObservationIgnored private let workshop: Generations
  @ObservationIgnored private let place: String

  /// `refined`: `nil` for a new one.
  init(refining refined: Generation? = nil, workshop: Generations) {
    self.refined = refined
    self.workshop = workshop
    offer = workshop.offer
    let client = workshop.client
    picture = FirstPictureModel(client: client)
    clips = PagedList { try await client.ownClips(cursor: $0, limit: $1) }
    place = refined.map { "version/\($0.id)" } ?? "new"
    picture.changed = { [weak self] in self?.pictured() }
    reload()
  }

  /// As it was left, by whoever is here.
  func reload() {
    let draft = workshop.drafts.draft(of: place)
    wantedSeconds = refined?.seconds ?? draft?.seconds
    wantedStyle = refined?.style ?? draft?.style
    wantedAspect = refined?.aspect ?? draft?.aspect
    fromClip = refined == nil ? draft?.fromClip : refined?.fromClipId
    picture.restore(refined == nil ? draft?.picture : nil)
    let typed = draft?.prompt ?? ""
    clips.clear()
    form.onChanged = nil
    form.clear()
    form[.prompt] = typed.isEmpty ? refined?.prompt ?? "" : typed
    form.onChanged = { [weak self] in self?.keep() }
  }

  // MARK: What is chosen

  /// The first length that there is, unless another one was chosen.
  public var seconds: Int {
    get {
      guard refined == nil, let lengths = offer.offer?.lengths else { return wantedSeconds ?? 0 }
      let chosen = lengths.first { $0.seconds == wantedSeconds } ?? lengths.first
      return chosen?.seconds ?? 0
    }
    set {
      wantedSeconds = newValue
      keep()
    }
  }

  public var style: GenerationStyle {
    get { wantedStyle ?? GenerationStyle.none }
    set {
      wantedStyle = newValue
      keep()
    }
  }

  /// Upright, unless another one was chosen or there is none.
  public var aspect: GenerationAspect {
    get {
      guard refined == nil, let aspects = offer.offer?.aspects else { return wantedAspect ?? .portrait }
      if let wantedAspect, aspects.contains(wantedAspect) { return wantedAspect }
      return aspects.contains(.portrait) ? .portrait : aspects.first ?? .portrait
    }
    set {
      wantedAspect = newValue
      keep()
    }
  }

  /// Its price, and how long it takes; `nil`: nobody knows yet, or it cannot be had.
  public var length: GenerationLength? { offer.length(of: seconds) }

  /// Why it cannot be asked for now.
  public var obstacle: Sentence? { offer.obstacle(to: seconds) }

  public var canSend: Bool { length != nil && obstacle == nil && !form.isBusy && !picture.isSending }

  /// Of the prompt, as the server counts it; negative: so many too many.
  public var charactersLeft: Int {
    Limits.promptScalars.upperBound - form[.prompt].unicodeScalars.count
  }

  /// Something to begin with is offered.
  public var showsExamples: Bool { refined == nil && form.trimmed(.prompt) == nil }

  /// An example, in the words of this device.
  public func take(example: String) { form[.prompt] = example }

  /// Whether it can begin with the picture of a clip of one's own.
  public var startsFromClips: Bool { refined == nil && offer.offer?.startsFromClips == true }

  /// Begins with the picture of this one; `nil`: with none.
  public func begin(with clip: OwnClip?) {
    fromClip = clip?.clipId
    if fromClip != nil, picture.id != nil { picture.leaveOut() }
    keep()
  }

  /// Whether it can begin with a picture that is sent.
  public var startsFromPictures: Bool { refined == nil && offer.offer?.startsFromPictures == true }

  /// It begins with one of both.
  private func pictured() {
    if picture.id != nil { fromClip = nil }
    keep()
  }

  /// Those that have a picture.
  public func canBegin(with clip: OwnClip) -> Bool { clip.state == .published && clip.clipId != nil }

  private func keep() {
    workshop.drafts.change(place) { draft in
      draft.prompt = form[.prompt] == refined?.prompt ? "" : form[.prompt]
      guard refined == nil else { return }
      (draft.seconds, draft.style, draft.aspect) = (wantedSeconds, wantedStyle, wantedAspect)
      (draft.fromClip, draft.picture) = (fromClip, picture.id)
    }
  }

  // MARK: Asking

  private func wish(_ prompt: String) -> NewGeneration {
    // Where none can begin with a clip or a picture any more, one may have been chosen earlier.
    NewGeneration(
      prompt: prompt, seconds: seconds, style: style, aspect: aspect,
      fromClipId: startsFromClips ? fromClip : nil,
      pictureId: startsFromPictures ? picture.id : nil)
  }

  /// A tap. What failed on the way and is sent once more as it was is the same one.
  public func send() async {
    guard canSend else { return }
    var answer: Generation?
    await form.submit {
      guard charactersLeft >= 0 else {
        throw FieldFault(field: Field.prompt, sentence: Sentence(ErrorCode.promptTooLong.message))
      }
      do {
        answer = try await workshop.ask(
          wish(form.trimmed(.prompt) ?? ""), refining: refined?.id, at: place)
      } catch {
        if RequestFailure(error).isOne(of: .pictureNotFound) { picture.lose(error) }
        throw error
      }
    }
    guard let answer else { return }
    // The next one begins with no picture of this one's.
    if refined == nil, fromClip != nil || picture.id != nil {
      fromClip = nil
      picture.restore(nil)
      keep()
    }
    begun(answer)
  }
}
