internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// What Apple's systems ask a site for: the apps that open its addresses and may fill in its passwords
/// ("Supporting associated domains").
///
/// NB: it is taken only as it is, of the type application/json: a redirect, or any other type, is none.
struct AppSiteAssociation: Sendable {
  private struct Document: Encodable {
    struct Links: Encodable {
      struct Detail: Encodable {
        let appIDs: [String]
        let components: [[String: String]]
      }

      let details: [Detail]
    }

    struct Credentials: Encodable { let apps: [String] }

    let applinks: Links
    let webcredentials: Credentials
  }

  /// What an app opens: clips, tags, and the links of messages, whose secret stands behind the `#`.
  static let components = [
    ["/": "/c/*"], ["/": "/t/*"], ["/": "/", "#": "reset=?*"], ["/": "/", "#": "confirm=?*"],
  ]

  private let apps: [String]

  /// Nil: there is none.
  init?(apps: [String]) {
    guard !apps.isEmpty else { return nil }
    self.apps = apps
  }

  func answer() throws -> Response {
    let document = Document(
      applinks: .init(details: [.init(appIDs: apps, components: Self.components)]),
      webcredentials: .init(apps: apps))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Response(
      status: .ok, headers: [.contentType: "application/json", .cacheControl: "public, max-age=3600"],
      body: .init(byteBuffer: ByteBuffer(bytes: try encoder.encode(document))))
  }
}
