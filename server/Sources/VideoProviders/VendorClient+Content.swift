internal import AsyncHTTPClient
internal import Dialing
internal import Foundation
internal import Generation
internal import NIOCore
internal import NIOHTTP1
internal import Platform

/// Fetching what was made.
extension VendorClient {
  /// For all of it, however slowly it comes.
  static let contentPatience = Duration.seconds(900)
  private static let redirects = 5

  /// Writes it into a new file, of which nothing stays where that fails. The key goes to the vendor itself
  /// alone, also where a redirect leads elsewhere. Throws `ProviderFailure`, `.invalid` for more than so many
  /// bytes.
  func content(
    at first: WebAddress?, into file: URL, atMost bytes: Int64, patience: Duration = Self.contentPatience
  ) async throws {
    guard let first else { throw ProviderFailure(.providerError, "no address of a video") }
    try await failing {
      let sink = try NewFile(file, atMost: bytes)
      do {
        try await Patience.within(patience) { try await follow(first, into: sink) }
        try sink.end()
      } catch {
        sink.remove()
        throw error
      }
    }
  }

  private func follow(_ first: WebAddress, into sink: NewFile) async throws {
    // Of its own: those that are shared end a client when a name leads elsewhere, and this one may last.
    let clients = PinnedClients(triesAgain: false, silence: Self.silence)
    defer { withExtendedLifetime(clients) {} }
    var place = first
    for _ in 0...Self.redirects {
      guard let next = try await fetch(place, by: clients, into: sink) else { return }
      guard let followed = place.resolving(next) else {
        throw ProviderFailure(.providerError, "it leads to something that is no address")
      }
      place = followed
    }
    throw ProviderFailure(.providerError, "it leads on and on: more than \(Self.redirects) redirects")
  }

  /// Where it leads on to; nil: it was the video.
  private func fetch(
    _ place: WebAddress, by clients: PinnedClients, into sink: NewFile
  ) async throws -> String? {
    let addresses = try await reach.addresses(of: place)
    let client = clients.client(for: place.host, at: addresses)
    var request = HTTPClientRequest(url: place.description)
    request.headers = HTTPHeaders(
      [("accept", "video/*, application/octet-stream"), ("accept-encoding", "identity")]
        + [("user-agent", "Clipfeed")] + (reach.isHome(place) ? credentials : []))
    let response = try await client.execute(request, timeout: .seconds(3600))
    switch response.status.code {
    case 200: break
    case 301, 302, 303, 307, 308:
      guard let next = response.headers.first(name: "location") else {
        throw ProviderFailure(.providerError, "it leads on to nowhere")
      }
      return next
    // Somebody else's: it let whoever knows the address have it for a while.
    case 401 where !reach.isHome(place), 403 where !reach.isHome(place):
      throw ProviderFailure(.expired, "its address is not good any more")
    default:
      let body = try await response.body.collect(upTo: Self.largestAnswer)
      throw failure(
        Answer(
          status: Int(response.status.code), headers: response.headers, body: Data(body.readableBytesView)),
        missing: .expired)
    }
    let kind = response.headers.first(name: "content-type")?.lowercased() ?? ""
    guard !kind.starts(withBytesOf: "text/"), !kind.has("json"), !kind.has("xml"), !kind.has("html") else {
      throw ProviderFailure.of(.providerError, "not a video, but \(kind)", without: secrets)
    }
    if let length = response.headers.first(name: "content-length").flatMap({ SafeInteger.read($0) }) {
      try sink.check(Int64(length))
    }
    for try await piece in response.body { try sink.write(piece) }
    return nil
  }
}

/// A file that did not exist before, and holds no more than so many bytes.
private final class NewFile: @unchecked Sendable {
  // NB: used by one task at a time: the one that fetches, and once that has ended the one that waited for it.
  private let handle: FileHandle
  private let file: URL
  private let most: Int64
  private var size: Int64 = 0

  init(_ file: URL, atMost most: Int64) throws {
    do {
      // Exclusively: not what somebody else put there, nor where a link leads.
      try Data().write(to: file, options: .withoutOverwriting)
      handle = try FileHandle(forWritingTo: file)
    } catch {
      throw ProviderFailure(.providerError, "no new file could be made here")
    }
    (self.file, self.most) = (file, most)
  }

  /// Throws if it would be more than there may be.
  func check(_ more: Int64) throws {
    guard more <= most - size else { throw ProviderFailure(.invalid, "a video of more than \(most) bytes") }
  }

  func write(_ piece: ByteBuffer) throws {
    try check(Int64(piece.readableBytes))
    if size == 0, Self.isText(piece) { throw ProviderFailure(.providerError, "not a video, but a text") }
    do {
      try handle.write(contentsOf: Data(piece.readableBytesView))
    } catch {
      throw ProviderFailure(.providerError, "it could not be written here")
    }
    size += Int64(piece.readableBytes)
  }

  /// HTML, XML or JSON, as it begins.
  private static func isText(_ piece: ByteBuffer) -> Bool {
    let first = piece.readableBytesView.first { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
    return first == UInt8(ascii: "<") || first == UInt8(ascii: "{")
  }

  func end() throws {
    try? handle.close()
    guard size > 0 else { throw ProviderFailure(.providerError, "a video of no bytes") }
  }

  func remove() {
    try? handle.close()
    try? FileManager.default.removeItem(at: file)
  }
}
