internal import Contract
internal import Features
internal import Foundation
internal import HTTPServer
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import OpenAPI
internal import Platform

/// The address to which a provider sends people back.
enum SignInReturn {
  /// Bytes of a browser's cookie, with what else stands in its line.
  private static let cookieBytes = 3900
  /// Bytes of a form, of which some fields are of no use to us.
  private static let formBytes = 32_768
  private static let page = "/#account/arriving"

  /// A provider has sent somebody back. Nothing is believed here, and nothing done: what came is put away,
  /// and the page is shown, whose own request brings it together with the flow.
  ///
  /// NB: Apple sends a form from its own site, and with that a browser sends no cookie of ours. It does with
  /// the page.
  static func answer(to provider: String, _ request: Request, isSecure: Bool) async throws -> Response {
    let fields: FormFields
    if request.method == .post {
      guard request.mediaType == "application/x-www-form-urlencoded" else {
        throw AppError(
          .contentTypeUnsupported, "This address takes a body of type application/x-www-form-urlencoded.",
          field: "Content-Type")
      }
      var bytes: [UInt8] = []
      for try await piece in request.body {
        guard bytes.count + piece.readableBytes <= Self.formBytes else { throw AppError(.bodyTooLarge) }
        bytes += piece.readableBytesView
      }
      fields = FormFields(String(decoding: bytes, as: UTF8.self))
    } else {
      fields = FormFields(request.uri.query ?? "")
    }
    var kept = FormFields()
    kept["provider"] = String(provider.prefix(32))
    for (name, limit) in [
      ("state", Limits.signInTextBytes), ("code", Limits.signInCodeBytes), ("iss", Limits.signInTextBytes),
      ("error", 64),
    ] {
      guard let value = fields[name] else { continue }
      guard value.utf8.count <= limit else {
        kept["error"] = "too_long"
        continue
      }
      kept[name] = value
    }
    kept["name"] = fields["user"].flatMap(Self.name)
    if kept.text.utf8.count > Self.cookieBytes { kept["name"] = nil }
    if kept.text.utf8.count > Self.cookieBytes {
      kept = FormFields()
      kept["error"] = "too_long"
    }
    return Response(
      status: .seeOther,
      headers: [
        .location: Self.page, .cacheControl: "no-store", .referrerPolicy: "no-referrer",
        .setCookie: Credential.signInAnswer.field(
          kept.text, maxAge: Int(Limits.signInMs / 1000), isSecure: isSecure
        ).value,
      ])
  }

  /// Of what Apple says the first time, and never again.
  private static func name(in json: String) -> String? {
    struct User: Decodable {
      struct Name: Decodable {
        var firstName: String?
        var lastName: String?
      }
      var name: Name?
    }
    guard json.utf8.count <= 2048, (try? JSONReader.read(Array(json.utf8))) != nil,
      let user = try? JSONDecoder().decode(User.self, from: Data(json.utf8)), let name = user.name
    else { return nil }
    let text = [name.firstName, name.lastName].compactMap { $0 }.joined(separator: " ")
    return text.isEmpty ? nil : String(text.prefix(Limits.nameLength.upperBound))
  }
}
