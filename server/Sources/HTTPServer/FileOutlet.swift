public import HTTPTypes
public import Hummingbird
internal import NIOCore
internal import NIOHTTP1
public import Platform
internal import Synchronization

/// Where files leave a connection: from the disk to the socket by the kernel (`sendfile`), their bytes never
/// in this process.
///
/// A response can carry nothing but bytes. So the file waits here while a response with a marked head and an
/// empty body goes its way through the connection's queue, and takes the place of that body at the end
/// (`FileSending`).
public final class FileOutlet: Sendable {
  /// Of the connection by which the present request came; nil where there is none, as in a test of one
  /// handler.
  @TaskLocal public static var current: FileOutlet?

  public struct Part: Sendable {
    let file: BlobFile
    let range: Range<Int>

    public init(file: BlobFile, range: Range<Int>) {
      self.file = file
      self.range = range
    }
  }

  // NB: a connection answers one request at a time, so there is one place. What an answer that was never sent
  // left here goes with the next one.
  private let waiting = Mutex<Part?>(nil)

  /// Answers with this part of the file. The answer must not get another body.
  public func response(_ status: HTTPResponse.Status, _ headers: HTTPFields, _ part: Part) -> Response {
    waiting.withLock { $0 = part }
    var headers = headers
    headers[.contentLength] = String(part.range.count)
    headers[.fileFollows] = "1"
    return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer()))
  }

  fileprivate func take() -> Part? {
    waiting.withLock { part in
      defer { part = nil }
      return part
    }
  }
}

/// Puts the file in the place of the empty body behind a marked head, and says when an answer has left.
/// Stands right before the encoder.
final class FileSending: ChannelOutboundHandler {
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private struct Missing: Error {}

  private let outlet: FileOutlet
  private let pacing: ConnectionPacing
  private var next: FileOutlet.Part?

  init(_ outlet: FileOutlet, _ pacing: ConnectionPacing) {
    self.outlet = outlet
    self.pacing = pacing
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head) where head.headers.contains(name: HTTPField.Name.fileFollows.canonicalName):
      head.headers.remove(name: HTTPField.Name.fileFollows.canonicalName)
      next = outlet.take()
      guard next != nil else {
        // The length has been promised: an answer without its body would be taken for the next answer's head.
        promise?.fail(Missing())
        return context.close(promise: nil)
      }
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .body(.byteBuffer(let empty)) where next != nil && empty.readableBytes == 0:
      send(next!, context, promise)
      next = nil
    case .end:
      // The end is written at once, behind whatever of the body still waits for the socket.
      let left = promise ?? context.eventLoop.makePromise()
      left.futureResult.assumeIsolated().whenComplete { [pacing] _ in pacing.answerHasLeft() }
      context.write(data, promise: left)
    default: context.write(data, promise: promise)
    }
  }

  private func send(
    _ part: FileOutlet.Part, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
  ) {
    let handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: part.file.descriptor)
    let sent = promise ?? context.eventLoop.makePromise()
    // The descriptor stays the file's, which lives until the last byte has left or the connection has gone.
    sent.futureResult.whenComplete { [file = part.file] _ in
      _ = try? handle.takeDescriptorOwnership()
      withExtendedLifetime(file) {}
    }
    let region = FileRegion(
      fileHandle: handle, readerIndex: part.range.lowerBound, endIndex: part.range.upperBound)
    context.write(wrapOutboundOut(.body(.fileRegion(region))), promise: sent)
  }
}

extension HTTPField.Name {
  /// Between an answer and its connection only; never sent.
  static let fileFollows = HTTPField.Name("X-File-Follows")!
}
