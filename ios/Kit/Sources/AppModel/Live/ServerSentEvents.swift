/// One event of a stream of server-sent events.
public struct ServerSentEvent: Equatable, Sendable {
  public var name: String
  public var data: String

  public init(name: String, data: String) {
    self.name = name
    self.data = data
  }
}

/// Reads server-sent events as WHATWG HTML 9.2.6 says, byte by byte, however they are cut. It takes no more
/// memory than its limits, whatever comes: a stream that goes beyond them is no stream of ours.
public struct ServerSentEvents: Sendable {
  public enum Failure: Error, Equatable {
    case lineTooLong
    case eventTooLong
  }

  /// Bytes of one line, and of the data of one event. Ours have some hundred.
  public static let mostLineBytes = 16_384
  public static let mostDataBytes = 65_536
  static let mostIdentifierBytes = 1_024
  /// In milliseconds: what a server may ask for between two tries.
  static let retryLimits: ClosedRange<Int64> = 500...600_000

  /// With what a client comes back: the last `id:` that ended with an empty line.
  public private(set) var lastEventID: String?
  /// Milliseconds that the server asks to wait before the next try.
  public private(set) var retry: Int64?

  private var line: [UInt8] = []
  private var endedByReturn = false
  private var isFirstLine = true
  private var identifier: String?
  private var name = ""
  private var data = ""
  private var hasData = false

  public init(lastEventID: String? = nil) {
    self.lastEventID = lastEventID
    identifier = lastEventID
  }

  /// The events that these bytes complete.
  public mutating func take(_ bytes: some Sequence<UInt8>) throws(Failure) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n"), endedByReturn {
        endedByReturn = false
        continue
      }
      endedByReturn = byte == UInt8(ascii: "\r")
      if byte == UInt8(ascii: "\n") || endedByReturn {
        if let event = try endLine() { events.append(event) }
      } else {
        guard line.count < Self.mostLineBytes else { throw .lineTooLong }
        line.append(byte)
      }
    }
    return events
  }

  private mutating func endLine() throws(Failure) -> ServerSentEvent? {
    defer {
      line.removeAll(keepingCapacity: true)
      isFirstLine = false
    }
    if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    guard !line.isEmpty else { return endEvent() }
    let colon = line.firstIndex(of: UInt8(ascii: ":"))
    let field = String(decoding: line[..<(colon ?? line.endIndex)], as: UTF8.self)
    var value = colon.map { line[($0 + 1)...] } ?? []
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    switch field {
    case "event": name = String(decoding: value, as: UTF8.self)
    case "data":
      guard data.utf8.count + value.count < Self.mostDataBytes else { throw .eventTooLong }
      if hasData { data += "\n" }
      data += String(decoding: value, as: UTF8.self)
      hasData = true
    case "id":
      if value.count <= Self.mostIdentifierBytes, !value.contains(0) {
        identifier = String(decoding: value, as: UTF8.self)
      }
    case "retry": setRetry(value)
    // A comment has no name; others are of a later time.
    default: break
    }
    return nil
  }

  private mutating func endEvent() -> ServerSentEvent? {
    lastEventID = identifier
    defer {
      name = ""
      data = ""
      hasData = false
    }
    return hasData ? ServerSentEvent(name: name.isEmpty ? "message" : name, data: data) : nil
  }

  private mutating func setRetry(_ digits: ArraySlice<UInt8>) {
    guard !digits.isEmpty, digits.count <= 9, digits.allSatisfy({ (48...57).contains($0) }),
      let asked = Int64(String(decoding: digits, as: UTF8.self))
    else { return }
    retry = min(max(asked, Self.retryLimits.lowerBound), Self.retryLimits.upperBound)
  }
}
