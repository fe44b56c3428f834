// Puts each mistake of a list into a copy of the iPhone's files, alone, and looks whether the checks tell it.
// Arguments: the repository, a folder for copies, and which of them (none: all; docs/design/ios-check.md).
// Fails if one does not fit its file, if fewer than 60 are there or fewer than 90 % are told, and if one gets
// through that is not known, or no longer.
import Dispatch
import Foundation
import Mutants
import Synchronization

let arguments = CommandLine.arguments
let root = URL(filePath: arguments[1])
func text(_ path: String) throws -> String {
  try String(contentsOf: root.appending(path: path), encoding: .utf8)
}

let mutants: [Mutant]
let tried: [Int]
do {
  mutants = try Mutant.list(text("ios/mutants.txt"))
  tried = try chosen(Array(arguments.dropFirst(3)), of: mutants)
  // Before the first is tried: those that do not fit are nobody's mistakes.
  let misfits = mutants.compactMap { mutant in
    do {
      _ = try mutant.applied(to: text("ios/" + mutant.file))
      return nil as String?
    } catch {
      return "\(error)"
    }
  }
  guard misfits.isEmpty else {
    print(misfits.joined(separator: "\n"))
    exit(2)
  }
} catch {
  print(error)
  exit(2)
}

let known = Verdict.known(try text("ios/mutants-missed.txt"))
let begun = ContinuousClock.now
/// Indices into `tried` that nobody has taken yet, and what got through.
let state = Mutex((next: 0, missed: Set<Int>()))
let workers = max(1, min(tried.count, ProcessInfo.processInfo.activeProcessorCount))
let copies = try (0..<workers).map {
  try Workplace(root: root, folder: URL(filePath: arguments[2]).appending(path: "\($0)"))
}
// What the checks say without a mistake would be counted for each.
if let fault = try copies[0].projectFault() {
  print("without any mistake: \(fault)")
  exit(2)
}

/// Tries one mistake after the other until none is left.
@Sendable func work(in copy: Workplace) {
  while let index = state.withLock({ state -> Int? in
    defer { state.next += 1 }
    return state.next < tried.count ? tried[state.next] : nil
  }) {
    let start = ContinuousClock.now
    let fault: String?
    do {
      fault = try copy.fault(of: mutants[index])
    } catch {
      print("\(mutants[index].name): \(error)")
      exit(2)
    }
    let tenths = Int((ContinuousClock.now - start) / .milliseconds(100))
    state.withLock { state in
      if fault == nil { state.missed.insert(index) }
      print(
        "\(fault == nil ? "MISSED" : "told  ") \(index + 1) \(mutants[index].name)"
          + " (\(tenths / 10).\(tenths % 10) s): \(fault ?? "-")")
      fflush(nil)
    }
  }
}

let finished = DispatchSemaphore(value: 0)
for copy in copies {
  // NB: a thread of its own has the priority of this one; those of a queue are all of one priority.
  Thread {
    work(in: copy)
    finished.signal()
  }.start()
}
for _ in copies { finished.wait() }
let verdict = Verdict(mutants, tried: tried, missed: state.withLock { $0.missed }, known: known)
for line in verdict.lines { print(line) }
let seconds = Int((ContinuousClock.now - begun) / .seconds(1))
print("\(seconds) s, \(workers) at a time")
exit(verdict.isGood ? 0 : 1)
