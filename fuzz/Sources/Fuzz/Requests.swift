internal import Contract
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import OpenAPI
internal import Platform

@testable internal import Gateway
@testable internal import HTTPServer

/// A `Range` field against a file of any size.
func readRange(_ bytes: [UInt8]) {
  let size = bytes.prefix(8).reduce(0) { $0 << 8 | Int($1) } & SafeInteger.most
  guard case .part(let range) = RequestedRange(text(bytes.dropFirst(8)), size: size) else { return }
  require(!range.isEmpty && range.lowerBound >= 0 && range.upperBound <= size)
}

/// The bodies of all routes: the strict reader, the schema, then the coder.
func readJSON(_ bytes: [UInt8]) {
  let bodies: [([UInt8]) -> Void] = [
    { _ = try? JSONBody.value(NewAccount.self, from: $0) },
    { _ = try? JSONBody.value(NewSession.self, from: $0) },
    { _ = try? JSONBody.value(NewUpload.self, from: $0) },
    { _ = try? JSONBody.value(ClipDetails.self, from: $0) },
    { _ = try? JSONBody.value(WatchEvents.self, from: $0) },
    { _ = try? JSONBody.value(NewComment.self, from: $0) },
    { _ = try? JSONBody.value(NewReaction.self, from: $0) },
  ]
  let (number, body) = choice(of: bodies.count, from: bytes)
  bodies[number](Array(body))
}

/// A request: its address, a zero, then its fields, one a line.
func readHeaders(_ bytes: [UInt8]) {
  let (address, lines) = halves(bytes)
  let path = text(address)
  var fields = HTTPFields()
  for line in text(lines).utf8.split(separator: UInt8(ascii: "\n")).prefix(100) {
    let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
    guard parts.count == 2, let name = HTTPField.Name(text(parts[0])) else { continue }
    fields.append(HTTPField(name: name, value: text(parts[1])))
  }
  let request = Request(
    head: HTTPRequest(
      method: .patch, scheme: "http", authority: "localhost", path: path, headerFields: fields),
    body: .init(buffer: .init()))
  readAddress(request)
  readUpload(request)
  readCaller(request)
}

private func readAddress(_ request: Request) {
  if let found = Route.find(request.uri.path) {
    require(found.route.matches(request.uri.path))
    for method in found.route.methods {
      try? RequestCheck.hold(request, against: Operation.of(found.route, method))
    }
  }
  _ = try? ListPlace(request)
  if let language = request.language { require(LanguageTag(language) != nil) }
  _ = try? ClipEmbed.Question(request, origin: "https://clips.example")
  let fields = FormFields(request.uri.query ?? "")
  require(FormFields(fields.text) == fields, "a form reads as it was written")
}

private func readUpload(_ request: Request) {
  guard let spoken = try? UploadProtocol(request) else { return }
  _ = try? spoken.ends(request)
  _ = try? UploadProtocol.metadata(request.headers[.uploadMetadata])
  _ = try? UploadProtocol.checksum(request)
  for name in [HTTPField.Name.uploadOffset, .uploadLength] {
    let number = request.headers[name].flatMap { SafeInteger.read($0) }
    require(number.map { (0...SafeInteger.most).contains($0) } ?? true)
    _ = spoken.headers(offset: number ?? 0, of: number, expiresAt: nil)
  }
  _ = try? request.idempotencyKey()
  _ = request.mediaType
}

private func readCaller(_ request: Request) {
  let prefixes = CookiePrefixes(sinceMs: 0, time: SystemTime())
  for isSecure in [false, true] {
    let sent = SentCookies(request, isSecure: isSecure, prefixes)
    for cookie in [Cookie.access, .refresh, .guest] {
      guard let value = sent.value(cookie) else { continue }
      for field in sent.fields(cookie, value, maxAge: 1) { require(HTTPField.isValidValue(field.value)) }
    }
  }
  _ = Validators.matches(request.headers[.ifNoneMatch], "\"a\"")
  let address = ClientAddress.of(peer: "192.0.2.1", forwarded: request.headers[.forwardedFor], proxies: 1)
  require(!ClientNetwork.all(of: address).isEmpty)
}
