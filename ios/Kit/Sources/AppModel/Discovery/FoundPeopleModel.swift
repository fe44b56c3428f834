public import Contract
public import Observation

/// People who were found, each with a button that shows at once and is taken back if it fails.
@MainActor @Observable public final class FoundPeopleModel {
  public let list: PagedList<FoundPerson>
  private var busy: Set<String> = []

  @ObservationIgnored private let client: Client
  @ObservationIgnored private let announcements: Announcements

  init(
    client: Client, announcements: Announcements,
    _ page: @escaping (_ cursor: String?, _ limit: Int) async throws -> FoundPersonPage
  ) {
    self.client = client
    self.announcements = announcements
    list = PagedList(page)
  }

  /// What is on its way is not asked for again.
  public func toggle(_ person: FoundPerson) async {
    let id = person.author.id
    guard let known = list.items.first(where: { $0.author.id == id }), busy.insert(id).inserted else {
      return
    }
    defer { busy.remove(id) }
    let wanted = !known.following
    set(id) { $0.following = wanted }
    do {
      let answer = try await wanted ? client.follow(id) : client.unfollow(id)
      set(id) {
        $0.following = answer.following
        $0.followers = max(0, answer.followers)
      }
    } catch {
      set(id) { $0.following = known.following }
      if !Sentence.isSilent(error) { announcements.post(Sentence(for: error)) }
    }
  }

  private func set(_ id: String, _ change: (inout FoundPerson) -> Void) {
    list.change { if $0.author.id == id { change(&$0) } }
  }
}
