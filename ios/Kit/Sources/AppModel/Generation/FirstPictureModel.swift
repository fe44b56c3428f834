public import Contract
public import Foundation
public import Observation

/// The picture that a new clip begins with: sent as soon as it is chosen, and shown as the server cuts it to
/// the shape. It is known by its id alone, also after the end of the app.
///
/// It refuses to know where pictures come from, and what is made of one.
@MainActor @Observable public final class FirstPictureModel {
  /// `nil`: none is chosen.
  public private(set) var id: String?
  public private(set) var isSending = false
  public private(set) var failure: Sentence?
  /// A JPEG; `nil`: it is not here yet.
  public private(set) var shown: Data?

  /// Another one is chosen, or none any more.
  @ObservationIgnored var changed: () -> Void = {}
  @ObservationIgnored private let client: Client
  /// Of several that are sent the last one counts.
  @ObservationIgnored private var sends = 0

  init(client: Client) { self.client = client }

  /// As it was left, by whoever is here; `nil`: without one.
  func restore(_ id: String?) {
    sends += 1
    self.id = id
    (isSending, failure, shown) = (false, nil, nil)
  }

  /// A JPEG of what was chosen; `nil`: it is no picture. What was chosen before stays where this fails.
  public func put(_ jpeg: Data?) async {
    guard let jpeg else {
      failure = "This is no picture that this device can read."
      return
    }
    sends += 1
    let sent = sends
    (isSending, failure) = (true, nil)
    do {
      let picture = try await client.putGenerationPicture(jpeg, type: "image/jpeg")
      guard sent == sends else { return }
      isSending = false
      guard picture.id != id else { return }
      giveBack()
      (id, shown) = (picture.id, nil)
      changed()
    } catch {
      guard sent == sends else { return }
      isSending = false
      if !Sentence.isSilent(error) { failure = Sentence(for: error) }
    }
  }

  /// It begins with none.
  public func leaveOut() {
    giveBack()
    restore(nil)
    changed()
  }

  /// What a clip of this shape begins with. One that is gone is chosen no more.
  public func look(as aspect: GenerationAspect) async {
    guard let looked = id else { return }
    do {
      let jpeg = try await client.generationPicture(looked, aspect: aspect)
      if id == looked { shown = jpeg }
    } catch {
      guard id == looked, RequestFailure(error).isOne(of: .pictureNotFound) else { return }
      lose(error)
    }
  }

  /// The server says that it is not there any more.
  func lose(_ error: any Error) {
    restore(nil)
    failure = Sentence(for: error)
    changed()
  }

  /// One that something begins with stays with that; else it would go in a day.
  private func giveBack() {
    guard let id else { return }
    Task { [client] in try? await client.removeGenerationPicture(id) }
  }
}
