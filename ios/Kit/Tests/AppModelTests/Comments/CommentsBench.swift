import Contract
import Foundation
import Persistence
import PlaybackTesting
import Synchronization

@testable import AppModel

/// One connection that a test writes into.
final class PipedStream: EventStream {
  private let open = Mutex<AsyncThrowingStream<Data, any Error>.Continuation?>(nil)

  func bytes(after lastEventID: String?) -> AsyncThrowingStream<Data, any Error> {
    AsyncThrowingStream { continuation in open.withLock { $0 = continuation } }
  }

  func send(_ event: LiveEvent) async throws {
    let body = try WireCoding.encode(event)
    let bytes = Data("id: \(event.id)\nevent: \(event.kind)\ndata: ".utf8) + body + Data("\n\n".utf8)
    while true {
      if let open = open.withLock({ $0 }) {
        open.yield(bytes)
        return
      }
      await Task.yield()
    }
  }
}

/// The comments of a clip on somebody's phone.
@MainActor final class CommentsBench {
  let server: CommentServer
  let transport: AnsweringTransport
  let viewer: SomeViewer
  let announcements = Announcements()
  let clock = ManualPause()
  let stream = PipedStream()
  private let folder = TemporaryFolder()
  private let keys = countingKeys()
  private(set) var talk: TalkModels!

  init(_ server: CommentServer, viewer: String? = "me") {
    self.server = server
    self.viewer = SomeViewer(viewer)
    transport = AnsweringTransport { try await server.answer($0) }
    restart()
  }

  /// The app is started anew.
  func restart() {
    let client = Client(transport: transport)
    talk = TalkModels(
      client: client, base: URL(string: "https://clips.test/")!, stream: stream,
      activity: ActivityHost(client: client, clock: ManualClock(), file: nil),
      library: Library(root: folder.url), viewer: viewer, announcements: announcements, clock: clock,
      makeKey: keys)
  }

  func model(by author: String = "author", _ change: (inout Clip) -> Void = { _ in }) -> CommentsModel {
    var clip = Clip.sample("clip", by: author)
    change(&clip)
    return talk.comments(of: clip)
  }

  /// With its first page.
  func begun(by author: String = "author") async -> CommentsModel {
    let model = model(by: author)
    await model.list.begin()
    return model
  }

  var notices: [Sentence] { announcements.waiting.map(\.text) }

  func count(_ line: String) -> Int { transport.lines.count { $0.hasPrefix(line) } }
}

extension CommentsModel {
  var ids: [String] { comments.map(\.id) }

  func ids(under id: String) -> [String] {
    comments.first { $0.id == id }.map { replies(to: $0).map(\.id) } ?? []
  }

  subscript(_ id: String) -> ClipComment {
    let all = comments + comments.flatMap { replies(to: $0) }
    return all.first { $0.id == id } ?? .sample(-1)
  }
}
