import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

@testable import PlatformTesting

/// In the place of a model server: it looks at whoever asks as the published protocols do, with code of its
/// own, and answers what is right as `script` says.
final class FakeModelServer: Sendable {
  enum Answer: Sendable {
    /// JSON, or what stands in its place.
    case body(String, status: Int = 200, headers: [String: String] = [:])
    /// A good head, and then a byte now and then, without an end.
    case trickle
    /// Nothing ever comes.
    case silence
    /// The connection ends in place of an answer.
    case hangUp
    /// It ends in the middle of one.
    case cutOff(String)
  }

  /// What was asked: of whom how many rows of how many numbers, and what else came with them.
  struct Question: Sendable, Equatable {
    var path: String
    var rows: [[Double]] = []
    var clips: [String]?
    var viewers: [String]?
    var authorization: String?
    var connection: Int
  }

  typealias Script = @Sendable (_ question: Question, _ number: Int) -> Answer

  private struct State {
    var questions: [Question] = []
    var refusals: [String] = []
    var connections = 0
  }

  private let channel: any Channel
  private let state = Shared(State())

  var address: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }
  var questions: [Question] { state.with { $0.questions } }
  /// Why others were refused.
  var refusals: [String] { state.with { $0.refusals } }
  var connections: Int { state.with { $0.connections } }

  init(_ script: @escaping Script) async throws {
    let state = state
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        let number = state.with { state in
          state.connections += 1
          return state.connections - 1
        }
        return channel.pipeline.configureHTTPServerPipeline().flatMapThrowing {
          try channel.pipeline.syncOperations.addHandler(
            Listener { head, body in Self.answer(head, body, connection: number, state, script) })
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }

  deinit { channel.close(promise: nil) }

  private static func answer(
    _ head: HTTPRequestHead, _ body: Data, connection: Int, _ state: Shared<State>, _ script: Script
  ) -> Answer {
    do {
      var question = try ProtocolReader.read(head, body)
      question.connection = connection
      let number = state.with { state in
        state.questions.append(question)
        return state.questions.count - 1
      }
      return script(question, number)
    } catch {
      state.with { $0.refusals.append("\(error)") }
      return .body(#"{"error":"what was asked is wrong"}"#, status: 400)
    }
  }
}

/// A connection.
private final class Listener: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let answer: (HTTPRequestHead, Data) -> FakeModelServer.Answer
  private var head: HTTPRequestHead?
  private var body = Data()

  init(_ answer: @escaping (HTTPRequestHead, Data) -> FakeModelServer.Answer) { self.answer = answer }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): (self.head, body) = (head, Data())
    case .body(let part): body.append(contentsOf: part.readableBytesView)
    case .end:
      guard let head else { return }
      write(answer(head, body), to: context)
    }
  }

  private func write(_ answer: FakeModelServer.Answer, to context: ChannelHandlerContext) {
    switch answer {
    case .silence: break
    case .hangUp: context.close(promise: nil)
    case .body(let text, let status, let headers):
      begin(status, length: text.utf8.count, headers, context)
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    case .cutOff(let text):
      begin(200, length: text.utf8.count + 100, [:], context)
      context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
      context.close(promise: nil)
    case .trickle:
      begin(200, length: 1_000_000, [:], context)
      let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
      context.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(5)) { task in
        guard bound.value.channel.isActive else { return task.cancel() }
        let byte = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: " ")))
        bound.value.writeAndFlush(NIOAny(byte), promise: nil)
      }
    }
  }

  private func begin(
    _ status: Int, length: Int, _ headers: [String: String], _ context: ChannelHandlerContext
  ) {
    var head = HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: status))
    head.headers = ["content-type": "application/json", "content-length": "\(length)"]
    for (name, value) in headers { head.headers.replaceOrAdd(name: name, value: value) }
    context.write(wrapOutboundOut(.head(head)), promise: nil)
  }
}
