internal import Contract
internal import Hummingbird
internal import Platform

extension Responder {
  /// The description of the API (OpenAPI).
  public static var description: Responder {
    let document = ServedDocument()
    return Responder(.openAPI) { try document.answer($0.request) }
  }

  /// What Apple's systems ask a site for. `apps`: Apple's ids of apps that belong to the site; without any
  /// there is no such address.
  public static func appSiteAssociation(apps: [String]) -> Responder {
    let association = AppSiteAssociation(apps: apps)
    return Responder(.appSiteAssociation) { _ in
      guard let association else { throw AppError(.routeNotFound) }
      return try association.answer()
    }
  }

  /// Where a provider sends people back after they signed in there.
  public static func signInReturn(to site: Site) -> Responder {
    Responder(.signInReturn) { asked in
      try await SignInReturn.answer(
        to: asked.value, asked.request, isSecure: site.origin.isSecure(asked.request))
    }
  }
}
