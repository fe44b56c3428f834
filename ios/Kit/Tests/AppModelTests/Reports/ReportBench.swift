import Contract
import Foundation

@testable import AppModel

/// Reporting over requests that are answered by hand.
@MainActor final class ReportBench {
  let transport = ParkedTransport()
  let router = Router()
  let announcements = Announcements()
  let reporting: Reporting
  let blocking: Blocking

  var news: [String] { announcements.waiting.map(\.text.key) }

  init(viewer: String? = "me") {
    let client = Client(transport: transport)
    blocking = Blocking(client: client, viewer: SomeViewer(viewer), announcements: announcements)
    reporting = Reporting(client: client, router: router, blocking: blocking)
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
