public import Contract
public import Observation
internal import Persistence

/// What somebody has typed about themselves and not saved.
public struct ProfileDraft: Codable, Equatable, Sendable {
  public var bio: String
  /// One for each field, empty ones too.
  public var links: [String]

  public init(bio: String, links: [String]) {
    self.bio = bio
    self.links = links
  }
}

/// What somebody says of themselves, being changed. What was typed stays on the device until it is saved, for
/// each account.
///
/// It refuses to know what may be said: the server's word on a field is shown beside it.
@MainActor @Observable public final class ProfileEditModel {
  /// As on the wire.
  public enum Field: String, CaseIterable, Sendable {
    case bio
    case firstLink = "links[0]"
    case secondLink = "links[1]"
    case thirdLink = "links[2]"

    public static let links: [Field] = [.firstLink, .secondLink, .thirdLink]
  }

  public let form = FormState<Field>(optional: Set(Field.allCases))
  /// As the server has it.
  public internal(set) var profile: Profile?
  public internal(set) var picture = PictureState.still
  /// What is not there yet.
  var wantsLikesPublic: Bool?

  @ObservationIgnored let client: Client
  @ObservationIgnored private let clock: any PauseClock
  @ObservationIgnored private let file: WriteBehind<[String: ProfileDraft]>
  /// By account.
  @ObservationIgnored private var drafts: [String: ProfileDraft]
  @ObservationIgnored private var storing: Task<Void, Never>?
  /// What comes into the fields was not typed.
  @ObservationIgnored private var isFilling = false
  /// `isWhole`: nothing was typed since.
  @ObservationIgnored var saved: (_ profile: Profile, _ isWhole: Bool) -> Void = { _, _ in }
  /// It has another picture, or none any more.
  @ObservationIgnored var pictured: (_ profile: Profile) -> Void = { _ in }
  /// Others are shown what one likes, or are no more.
  @ObservationIgnored var turned: (_ profile: Profile) -> Void = { _ in }
  @ObservationIgnored var say: (Sentence) -> Void = { _ in }
  /// One change waits for the other, so that the last one holds.
  @ObservationIgnored var turning: Task<Void, Never>?

  init(client: Client, drafts file: StoredFile<[String: ProfileDraft]>, clock: any PauseClock) {
    self.client = client
    self.clock = clock
    self.file = WriteBehind(file)
    drafts = file.load() ?? [:]
    form.onChanged = { [weak self] in self?.keep() }
  }

  /// With what was typed before, if anything was.
  func begin(_ profile: Profile) {
    self.profile = profile
    if picture != .saving { picture = .still }
    fill(with: drafts[profile.author.id] ?? ProfileDraft(profile))
  }

  public func save() async {
    guard let before = profile else { return }
    let sent = typed
    var answer: Profile?
    // What is typed while it travels is not in it.
    var now = sent
    let isSaved = await form.submit {
      // What is empty is left out; a refusal names the place in what was sent.
      let given = Field.links.filter { form.trimmed($0) != nil }
      do {
        answer = try await client.changeProfile(
          ProfileChange(bio: form.trimmed(.bio) ?? "", links: given.compactMap { form.trimmed($0) }))
      } catch var problem as Problem {
        let place = Field.links.firstIndex { $0.rawValue == problem.field }
        if let place, given.indices.contains(place) { problem.field = given[place].rawValue }
        throw problem
      }
      now = typed
    }
    guard isSaved, let answer else { return }
    // Somebody else is here by now.
    guard profile?.author.id == before.author.id else { return clearDraft(of: before.author.id) }
    profile = answer
    fill(with: now == sent ? ProfileDraft(answer) : now)
    note(answer)
    store()
    saved(answer, now == sent)
  }

  /// The screen is left, or the app.
  public func store() {
    storing?.cancel()
    storing = nil
    file.save(drafts.isEmpty ? nil : drafts)
  }

  /// Somebody else is here. Their drafts stay theirs.
  func clear() {
    store()
    profile = nil
    wantsLikesPublic = nil
    fill(with: ProfileDraft(bio: "", links: []))
  }

  /// Returns once what was stored is on disk.
  func settled() async { await file.settled() }

  private var typed: ProfileDraft {
    ProfileDraft(bio: form[.bio], links: Field.links.map { form[$0] })
  }

  private func fill(with draft: ProfileDraft) {
    isFilling = true
    defer { isFilling = false }
    form[.bio] = draft.bio
    for (place, field) in Field.links.enumerated() {
      form[field] = draft.links.indices.contains(place) ? draft.links[place] : ""
    }
  }

  private func keep() {
    guard let profile, !isFilling else { return }
    note(profile)
    guard storing == nil else { return }
    storing = Task {
      guard (try? await clock.pause(WrittenField.storeDelay)) != nil else { return }
      storing = nil
      store()
    }
  }

  private func note(_ profile: Profile) {
    drafts[profile.author.id] = typed == ProfileDraft(profile) ? nil : typed
  }

  private func clearDraft(of account: String) {
    drafts[account] = nil
    store()
  }
}

extension ProfileDraft {
  fileprivate init(_ profile: Profile) {
    let links = profile.links.prefix(ProfileEditModel.Field.links.count)
    self.init(
      bio: profile.bio,
      links: links + Array(repeating: "", count: ProfileEditModel.Field.links.count - links.count))
  }
}
