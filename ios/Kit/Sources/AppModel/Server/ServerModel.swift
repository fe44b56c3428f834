public import Contract
public import Foundation
public import Observation
public import Persistence

/// Which server this app is for: asked at the first start, looked at before it is kept, and changeable later.
///
/// It refuses to know what is shown of that server.
@MainActor @Observable public final class ServerModel {
  public enum State: Equatable, Sendable {
    case asking
    case checking
    /// Checked once, and kept.
    case known(URL)
  }

  public private(set) var state: State
  /// What stands in the field.
  public var text: String {
    didSet { if text != oldValue { failure = nil } }
  }
  /// Why the address was not taken.
  public private(set) var failure: Sentence?
  /// Hears of another server than before.
  @ObservationIgnored public var onChanged: ((URL) -> Void)?
  @ObservationIgnored private let file: StoredFile<String>
  @ObservationIgnored private let check: @Sendable (URL) async throws -> Health
  @ObservationIgnored private var task: Task<Void, Never>?

  /// `suggestion` is the build's own server. `check` asks a server whether it is ready.
  public init(
    file: StoredFile<String>, suggestion: String, check: @escaping @Sendable (URL) async throws -> Health
  ) {
    self.file = file
    self.check = check
    if let address = file.load().flatMap({ ServerAddress($0) }) {
      state = .known(address.url)
      text = address.text
    } else {
      state = .asking
      text = suggestion
    }
  }

  public var url: URL? { if case .known(let url) = state { url } else { nil } }

  public var canConfirm: Bool {
    state != .checking && !text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
  }

  /// Looks at what stands in the field, and keeps it if a server of Clipfeed answers there.
  public func confirm() {
    guard canConfirm else { return }
    guard let address = ServerAddress(text) else {
      failure = "This is no address of a server. It looks like clips.example.org."
      return
    }
    let before = state
    failure = nil
    state = .checking
    task = Task {
      let answer: Result<Health, any Error>
      do { answer = .success(try await check(address.url)) } catch { answer = .failure(error) }
      guard !Task.isCancelled else { return state = before }
      take(answer, address, before)
    }
  }

  /// Nobody waits for the answer any more.
  public func cancel() { task?.cancel() }

  private func take(_ answer: Result<Health, any Error>, _ address: ServerAddress, _ before: State) {
    switch answer {
    case .success:
      guard file.save(address.url.absoluteString) else {
        state = before
        failure = "This device is full. Free some space, then try again."
        return
      }
      text = address.text
      state = .known(address.url)
      if before != state { onChanged?(address.url) }
    case .failure(let error):
      state = before
      failure = Self.sentence(for: error)
    }
  }

  private static func sentence(for error: any Error) -> Sentence {
    switch error {
    case is Problem: "A server answers there, but it is not ready. Try again in a moment."
    // A network's page of its own comes with status 200.
    case is DecodingError:
      "Something else answers there. Check the address, and whether this network wants you to sign in."
    default: Sentence(for: error)
    }
  }
}
