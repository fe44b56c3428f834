internal import HTTPServer
internal import HTTPTypes
internal import Hummingbird

/// The pages that the gateway makes, each with what it may load.
extension StaticSite {
  /// The page of a clip: the client's own with another head.
  func answer(_ page: ClipPage, _ request: Request) throws -> Response {
    try answer(made: page.filled(try clientPage()), page.status, .client, request)
  }

  /// The page of a clip in those of other sites, which alone may be put into a frame.
  func answer(
    embedded page: String, _ status: HTTPResponse.Status, _ request: Request
  ) throws -> Response {
    try answer(made: page, status, .embedded, request)
  }

  /// A page of ours that is no player and runs no code.
  func answer(listed page: String, _ status: HTTPResponse.Status, _ request: Request) throws -> Response {
    try answer(made: page, status, .client, request)
  }

  func answer(_ page: ErrorPage, _ status: HTTPResponse.Status, _ request: Request) throws -> Response {
    try answer(made: page.html, status, .withoutCode, request, vary: "Accept, Accept-Encoding")
  }
}
