import Contract
import Foundation
import Persistence
import PlaybackTesting

@testable import AppModel

/// Reporting over requests that are answered by hand.
@MainActor final class ReportBench {
  let transport = ParkedTransport()
  let router = Router()
  let announcements = Announcements()
  let viewer: SomeViewer
  let pause = ManualPause()
  let drafts: StatementDrafts
  let reporting: Reporting
  let blocking: Blocking
  private let folder = TemporaryFolder()

  /// As it lies on the disk.
  var file: StoredFile<[StatementDraft]> { StoredFile(folder.url.appending(path: "statements")) }

  var news: [String] { announcements.waiting.map(\.text.key) }

  init(viewer: String? = "me") {
    let client = Client(transport: transport)
    let somebody = SomeViewer(viewer)
    self.viewer = somebody
    drafts = StatementDrafts(
      StoredFile(folder.url.appending(path: "statements")), viewer: somebody, clock: pause)
    blocking = Blocking(client: client, viewer: somebody, announcements: announcements)
    reporting = Reporting(client: client, router: router, blocking: blocking, drafts: drafts)
  }

  /// The drafts as the next run of the app finds them, once they are written.
  func restarted() async -> StatementDrafts {
    await drafts.settled()
    return StatementDrafts(file, viewer: viewer, clock: pause)
  }

  func opened(_ subject: ReportSubject = .clip(.sample("c"))) throws -> ReportModel {
    reporting.open(subject)
    guard let model = router.top.flatMap({ reporting.model(of: $0) }) else { throw Unreachable() }
    return model
  }

  /// Sends, and answers that it is taken.
  func send(_ model: ReportModel) async throws -> NewReport {
    async let sent: Void = model.send()
    let asked = await transport.next()
    asked.answer(201, sampleReport())
    await sent
    return try WireCoding.decode(NewReport.self, from: asked.request.body ?? Data())
  }
}

func sampleReport(_ id: String = "r", _ state: Report.State = .open) -> Report {
  Report(id: id, kind: .clip, subjectID: "c", reason: .spam, state: state, createdAt: epoch)
}

func sampleDecision(_ id: String = "d", appealUntil: Date? = nil, appeal: Appeal? = nil) -> Decision {
  Decision(
    id: id, kind: .clip, subjectID: "c", clipID: "c", text: "Dawn", action: .remove, reason: .spam,
    statement: "It sells something.", state: .standing, createdAt: epoch, appealUntil: appealUntil,
    appeal: appeal)
}
