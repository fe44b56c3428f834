public import Contract
public import Observation

/// People whom somebody follows, or has blocked: each until the button is tapped, which shows at once.
@MainActor @Observable public final class PeopleModel {
  public let list: PagedList<Author>
  /// Those of the list who are no longer.
  private var off: Set<String> = []
  /// On their way to the server.
  private var busy: Set<String> = []

  @ObservationIgnored private let set: (_ author: String, _ isOn: Bool) async throws -> Bool
  @ObservationIgnored var say: (Sentence) -> Void = { _ in }

  init(_ list: PagedList<Author>, set: @escaping (_ author: String, _ isOn: Bool) async throws -> Bool) {
    self.list = list
    self.set = set
  }

  public func isOn(_ author: Author) -> Bool { !off.contains(author.id) }

  /// Taken back if it fails. What is on its way is not asked for again.
  public func toggle(_ author: Author) async {
    guard busy.insert(author.id).inserted else { return }
    defer { busy.remove(author.id) }
    let wanted = !isOn(author)
    show(author, wanted)
    do {
      show(author, try await set(author.id, wanted))
    } catch {
      show(author, !wanted)
      if !Sentence.isSilent(error) { say(Sentence(for: error)) }
    }
  }

  private func show(_ author: Author, _ isOn: Bool) {
    if isOn { off.remove(author.id) } else { off.insert(author.id) }
  }

  /// The list as the server has it now.
  public func reload() async {
    await list.reload()
    if list.failure == nil { off = [] }
  }

  func clear() {
    list.clear()
    off = []
  }
}
