internal import Contract
internal import CoreTypes
internal import Foundation
internal import MediaStore
internal import Synchronization
internal import Upload

/// Requests with bytes.
extension UploadHost {
  func send(_ call: CallID, _ file: FileID, _ range: Range<Int>) {
    carry(call, file, range) { [requests, uploadID] headers, body in
      requests.part(uploadID, offset: Int64(range.lowerBound), headers: headers, body: body)
    } then: { response, _ in
      do {
        return .bytesTaken(call, offset: Bytes(try UploadRequests.taken(response)))
      } catch let refused as Refused where refused.isOfContent {
        // Its state says why; the machine asks for that after an offset that was wrong.
        return .failed(call, .init(.offsetMismatch, detail: -1))
      } catch {
        return self.failed(call, error)
      }
    }
  }

  func send(_ call: CallID, _ file: FileID, _ range: Range<Int>, as part: Int32) {
    // The server says a few at a time.
    guard let address = addresses[part].flatMap({ URL(string: $0) }) else {
      return run(call) { _ in .failed(call, .init(.addressExpired)) }
    }
    carry(call, file, range, isToStorage: true) { _, body in
      // NB: without a header of ours, so that the storage has to allow none.
      PartUpload(method: "PUT", url: address, headers: [:], body: body)
    } then: { response, left in
      guard (200..<300).contains(response.status) else {
        let failure = Refused.ofStorage(response)
        self.fallback.partEnded(failure.reason, bytesLeft: left)
        return .failed(call, failure)
      }
      self.fallback.partEnded(nil, bytesLeft: left)
      return .partTaken(call)
    }
  }

  private func carry(
    _ call: CallID, _ file: FileID, _ range: Range<Int>, isToStorage: Bool = false,
    _ request: @escaping ([String: String], URL) -> PartUpload,
    then event: @escaping @MainActor (WireResponse, Int) -> Upload.Event
  ) {
    let folder = folder
    run(call) { host in
      let body: URL
      do {
        if !isToStorage { try host.checkOwner() }
        body = try await Self.part(folder, file, range, call)
      } catch is DiskError {
        // Waits as for a server without room, and tries again; the sentence is another.
        host.state.lacksRoom = host.isRunning(call)
        return .failed(call, .init(.storageFull))
      } catch let refused as Refused {
        return host.failed(call, refused)
      } catch {
        return .fileUnreadable(call)
      }
      defer { try? FileManager.default.removeItem(at: body) }
      let headers = isToStorage ? [:] : await host.ports.credentials()
      guard host.isRunning(call) else { return nil }
      return await host.transfer(call, request(headers, body), isToStorage: isToStorage, then: event)
    }
  }

  private func transfer(
    _ call: CallID, _ part: PartUpload, isToStorage: Bool,
    then event: @MainActor (WireResponse, Int) -> Upload.Event
  ) async -> Upload.Event? {
    let left = Left()
    partsUnderWay += 1
    onChange?()
    defer { partsUnderWay -= 1 }
    do {
      let response = try await ports.bytes.send(part) { [weak self] bytes in
        left.note(bytes)
        Task { @MainActor in self?.moved(call, bytes) }
      }
      guard isRunning(call) else { return nil }
      return event(response, left.bytes)
    } catch {
      guard isRunning(call) else { return nil }
      let failure = Refused(error)
      if isToStorage { fallback.partEnded(failure.failure.reason, bytesLeft: left.bytes) }
      return failed(call, failure)
    }
  }

  private func moved(_ call: CallID, _ bytes: Int) {
    guard isRunning(call), bytes > 0 else { return }
    tell(.bytesSent(call, Bytes(Int64(bytes))))
  }

  /// Away from the screen.
  private nonisolated static func part(
    _ folder: UploadFolder, _ file: FileID, _ range: Range<Int>, _ call: CallID
  ) async throws -> URL {
    try folder.part(of: file, range, named: "part-\(call.rawValue)")
  }
}

/// How many bytes of a request have left, told from its own queue.
private final class Left: Sendable {
  private let count = Mutex(0)
  var bytes: Int { count.withLock { $0 } }
  func note(_ bytes: Int) { count.withLock { $0 = max($0, bytes) } }
}
