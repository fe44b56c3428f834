internal import Contract
public import Platform

/// Who stands behind a token.
public struct Identities: Sendable {
  private let guests: GuestTokens
  private let time: any TimeSource

  public init(guests: GuestTokens, time: any TimeSource) {
    self.guests = guests
    self.time = time
  }

  public func account(ofAccessToken token: String) async throws -> Viewer {
    throw AppError(.accessTokenInvalid)
  }

  public func guest(ofToken token: String) async throws -> Viewer? {
    guests.read(token).map { Viewer(id: $0, standing: .guest) }
  }

  public func makeGuest() -> (viewer: Viewer, token: String) {
    let made = guests.make(at: time)
    return (Viewer(id: made.id, standing: .guest), made.token)
  }
}
