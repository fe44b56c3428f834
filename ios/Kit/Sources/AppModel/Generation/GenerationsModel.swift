public import Contract
public import Observation

/// What somebody had made from words, and is having made, the newest first.
@MainActor @Observable public final class GenerationsModel {
  public let list: PagedList<Generation>
  private var busy: Set<String> = []

  @ObservationIgnored private let client: Client
  @ObservationIgnored private let clock: any PauseClock
  /// Asks for the same once more.
  @ObservationIgnored var ask: (_ wish: NewGeneration, _ place: String) async throws -> Generation = { _, _ in
    throw CancellationError()
  }
  @ObservationIgnored var say: (Sentence) -> Void = { _ in }
  /// Hears what was begun.
  @ObservationIgnored var begun: (Generation) -> Void = { _ in }

  // From question to question after what is being made.
  private static let firstWait = Duration.seconds(2)
  private static let lastWait = Duration.seconds(10)

  init(client: Client, clock: any PauseClock) {
    self.client = client
    self.clock = clock
    list = PagedList { try await client.generations(cursor: $0, limit: $1) }
  }

  /// Asks after what is being made, for as long as the screen is there.
  public func follow() async {
    var wait = Self.firstWait
    while !Task.isCancelled {
      do { try await clock.pause(wait) } catch { return }
      wait = min(wait * 1.5, Self.lastWait)
      await look()
    }
  }

  /// At those that are under way; they are among the newest.
  func look() async {
    guard list.items.contains(where: { !$0.state.isOver }) else { return }
    guard let page = try? await client.generations() else { return }
    let newest = Dictionary(page.items.map { ($0.id, $0) }) { first, _ in first }
    list.change { if !$0.state.isOver, let now = newest[$0.id] { $0 = now } }
  }

  // MARK: The same again

  public func isBusy(_ generation: Generation) -> Bool { busy.contains(generation.id) }

  /// The same prompt once more, with one tap. A tap whose answer was lost is the same one again.
  public func again(_ generation: Generation) async {
    guard busy.insert(generation.id).inserted else { return }
    defer { busy.remove(generation.id) }
    let wish = NewGeneration(
      prompt: generation.prompt, seconds: generation.seconds, style: generation.style,
      aspect: generation.aspect, fromClipId: generation.fromClipId,
      pictureId: generation.pictureId)
    do {
      begun(try await ask(wish, "again/\(generation.id)"))
    } catch {
      if !Sentence.isSilent(error) { say(Sentence(for: error)) }
    }
  }

  // MARK: What is heard of single ones

  /// It leads the list, if that is there already.
  func add(_ generation: Generation) {
    guard list.isWhole || !list.items.isEmpty else { return }
    list.remove { $0.id == generation.id }
    list.insert(generation, at: 0)
  }

  func change(_ generation: Generation) { list.change { if $0.id == generation.id { $0 = generation } } }

  func remove(_ id: String) { list.remove { $0.id == id } }

  func clear() {
    list.clear()
    busy = []
  }
}
