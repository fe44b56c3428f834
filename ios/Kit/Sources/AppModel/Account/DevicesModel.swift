public import Contract
public import Observation

/// Where somebody is signed in.
@MainActor @Observable public final class DevicesModel {
  public private(set) var sessions: [OpenSession] = []
  public private(set) var isLoading = false
  public private(set) var failure: Sentence?
  private var ending: Set<String> = []
  /// Answers to somebody who is gone are none.
  @ObservationIgnored private var beginning = 0

  @ObservationIgnored private let client: Client
  @ObservationIgnored var say: (Sentence) -> Void = { _ in }

  init(client: Client) { self.client = client }

  public func load() async {
    guard !isLoading else { return }
    isLoading = true
    let begun = beginning
    defer { if begun == beginning { isLoading = false } }
    do {
      let items = try await client.sessions().items
      guard begun == beginning else { return }
      sessions = items
      failure = nil
    } catch {
      if begun == beginning, !Sentence.isSilent(error) { failure = Sentence(for: error) }
    }
  }

  public func isEnding(_ session: OpenSession) -> Bool { ending.contains(session.id) }

  public func end(_ session: OpenSession) async {
    guard !session.current, ending.insert(session.id).inserted else { return }
    defer { ending.remove(session.id) }
    do {
      try await client.endSession(session.id)
    } catch let problem as Problem where problem.status == 404 {
      // It has ended by itself.
    } catch {
      if !Sentence.isSilent(error) { say(Sentence(for: error)) }
      return
    }
    sessions.removeAll { $0.id == session.id }
    let name: Sentence.Argument =
      switch ClientName(session.client) {
      case .known(let words): .verbatim(words)
      case .unknown: .key("Unknown device")
      }
    say(Sentence("%@ is signed out.", [name]))
  }

  func clear() {
    beginning += 1
    sessions = []
    isLoading = false
    failure = nil
  }
}

/// What a session's client calls itself, in few words: "Firefox on Android", what is known of it, or what it
/// said.
public enum ClientName: Equatable, Sendable {
  /// Names of products, the same in every language.
  case known(String)
  case unknown

  private static let mostScalars = 60
  /// What is looked at.
  private static let mostBytes = 512

  // The first that is in it: every browser also says that it is others.
  private static let programs: [(words: [String], name: String)] = [
    (["Clipfeed/"], "Clipfeed"), (["Edg/", "EdgA/", "EdgiOS/"], "Edge"), (["OPR/"], "Opera"),
    (["SamsungBrowser/"], "Samsung Internet"), (["FxiOS/", "Firefox/"], "Firefox"),
    (["CriOS/", "Chrome/"], "Chrome"), (["Safari/"], "Safari"),
  ]
  private static let systems: [(words: [String], name: String)] = [
    (["iPhone"], "iPhone"), (["iPad"], "iPad"), (["Android"], "Android"), (["Windows"], "Windows"),
    (["CrOS"], "ChromeOS"), (["Macintosh"], "Mac"), (["Linux"], "Linux"),
  ]

  public init(_ client: String) {
    let text = String(decoding: client.utf8.prefix(Self.mostBytes), as: UTF8.self)
    let found = [Self.programs, Self.systems].compactMap { table in
      table.first { $0.words.contains { text.contains($0) } }?.name
    }
    let bare = String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.mostScalars)))
    if found.isEmpty {
      let isBlank = bare.unicodeScalars.allSatisfy { $0.properties.isWhitespace }
      self = isBlank ? .unknown : .known(bare)
    } else {
      self = .known(found.joined(separator: " · "))
    }
  }
}
