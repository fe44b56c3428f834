internal import Contract
internal import Foundation
internal import Platform

extension WebhookStore {
  /// For how long an id is known. Longer than whoever goes by the scheme tries.
  static let heardMs: Int64 = 4 * 86_400_000

  /// A provider says that something became of a video. What it says is a hint: the video is asked after
  /// sooner. One of which nobody here knows is nothing to complain about, or it would come again for days.
  /// Throws `webhook_not_found` for a provider without a secret, and `webhook_signature_refused`.
  func hear(of provider: String, _ claim: WebhookKey.Claim, body: [UInt8]) async throws {
    guard let key = setup.key(of: provider) else { throw AppError(.webhookNotFound) }
    let now = time.nowMs
    do {
      try key.verify(claim, body: body, nowMs: now)
    } catch is WebhookKey.Refused {
      throw AppError(.webhookSignatureRefused)
    }
    let video = Self.video(in: body)
    try await database.write { transaction in
      let isNew = try transaction.execute(
        """
        INSERT INTO heard_webhooks (provider, id, heard_at_ms) VALUES (?, ?, ?)
        ON CONFLICT (provider, id) DO NOTHING
        """, [.text(provider), .text(claim.id), .integer(now)])
      guard isNew == 1, let video else { return }
      try polls.hurry(video, at: provider, in: transaction)
    }
  }

  /// As the dialect of OpenAI's videos has it: `{"type": …, "data": {"id": …}}`. Nil: none is named.
  static func video(in body: [UInt8]) -> String? {
    struct Event: Decodable {
      struct Subject: Decodable { var id: String }
      var data: Subject
    }
    guard let id = try? JSONDecoder().decode(Event.self, from: Data(body)).data.id,
      (1...Limits.generationIDBytes).contains(id.utf8.count),
      id.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    return id
  }
}
