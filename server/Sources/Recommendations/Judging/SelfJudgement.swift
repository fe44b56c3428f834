internal import Contract
internal import Foundation

/// How a process's model does, beside the model: it travels with it in snapshots.
struct SelfJudgement: Codable, Equatable, Sendable {
  var calibration = CalibrationTable()
  var night = NightlyCheck()

  mutating func observe(_ impression: LearnedImpression) {
    calibration.observe(impression.lesson, atMs: impression.atMs)
    night.observe(impression)
  }

  /// Nothing for what cannot be kept, which numbers of ours are not.
  var bytes: [UInt8] { (try? WireCoding.encode(self)).map { Array($0) } ?? [] }

  init() {}

  /// What is damaged, or of another version, is begun anew: it decides nothing but what is told of it.
  init(_ bytes: [UInt8]) {
    self.init()
    guard let read = try? WireCoding.decode(SelfJudgement.self, from: Data(bytes)), read.calibration.isSound,
      read.night.isSound
    else { return }
    self = read
  }
}
