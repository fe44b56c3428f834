internal import Contract
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTPTypes
internal import OpenAPI
public import Platform

extension Responder {
  /// Requests about uploads, in the words of three protocols.
  public static func uploads(
    _ uploads: any UploadKeeping, limits: RequestLimits, sealing: any ClipSealing
  ) -> Responder {
    let responder = UploadResponder(uploads: uploads, limits: limits, sealing: sealing)
    return Responder(.uploads, .upload, .uploadCommit) { try await responder.respond(to: $0) }
  }
}

struct UploadResponder: Sendable {
  let uploads: any UploadKeeping
  let limits: RequestLimits
  let sealing: any ClipSealing

  /// The types in which bytes of a file come: tus's, and the IETF's.
  private static let pieceTypes: Set<String> = [
    "application/offset+octet-stream", "application/partial-upload",
  ]
  private static let patchType = "application/merge-patch+json"

  /// Answers with an upload as JSON, or with headers alone.
  private enum Answer {
    case upload(UploadStatus, HTTPResponse.Status, HTTPFields)
    case headers(HTTPResponse.Status, HTTPFields)
  }

  func respond(to asked: RoutedRequest) async throws -> Response {
    let answer = try await answer(
      asked.route, asked.value, by: asked.caller, asked.request, asked.context)
    return try Self.response(answer, asked.request)
  }

  @inline(never)
  private static func response(_ answer: Answer, _ request: Request) throws -> Response {
    switch answer {
    case .upload(let upload, let status, let headers):
      var response = try Response.json(upload, to: request, status: status)
      for field in headers { response.headers[field.name] = field.value }
      return response
    case .headers(let status, let headers): return Response(status: status, headers: headers)
    }
  }

  private func answer(
    _ route: Route, _ id: String, by caller: Caller, _ request: Request, _ context: GatewayContext
  ) async throws -> Answer {
    // NB: apart from the others, whose frame has 5 KB: it lasts as long as somebody sends, that is minutes.
    guard route == .upload, request.method == .patch, request.mediaType != Self.patchType else {
      return try await answerAtOnce(route, id, by: caller, request, context)
    }
    let words = try UploadProtocol(request)
    do {
      try await uploads.requireOwner(of: id, caller.viewer)
      return try await append(words, id, request, context)
    } catch let error as AppError {
      throw try await refusal(error, words, id)
    }
  }

  @inline(never)
  private func answerAtOnce(
    _ route: Route, _ id: String, by caller: Caller, _ request: Request, _ context: GatewayContext
  ) async throws -> Answer {
    if request.method == .options {
      guard id.isEmpty || Operation.canBeID(id) else { throw AppError(.uploadNotFound) }
      return .headers(.noContent, UploadProtocol.capabilities)
    }
    let words = try UploadProtocol(request)
    do {
      if request.method != .get { try await uploads.requireOwner(of: id, caller.viewer) }
      switch (route, request.method) {
      case (.uploads, _): return try await create(words, caller, request, context)
      case (.uploadCommit, _): return .upload(try await uploads.commit(id), .ok, [:])
      case (_, .get):
        var upload = try await uploads.upload(id)
        // Whoever has an address may send there.
        if upload.direct != nil, try await !uploads.isOwner(of: id, caller.viewer) {
          upload.direct?.addresses = []
        }
        return .upload(upload, .ok, [:])
      case (_, .head):
        return .headers(.noContent, Self.headers(words, try await settled(words, id)))
      case (_, .delete):
        try await uploads.terminate(id)
        return .headers(.noContent, words == .tus ? [.tusResumable: UploadProtocol.tusVersion] : [:])
      default: return try await describe(id, request)
      }
    } catch let error as AppError {
      throw try await refusal(error, words, id)
    }
  }

  /// Where it goes on. An offset at the end says to clients of tus and of the draft that all is done, so the
  /// clip comes first, where none was made yet.
  private func settled(_ words: UploadProtocol, _ id: String) async throws -> UploadStatus {
    let upload = try await uploads.settledOffset(id)
    guard upload.state == .receiving, upload.offset == upload.sizeBytes else { return upload }
    do {
      return try await uploads.commitIfComplete(id)
    } catch let error as AppError where error.code.retryable && words == .tus {
      // NB: of all refusals of this question clients of tus ask again after this one alone. After any other,
      // 503 too, they begin a new upload with the first byte.
      throw AppError(.uploadBusy, error.detail)
    } catch let error as AppError where error.code == .uploadBusy {
      // Those of the draft ask again after a 503.
      throw AppError(.unavailable, error.detail)
    }
  }

  private func describe(_ id: String, _ request: Request) async throws -> Answer {
    let details = try await JSONBody.read(ClipDetails.self, of: request, as: Self.patchType)
    let (upload, changesAccess) = try await uploads.describe(id, details)
    if changesAccess { sealing.visibilityChanged() }
    return .upload(upload, .ok, [:])
  }

  // MARK: Making

  private func create(
    _ words: UploadProtocol, _ caller: Caller, _ request: Request, _ context: GatewayContext
  ) async throws -> Answer {
    let account = limits.owner(of: caller.viewer, from: request, context)
    let length = try request.bytes(in: .uploadLength)
    let language = request.language
    switch words {
    case .own:
      let key = try request.idempotencyKey()
      let new = try await JSONBody.read(NewUpload.self, of: request)
      // NB: of a guest who is known from now on. By a key alone, or an address, whoever learned the key would
      // be given the upload.
      let upload = try await uploads.create(
        new, key: IdempotencyKey(key, of: caller.writer().id), publishesItself: false, by: account,
        language: language)
      return .upload(upload, .created, Self.place(upload))
    case .tus:
      guard let length else {
        throw AppError(.requestRefused, "Upload-Length must say the size in bytes.", field: "Upload-Length")
      }
      let metadata = try UploadProtocol.metadata(request.headers[.uploadMetadata])
      let new = NewUpload(
        sizeBytes: length, sha256: nil, type: metadata["filetype"] ?? "",
        details: ClipDetails(
          caption: metadata["caption"], visibility: try Self.visibility(metadata),
          language: metadata["language"]))
      var upload = try await uploads.create(
        new, key: nil, publishesItself: true, by: account, language: language)
      if request.mediaType == "application/offset+octet-stream" {
        upload = try await add(request, context, to: upload.id, at: 0, ends: false)
      }
      return .upload(upload, .created, Self.headers(words, upload, Self.place(upload)))
    case .draft(let version):
      guard let ends = try words.ends(request) else {
        throw AppError(
          .requestRefused, "Upload-Complete must say whether the body is the whole file.",
          field: "Upload-Complete")
      }
      let announced = try request.bytes(in: .contentLength)
      let new = NewUpload(
        sizeBytes: length ?? (ends ? announced : nil), sha256: nil, type: request.mediaType ?? "")
      let made = try await uploads.create(
        new, key: nil, publishesItself: true, by: account, language: language)
      // From here on a cut connection costs nothing: the client knows where to go on.
      // A proxy that cannot pass such a response on says so (deploy/nginx.conf).
      if UploadProtocol.namedDraft(request) != nil, request.headers[.noInterim] == nil {
        var interim = Self.place(made)
        interim[.uploadDraftInteropVersion] = String(version)
        try await context.sendInterim(104, "Upload Resumption Supported", interim)
      }
      let upload = try await add(request, context, to: made.id, at: 0, ends: ends)
      return .upload(upload, .created, Self.headers(words, upload, Self.place(upload)))
    }
  }

  // MARK: Adding

  private func append(
    _ words: UploadProtocol, _ id: String, _ request: Request, _ context: GatewayContext
  ) async throws -> Answer {
    let (offset, ends) = try Self.place(of: request, words)
    let upload = try await add(
      request, context, to: id, at: offset, ends: ends ?? (words != .own && words != .tus))
    return Self.answer(words, upload, ends)
  }

  /// Where the bytes of the request belong, and whether it says that they are the last.
  @inline(never)
  private static func place(
    of request: Request, _ words: UploadProtocol
  ) throws -> (offset: Int, ends: Bool?) {
    // NB: version 3 of the draft has no type of its own, and sends that of the file.
    guard pieceTypes.contains(request.mediaType ?? "") || words == .draft(version: 3) else {
      throw AppError(
        .contentTypeUnsupported, "Bytes come as \(pieceTypes.sorted()), details as \(patchType).",
        field: "Content-Type")
    }
    guard let offset = try request.bytes(in: .uploadOffset) else {
      throw AppError(
        .requestRefused, "Upload-Offset must say where the bytes belong.", field: "Upload-Offset")
    }
    return (offset, try words.ends(request))
  }

  @inline(never)
  private static func answer(_ words: UploadProtocol, _ upload: UploadStatus, _ ends: Bool?) -> Answer {
    let headers = headers(words, upload)
    guard case .draft = words else { return .headers(.noContent, headers) }
    return ends == false ? .headers(.created, headers) : .upload(upload, .ok, headers)
  }

  private func add(
    _ request: Request, _ context: GatewayContext, to id: String, at offset: Int, ends: Bool
  ) async throws -> UploadStatus {
    let checksum = try UploadProtocol.checksum(request)
    if request.headers[.expect]?.lowercased() == "100-continue", request.headers[.noInterim] == nil {
      try await context.sendInterim(100, "Continue", [:])
    }
    do {
      _ = try await uploads.append(
        request.body.map(\.readableBytesView), to: id, at: offset,
        announced: try request.bytes(in: .contentLength), ends: ends, checksum: checksum)
    } catch let error where !(error is AppError || error is CancellationError) {
      throw AppError(.requestRefused, "The connection ended before the body did (\(error)).")
    }
    return try await uploads.commitIfComplete(id)
  }

  // MARK: Answering

  private static func headers(_ words: UploadProtocol, _ upload: UploadStatus, _ others: HTTPFields = [:])
    -> HTTPFields
  {
    var fields = words.headers(offset: upload.offset, of: upload.sizeBytes, expiresAt: upload.expiresAt)
    for field in others { fields[field.name] = field.value }
    return fields
  }

  private static func place(_ upload: UploadStatus) -> HTTPFields {
    [.location: Route.upload.path(upload.id)]
  }

  /// The headers that a client needs to go on after this error.
  @inline(never)
  private func refusal(_ error: AppError, _ words: UploadProtocol, _ id: String) async throws -> Refusal {
    var headers: HTTPFields = [:]
    if words == .tus { headers[.tusResumable] = UploadProtocol.tusVersion }
    switch error.code {
    case .uploadOffsetMismatch, .uploadIncomplete:
      headers[.uploadOffset] = String(try await uploads.upload(id).offset)
    case .uploadBusy: headers[.retryAfter] = "1"
    case .storageFull: headers[.retryAfter] = "60"
    case .uploadQuota: headers[.retryAfter] = "600"
    case .unavailable: headers[.retryAfter] = "2"
    default: break
    }
    return Refusal(error.code, error.detail, headers, field: error.field)
  }

  /// Of tus's metadata. NB: what is not understood must not become public.
  private static func visibility(_ metadata: [String: String]) throws -> Visibility? {
    guard let text = metadata["visibility"] else { return nil }
    guard let visibility = Visibility(rawValue: text) else {
      let all = Visibility.allCases.map(\.rawValue).joined(separator: ", ")
      throw AppError(.requestRefused, "visibility must be one of \(all).", field: "Upload-Metadata")
    }
    return visibility
  }
}

extension GatewayContext {
  /// A response before the response (RFC 9110, 15.2).
  func sendInterim(_ code: Int, _ reason: String, _ headers: HTTPFields) async throws {
    try await channel.writeAndFlush(
      HTTPResponsePart.head(
        HTTPResponse(status: .init(code: code, reasonPhrase: reason), headerFields: headers)))
  }
}

extension Request {
  /// A number of bytes. Throws `request_refused` for what is none, and for more than any file has.
  fileprivate func bytes(in name: HTTPField.Name) throws -> Int? {
    guard let text = headers[name] else { return nil }
    guard let count = SafeInteger.read(text) else {
      throw AppError(
        .requestRefused, "\(name.rawName) must be a number from 0 to \(SafeInteger.most).",
        field: name.rawName)
    }
    return count
  }
}
