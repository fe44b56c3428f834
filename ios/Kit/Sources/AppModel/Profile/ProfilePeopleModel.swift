public import Contract
public import Observation

/// Who follows somebody, or whom they follow, with a field to look for one of them.
@MainActor @Observable public final class ProfilePeopleModel {
  public enum Side: Sendable { case followers, following }

  public let handle: String
  public let side: Side
  public let people: FoundPeopleModel
  /// In the field.
  public var text = "" { didSet { if text != oldValue { typed() } } }
  /// What the list is of; empty: all of them.
  public private(set) var asked = ""

  @ObservationIgnored private let workshop: Profiles
  @ObservationIgnored private let question: Question
  @ObservationIgnored private var asking: Task<Void, Never>?

  /// What the list asks for.
  @MainActor private final class Question { var text = "" }

  init(_ handle: String, _ side: Side, workshop: Profiles) {
    self.handle = handle
    self.side = side
    self.workshop = workshop
    let (question, client) = (Question(), workshop.client)
    self.question = question
    people = FoundPeopleModel(client: client, announcements: workshop.announcements) {
      switch side {
      case .followers:
        try await client.followers(of: handle, matching: question.text, cursor: $0, limit: $1)
      case .following:
        try await client.following(of: handle, matching: question.text, cursor: $0, limit: $1)
      }
    }
  }

  public var title: Sentence {
    side == .followers ? Sentence("Followers of %@", "@" + handle) : Sentence("Followed by %@", "@" + handle)
  }

  /// What is said where there are none.
  public var none: Sentence {
    switch (side, asked.isEmpty) {
    case (.followers, true): "Nobody follows them yet."
    case (.followers, false): "Nobody of this name follows them."
    case (.following, true): "They follow nobody yet."
    case (.following, false): "They follow nobody of this name."
    }
  }

  /// Nobody follows themselves.
  public func canFollow(_ person: FoundPerson) -> Bool { person.author.id != workshop.viewer.viewerID }

  public func open(_ person: FoundPerson) { workshop.open(person.author) }

  private func typed() {
    asking?.cancel()
    asking = nil
    let wanted = SearchModel.trimmed(text)
    guard Array(wanted.utf8) != Array(asked.utf8) else { return }
    asking = Task { [weak self, clock = workshop.clock] in
      do { try await clock.pause(SearchModel.pause) } catch { return }
      guard let self, !Task.isCancelled else { return }
      await ask(wanted)
    }
  }

  /// What is on its way for another question is no answer any more.
  private func ask(_ wanted: String) async {
    asked = wanted
    question.text = wanted
    people.list.clear()
    await people.list.begin()
  }

  /// Somebody signed in or out: what is shown was told to another person.
  func viewerChanged() {
    people.list.clear()
    Task { await people.list.begin() }
  }

  /// Returns once nothing of this is on its way.
  func settled() async { await asking?.value }
}
