internal import Contract
internal import Features
internal import Platform

extension WatchStore {
  func endpoints(_ owning: any ClipOwning) -> [Endpoint] {
    // A page that is being closed can only send plain text without being asked about it first (`sendBeacon`),
    // so the operation takes that too, and JSON in it. That no other site sends it was seen to before.
    [
      Endpoint("sendEvents") { call in
        try await take(
          call.body(WatchEvents.self), of: call.writer().id, isLearned: !call.wantsNoTraces)
      },
      Endpoint(reading: "clipInsights") { try await insights(of: $0.id, for: $0.viewer?.id, owning) },
    ]
  }
}
