public import Contract
public import Foundation
public import Observation

/// What is kept of somebody, to take along: asking for the archive, how far it is, and where it is.
@MainActor @Observable public final class OwnDataModel {
  public private(set) var exports: [DataExport] = []
  /// The list came.
  public private(set) var isThere = false
  public private(set) var isAsking = false
  public private(set) var failure: Sentence?

  /// Between two looks at one that is being made.
  static let look = Duration.seconds(2)

  @ObservationIgnored private let client: Client
  @ObservationIgnored private let pause: (Duration) async throws -> Void
  @ObservationIgnored var say: (Sentence) -> Void = { _ in }
  /// Of the archive that was asked for last, until an answer came: the same again is the same archive.
  @ObservationIgnored private var key: String?
  @ObservationIgnored private var turn = 0

  init(
    client: Client, pause: @escaping (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.client = client
    self.pause = pause
  }

  public var isUnderWay: Bool { exports.contains(where: Self.isUnderWay) }

  public static func isUnderWay(_ export: DataExport) -> Bool {
    export.state == .waiting || export.state == .working
  }

  /// Where an archive that is ready can be fetched, without anything else: by the browser.
  public func address(of export: DataExport, at base: URL) -> URL? {
    guard export.state == .ready, let url = export.url else { return nil }
    return URL(string: url, relativeTo: base)?.absoluteURL
  }

  /// Looks, and again while one is being made. The newest call alone goes on.
  public func watch() async {
    turn += 1
    let mine = turn
    await load()
    while isUnderWay, turn == mine, !Task.isCancelled {
      do { try await pause(Self.look) } catch { return }
      guard turn == mine else { return }
      await load()
    }
  }

  private func load() async {
    let mine = turn
    do {
      let items = try await client.exports().items
      guard turn == mine else { return }
      exports = items
      isThere = true
      failure = nil
    } catch {
      guard turn == mine, !Sentence.isSilent(error) else { return }
      failure = Sentence(for: error)
    }
  }

  public func ask() async {
    guard !isAsking, !isUnderWay else { return }
    isAsking = true
    let key = key ?? UUID().uuidString
    self.key = key
    do {
      _ = try await client.requestExport(idempotencyKey: key)
      self.key = nil
    } catch {
      if let problem = error as? Problem {
        self.key = nil
        // Somebody's other device was first: that one is shown.
        if problem.code != ErrorCode.exportUnderWay.rawValue { say(Sentence(for: error)) }
      } else if !Sentence.isSilent(error) {
        say(Sentence(for: error))
      }
    }
    isAsking = false
    await watch()
  }

  public func delete(_ export: DataExport) async {
    do {
      try await client.deleteExport(export.id)
    } catch let problem as Problem where problem.status == 404 {
      // It is over by itself.
    } catch {
      if !Sentence.isSilent(error) { say(Sentence(for: error)) }
      return
    }
    exports.removeAll { $0.id == export.id }
  }

  func clear() {
    turn += 1
    exports = []
    isThere = false
    failure = nil
    key = nil
  }
}
