internal import Synchronization

/// UUID version 7 (RFC 9562): ids made later sort later, also within one millisecond of this process.
public enum Identifier {
  private static let last = Mutex<(ms: Int64, counter: UInt16)>((0, 0))

  public static func make(at time: any TimeSource) -> String {
    let nowMs = time.nowMs
    let (ms, counter) = last.withLock { state in
      if nowMs > state.ms {
        // The counter starts in its lower half, so that there is room to count up.
        state = (nowMs, UInt16.random(in: 0..<0x0800))
      } else if state.counter < 0x0FFF {
        state.counter += 1
      } else {
        state = (state.ms + 1, 0)
      }
      return state
    }
    let high = UInt64(ms) << 16 | 0x7000 | UInt64(counter)
    let low = UInt64.random(in: 0...UInt64.max) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    let digits = hex(high) + hex(low)
    var out = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { out.append("-") }
      out.append(digit)
    }
    return out
  }

  private static func hex(_ value: UInt64) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
