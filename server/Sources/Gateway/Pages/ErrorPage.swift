internal import Contract
internal import HTTPTypes
internal import Hummingbird
internal import Platform

/// What a person sees in a browser at an address that leads nowhere, or while the server has trouble.
/// Programs get the same as problem details: by what a request says that it takes, and for the API always.
struct ErrorPage {
  let problem: Problem

  /// Browsers name HTML in what they ask for when a person goes somewhere, and in nothing that a page
  /// fetches.
  static func isWanted(by request: Request, _ route: Route?) -> Bool {
    guard [.get, .head].contains(request.method), request.headers[.accept]?.contains("text/html") == true
    else { return false }
    switch route {
    case .health, .ready, .openAPI, .oembed: return false
    default: return !request.uri.path.starts(withBytesOf: "/api/") && route?.isOfDialect != true
    }
  }

  private var isOurs: Bool { problem.status >= 500 }

  private var title: String { isOurs ? "Something went wrong here" : "There is nothing here" }

  private var text: String {
    if isOurs { return "It is not your connection. Try again in a moment." }
    guard problem.status == 404 else { return problem.detail }
    return "This address leads nowhere, or what it showed is gone."
  }

  var html: String {
    """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <meta name="color-scheme" content="dark">
    <title>\(ClipPage.escaped(title)) · Clipfeed</title>
    <link rel="icon" href="/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/styles/error/error.css">
    <main>
    <p class="brand">clipfeed</p>
    <h1>\(ClipPage.escaped(title))</h1>
    <p>\(ClipPage.escaped(text))</p>
    <p><a href="/">Watch clips</a></p>
    <p class="id">\(problem.status) · \(ClipPage.escaped(problem.requestId))</p>
    </main>

    """
  }
}
