public import Contract
public import Foundation
internal import Observation

/// How clips do, each on a screen of its own: it opens them, and keeps one for as long as somebody can come
/// back to it.
@MainActor public final class Insights {
  private let client: Client
  private let router: Router
  private let announcements: Announcements
  private let locale: Locale
  private var models: [String: InsightsModel] = [:]

  public init(
    client: Client, router: Router, announcements: Announcements, locale: Locale = .autoupdatingCurrent
  ) {
    self.client = client
    self.router = router
    self.announcements = announcements
    self.locale = locale
  }

  /// Anew, unless its screen is there already.
  public func open(_ clip: String, caption: String) {
    let destination = Router.Destination.insights(clip: clip)
    if !router.path.contains(destination) { models[clip] = make(clip, caption) }
    router.open(destination)
  }

  /// Of a screen; `nil`: it is none of these.
  public func model(of destination: Router.Destination) -> InsightsModel? {
    guard case .insights(let clip) = destination else { return nil }
    let model = models[clip] ?? make(clip, "")
    models = models.filter { router.path.contains(.insights(clip: $0.key)) }
    models[clip] = model
    return model
  }

  private func make(_ clip: String, _ caption: String) -> InsightsModel {
    InsightsModel(clip, caption: caption, client: client, announcements: announcements, locale: locale)
  }

  /// Somebody signed in or out.
  public func viewerChanged() {
    for model in models.values { Task { await model.viewerChanged() } }
  }
}
