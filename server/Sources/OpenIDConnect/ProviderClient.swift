internal import AsyncHTTPClient
internal import Dialing
internal import Foundation
internal import NIOCore
internal import NIOHTTP1

/// Asks a provider, with an end to everything: time, size, and nowhere else than where it was told to.
struct ProviderClient: Sendable {
  /// Of all documents and answers: the largest that are known have some tens of kilobytes.
  static let largestAnswer = 256 << 10

  let reach: ProviderReach
  /// For a whole answer, however slowly it comes. A person waits for it.
  var patience = Duration.seconds(10)

  struct Answer: Sendable {
    let status: UInt
    let body: Data
  }

  struct Failed: Error, CustomStringConvertible { let description: String }

  func get(_ address: String, headers: [(String, String)] = []) async throws -> Answer {
    var request = HTTPClientRequest(url: address)
    request.headers = HTTPHeaders([("accept", "application/json")] + headers)
    return try await answer(request)
  }

  func post(_ fields: [(String, String)], to address: String, headers: [(String, String)] = []) async throws
    -> Answer
  {
    var request = HTTPClientRequest(url: address)
    request.method = .POST
    request.headers = HTTPHeaders(
      [("accept", "application/json"), ("content-type", "application/x-www-form-urlencoded")] + headers)
    request.body = .bytes(ByteBuffer(string: FormText.of(fields)))
    return try await answer(request)
  }

  private func exchange(_ request: HTTPClientRequest) async throws -> Answer {
    guard let host = URLComponents(string: request.url)?.host else {
      throw Failed(description: "it has no address")
    }
    let addresses = try await reach.addresses(of: host)
    let client = PinnedClients.shared.client(for: host, at: addresses)
    do {
      let response = try await client.execute(request, timeout: .seconds(30))
      let body = try await response.body.collect(upTo: Self.largestAnswer)
      return Answer(status: response.status.code, body: Data(body.readableBytesView))
    } catch {
      PinnedClients.shared.failed(client, for: host, at: addresses)
      throw error
    }
  }

  private func answer(_ request: HTTPClientRequest) async throws -> Answer {
    var request = request
    request.headers.add(name: "user-agent", value: "Clipfeed")
    do {
      return try await Patience.within(patience) { [request] in try await exchange(request) }
    } catch is Patience.Over {
      throw Failed(description: "no answer in time")
    }
  }
}

/// application/x-www-form-urlencoded, as addresses have it too.
enum FormText {
  static func of(_ fields: [(String, String)]) -> String {
    fields.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&")
  }

  static func encoded(_ text: String) -> String {
    var kept = CharacterSet()
    kept.insert(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return text.addingPercentEncoding(withAllowedCharacters: kept) ?? ""
  }
}
