internal import Activity
internal import ActivityWire
internal import Composer
internal import CoreTypes
internal import MachineHost
internal import Recording
internal import Session
internal import SessionWire
internal import SignInSession
internal import SignInWire
internal import StudioWire
internal import Upload
internal import UploadWire

/// Rows of events through the doors of the WebAssembly modules, one behind the other.
///
/// Each event is a number of words and these words; the first is the time at which it comes.
func readDoors(_ bytes: [UInt8]) {
  let (number, rest) = choice(of: 6, from: bytes)
  var words = Words(bytes: rest)
  switch number {
  case 0:
    var session = FeedSession()
    words.forEachEvent { event, now in
      guard let event = FeedSession.Event(words: event) else { return }
      session.handle(event, at: now) { _ in }
    }
  case 1: handle(MachineHost<Composer>(), &words)
  case 2: handle(MachineHost<Recording>(), &words)
  case 3: handle(MachineHost<Upload>(), &words)
  case 4: handle(MachineHost<Activity>(), &words)
  default: handle(MachineHost<SignInSession>(), &words)
  }
}

private func handle<Machine: HostedMachine>(_ made: MachineHost<Machine>, _ words: inout Words) {
  var room = made
  var commands: [Int64] = []
  words.forEachEvent { event, now in
    commands.removeAll(keepingCapacity: true)
    _ = room.handle(event, at: now, into: &commands)
  }
}

/// Words as bytes, the usual ones short, so that a changed byte is mostly another word and no other length.
private struct Words {
  private static let ends: [Int64] = [.max, .min, 1 << 31, -1 << 31, 1 << 53, 1 << 32, .max - 1]
  private var bytes: ArraySlice<UInt8>

  init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  mutating func forEachEvent(_ handle: (UnsafeBufferPointer<Int64>, Instant) -> Void) {
    while let count = bytes.popFirst() {
      let now = word()
      let event = (0..<Int(count)).map { _ in word() }
      event.withUnsafeBufferPointer { handle($0, Instant(now)) }
    }
  }

  private mutating func word() -> Int64 {
    guard let first = bytes.popFirst() else { return 0 }
    switch first {
    case 0..<220: return Int64(first) - 20
    case 220..<240: return number(of: 2)
    case 240..<249: return number(of: 8)
    default: return Self.ends[Int(first) - 249]
    }
  }

  private mutating func number(of count: Int) -> Int64 {
    (0..<count).reduce(0) { word, _ in word << 8 | Int64(bytes.popFirst() ?? 0) }
  }
}
