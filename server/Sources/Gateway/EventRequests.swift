public import Contract
internal import HTTPTypes
internal import Hummingbird
internal import Platform

/// What the gateway needs of what was watched: `take` counts an event's id once per viewer, and throws `invalid_parameter`.
public protocol WatchKeeping: Sendable {
  func take(_ batch: WatchEvents, of viewer: String) async throws -> WatchEventsTaken
}

struct EventRequests: Sendable {
  let watching: any WatchKeeping
  let guests: GuestLimits

  /// A page that is being closed can only send plain text without being asked about it first (`sendBeacon`), so that is
  /// taken here, and JSON in it. That no other site sends it was seen to before (`Callers`).
  func take(
    _ caller: Caller, _ request: Request, _ context: GatewayContext
  ) async throws -> WatchEventsTaken {
    let batch = try await JSONBody.read(
      WatchEvents.self, of: request,
      as: request.mediaType == "text/plain" ? "text/plain" : "application/json")
    return try await watching.take(batch, of: caller.writer().id)
  }
}
