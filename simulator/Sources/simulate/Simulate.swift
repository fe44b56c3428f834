import ArgumentParser
import CoreTypes
import Simulation

@main
struct Simulate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Simulates people who swipe through clips on links that vary.")

  @Option(help: "Which library of clips to list.")
  var seed: UInt64 = 1

  func run() {
    let library = ClipLibrary(seed: seed)
    print("| clip | seconds | segments | kbit/s |\n| ---: | ---: | ---: | --- |")
    for index in 0..<20 {
      let clip = library.clip(index)
      let rates = clip.renditions.map { String($0.average.rawValue / 1_000) }.joined(separator: " ")
      print("| \(index) | \(clip.duration.rawValue / 1_000) | \(clip.segmentCount) | \(rates) |")
    }
  }
}
