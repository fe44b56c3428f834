import Contract
import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import Platform

/// In the place of Apple's service: it speaks HTTP/2 over TLS and looks at whoever sends as that does, by what
/// its documentation says and with code of its own. What is right is taken unless `script` says otherwise.
final class AppleServer: Sendable {
  /// What came and was taken to be looked at.
  struct Push: Sendable {
    var token: String
    var headers: [String: String]
    var payload: Data
    /// Of the connection: which it was, from 0.
    var connection: Int

    var id: String { headers["apns-collapse-id"] ?? "" }
    var alert: [String: Any] { aps["alert"] as? [String: Any] ?? [:] }
    var aps: [String: Any] { object["aps"] as? [String: Any] ?? [:] }
    var object: [String: Any] { (try? JSONSerialization.jsonObject(with: payload)) as? [String: Any] ?? [:] }
  }

  enum Answer: Sendable {
    case taken
    case status(Int, reason: String, headers: [String: String] = [:], timestamp: Int64? = nil)
    /// Nothing ever comes.
    case silence
    /// The connection takes no more streams, this one neither, and ends.
    case goingAway
    /// It is taken, and the connection ends behind it.
    case takenAndGoingAway
  }

  typealias Script = @Sendable (_ push: Push, _ number: Int) -> Answer

  private struct State {
    var pushes: [Push] = []
    var refusals: [String] = []
    var connections = 0
    var requests = 0
    /// When the tokens were made that came, by connection.
    var made: [Int: [Int64]] = [:]
  }

  static let team = "A1B2C3D4E5"
  static let keyID = "K1L2M3N4P5"
  static let topic = "org.example.clipfeed"

  private let key: P256.Signing.PublicKey
  /// As Apple gives it out.
  let keyText: String
  let folder: URL
  /// Of who vouches for it: PEM.
  let certificates: String
  private let time: any TimeSource
  private let script: Script
  private let channel: any Channel
  private let state: Shared<State>

  /// As an operator has it.
  var keyFile: URL { folder.appendingPathComponent("key.p8") }
  var certificatesFile: URL { folder.appendingPathComponent("cert.pem") }
  var address: String { "https://localhost:\(channel.localAddress?.port ?? 0)" }
  /// Those that were as Apple wants them, answered well or not.
  var pushes: [Push] { state.with { $0.pushes } }
  /// Why others were refused.
  var refusals: [String] { state.with { $0.refusals } }
  var connections: Int { state.with { $0.connections } }
  /// How many tokens came.
  var tokens: Int { state.with { Set($0.made.values.joined()).count } }

  init(time: any TimeSource = SystemTime(), script: @escaping Script = { _, _ in .taken }) async throws {
    self.time = time
    self.script = script
    let signing = P256.Signing.PrivateKey()
    (key, keyText) = (signing.publicKey, signing.pemRepresentation)
    let state = Shared(State())
    self.state = state
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("apple-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (certificate, privateKey) = (
      folder.appendingPathComponent("cert.pem"), folder.appendingPathComponent("tls.pem")
    )
    let (status, _) = try Shell.run(
      "/usr/bin/openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", privateKey.path,
        "-out",
        certificate.path,
      ])
    guard status == 0 else { throw AppError(.internalError, "openssl made no certificate") }
    certificates = try String(contentsOf: certificate, encoding: .utf8)
    try Data(keyText.utf8).write(to: folder.appendingPathComponent("key.p8"))
    var tls = TLSConfiguration.makeServerConfiguration(
      certificateChain: try NIOSSLCertificate.fromPEMFile(certificate.path).map { .certificate($0) },
      privateKey: .privateKey(try NIOSSLPrivateKey(file: privateKey.path, format: .pem)))
    tls.applicationProtocols = ["h2"]
    let context = try NIOSSLContext(configuration: tls)
    let looking = Shared<AppleServer?>(nil)
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        let number = state.with { state in
          state.connections += 1
          return state.connections - 1
        }
        return channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
        }.flatMap {
          channel.configureHTTP2Pipeline(
            mode: .server,
            inboundStreamInitializer: { stream in
              stream.eventLoop.makeCompletedFuture {
                let handler = PushStream(connection: number) { looking.with { $0 } }
                try stream.pipeline.syncOperations.addHandlers(HTTP2FramePayloadToHTTP1ServerCodec(), handler)
              }
            }
          ).map { _ in }
        }
      }.bind(host: "127.0.0.1", port: 0).get()
    looking.with { $0 = self }
  }

  func end() async throws {
    try await channel.close()
    try? FileManager.default.removeItem(at: folder)
  }

  // MARK: What Apple looks at

  fileprivate func answer(_ head: HTTPRequestHead, _ body: Data, _ connection: Int) -> Answer {
    let push = Push(
      token: String(head.uri.dropFirst("/3/device/".count)),
      headers: Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first },
      payload: body, connection: connection)
    let number = state.with { state in
      state.requests += 1
      return state.requests - 1
    }
    if let fault = fault(of: head, push) {
      state.with { $0.refusals.append(fault) }
      let status = fault.hasSuffix("ProviderToken") ? 403 : fault == "TooManyProviderTokenUpdates" ? 429 : 400
      return .status(status, reason: fault)
    }
    state.with { $0.pushes.append(push) }
    return script(push, number)
  }

  private func fault(of head: HTTPRequestHead, _ push: Push) -> String? {
    guard head.method == .POST, head.uri.hasPrefix("/3/device/") else { return "BadPath" }
    if let fault = tokenFault(push.headers["authorization"] ?? "", push.connection) { return fault }
    guard push.headers["apns-topic"] == Self.topic else { return "BadTopic" }
    guard push.headers["apns-push-type"] == "alert" else { return "InvalidPushType" }
    guard ["5", "10"].contains(push.headers["apns-priority"]) else { return "BadPriority" }
    guard let expires = push.headers["apns-expiration"].flatMap({ Int64($0, radix: 10) }),
      expires == 0 || expires > time.nowMs / 1000
    else { return "BadExpirationDate" }
    guard (1...64).contains(push.id.utf8.count) else { return "BadCollapseId" }
    guard push.token.wholeMatch(of: /[0-9a-f]{64}/) != nil else { return "BadDeviceToken" }
    guard !push.payload.isEmpty else { return "PayloadEmpty" }
    guard push.payload.count <= 4096 else { return "PayloadTooLarge" }
    return push.aps["alert"] == nil ? "BadMessage" : nil
  }

  private func tokenFault(_ text: String, _ connection: Int) -> String? {
    guard text.hasPrefix("bearer ") else { return "MissingProviderToken" }
    let parts = text.dropFirst("bearer ".count).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
      let signature = Self.bytes(parts[2]).flatMap({
        try? P256.Signing.ECDSASignature(rawRepresentation: $0)
      }),
      key.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)),
      header["alg"] as? String == "ES256", header["kid"] as? String == Self.keyID,
      claims["iss"] as? String == Self.team, let iat = (claims["iat"] as? NSNumber)?.int64Value
    else { return "InvalidProviderToken" }
    let now = time.nowMs / 1000
    guard (now - 3600...now + 1).contains(iat) else { return "ExpiredProviderToken" }
    return state.with { state in
      // Of one sender: each process of several has a token and a connection of its own.
      let last = state.made[connection]?.last
      if let last, last != iat, iat - last < 1200 { return "TooManyProviderTokenUpdates" }
      if last != iat { state.made[connection, default: []].append(iat) }
      return nil
    }
  }

  private static func object(_ part: Substring) -> [String: Any]? {
    bytes(part).flatMap { (try? JSONSerialization.jsonObject(with: $0)) as? [String: Any] }
  }

  private static func bytes(_ part: Substring) -> Data? {
    let plain = part.replacing("-", with: "+").replacing("_", with: "/")
    return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
  }
}

/// One request.
private final class PushStream: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let connection: Int
  private let server: @Sendable () -> AppleServer?
  private var head: HTTPRequestHead?
  private var body = Data()

  init(connection: Int, server: @escaping @Sendable () -> AppleServer?) {
    self.connection = connection
    self.server = server
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body(let bytes): body.append(contentsOf: bytes.readableBytesView)
    case .end:
      guard let head, let answer = server()?.answer(head, body, connection) else { return }
      carryOut(answer, context)
    }
  }

  private func carryOut(_ answer: AppleServer.Answer, _ context: ChannelHandlerContext) {
    switch answer {
    case .taken: write(200, nil, [:], nil, context)
    case .status(let status, let reason, let headers, let timestamp):
      write(status, reason, headers, timestamp, context)
    case .silence: return
    case .goingAway: goAway(lastStream: .rootStream, context)
    case .takenAndGoingAway:
      // Before the answer, so that the next request is certain to know it.
      goAway(lastStream: .maxID, context)
      write(200, nil, [:], nil, context)
    }
  }

  private func write(
    _ status: Int, _ reason: String?, _ headers: [String: String], _ timestamp: Int64?,
    _ context: ChannelHandlerContext
  ) {
    var fields = HTTPHeaders([("apns-id", UUID().uuidString)])
    for (name, value) in headers { fields.add(name: name, value: value) }
    context.write(
      wrapOutboundOut(
        .head(HTTPResponseHead(version: .http2, status: .init(statusCode: status), headers: fields))),
      promise: nil)
    if let reason {
      let time = timestamp.map { ",\"timestamp\":\($0)" } ?? ""
      context.write(
        wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "{\"reason\":\"\(reason)\"\(time)}")))),
        promise: nil)
    }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  private func goAway(lastStream: HTTP2StreamID, _ context: ChannelHandlerContext) {
    guard let parent = context.channel.parent else { return }
    let frame = HTTP2Frame(
      streamID: .rootStream,
      payload: .goAway(lastStreamID: lastStream, errorCode: .noError, opaqueData: nil))
    parent.writeAndFlush(frame).whenComplete { _ in
      // What was answered goes out before the end.
      if lastStream == .rootStream { parent.close(promise: nil) }
    }
  }
}
