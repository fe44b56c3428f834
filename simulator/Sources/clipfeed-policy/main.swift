import Foundation
import PolicyBridge

// One JSON object a line on standard input, one on standard output for each that asks for a decision.
var bridge = PolicyBridge()
while let line = readLine() {
  guard !line.isEmpty else { continue }
  do {
    if let answer = try bridge.answer(to: Data(line.utf8)) {
      // Not `print`, which keeps lines back when the output is a pipe.
      try FileHandle.standardOutput.write(contentsOf: answer + [UInt8(ascii: "\n")])
    }
  } catch {
    FileHandle.standardError.write(Data("clipfeed-policy: \(error)\n".utf8))
    exit(1)
  }
}
