import Foundation

/// Runs a program to its end, and takes what it wrote.
enum Shell {
  static func run(_ program: String, _ arguments: [String]) throws -> (Int32, String) {
    let pipe = Pipe()
    let process = try ChildProgram(program, arguments, output: pipe)
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
