internal import Contract
public import Foundation

/// One's own picture, which is sent as soon as it is chosen.
extension ProfileEditModel {
  public enum PictureState: Equatable, Sendable {
    case still
    case saving
    case failed(Sentence)
  }

  /// A JPEG of what was chosen; `nil`: it is no picture.
  public func putPicture(_ jpeg: Data?) async {
    guard let jpeg else {
      picture = .failed("This is no picture that this device can read.")
      return
    }
    await change { client in try await client.putPicture(jpeg, type: "image/jpeg").picture }
  }

  public func removePicture() async {
    await change { client in
      try await client.removePicture()
      return nil
    }
  }

  private func change(_ work: (Client) async throws -> AuthorPicture?) async {
    guard let before = profile, picture != .saving else { return }
    picture = .saving
    do {
      let made = try await work(client)
      picture = .still
      // Somebody else is here by now.
      guard profile?.author.id == before.author.id else { return }
      profile?.author.picture = made
      if let profile { pictured(profile) }
    } catch {
      picture = Sentence.isSilent(error) ? .still : .failed(Sentence(for: error))
    }
  }
}
