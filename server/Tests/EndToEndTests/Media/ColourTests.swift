import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import FFmpeg
@testable import ServerTesting
@testable import Transcoding

@Suite struct ColourTests {
  /// One colour in every coding a camera may use; it must look the same out of each.
  @Test(arguments: [
    "-pix_fmt yuv420p -vf scale=out_color_matrix=bt709 -colorspace bt709",
    "-pix_fmt yuv420p -vf scale=out_color_matrix=bt601 -colorspace smpte170m",
    "-pix_fmt yuvj420p -vf scale=out_color_matrix=bt709:out_range=pc -colorspace bt709 -color_range pc",
    "-pix_fmt yuv422p -vf scale=out_color_matrix=bt709 -colorspace bt709",
    "-pix_fmt yuv444p -vf scale=out_color_matrix=bt709 -colorspace bt709",
    "-pix_fmt yuv420p10le -vf scale=out_color_matrix=bt709 -colorspace bt709",
    "-pix_fmt yuv422p10le -vf scale=out_color_matrix=bt709 -colorspace bt709", "-pix_fmt yuv420p",
  ])
  func aColourLooksTheSameOutOfEveryCoding(_ words: String) async throws {
    let bench = try await TestInstance()
    let source = try await bench.make(
      "colour.mp4", "-f lavfi -i color=0xC87828:s=96x64:d=0.2 -c:v libx264 -preset ultrafast -qp 4 " + words)
    let made = try await TranscodedClip(source, on: bench)
    try made.checkForm(words)
    let pixel = try made.pixels(1, 1, frames: 1)
    for (found, wanted) in zip(pixel, [200, 120, 40]) { #expect(abs(Int(found) - wanted) <= 6, "\(pixel)") }
  }

  /// ITU-R BT.2408: a grey card has 38 % of the signal in both, white paper 75 % of HLG and 58 % of PQ. The
  /// grey card of an SDR camera is at 41 %.
  @Test(arguments: [("arib-std-b67", 0.75), ("smpte2084", 0.58)])
  func highDynamicRangeKeepsGreyInItsPlaceAndCutsNothingOff(_ transfer: String, _ white: Double) async throws
  {
    let bench = try await TestInstance()
    let source = try await bench.make("ramp.mp4", Self.ramp + Self.tags(transfer))
    let made = try await TranscodedClip(source, on: bench)
    try made.checkForm(transfer)
    let row = try made.row()
    func at(_ share: Double) -> Double {
      let middle = Int(share * Double(row.count - 1))
      return row[middle - 1...middle + 1].reduce(0, +) / 3
    }
    #expect((0.39...0.45).contains(at(0.38)), "grey \(at(0.38))")
    #expect((0.82...0.9).contains(at(white)), "white \(at(white))")
    let steps = stride(from: 0.05, through: 0.99, by: 0.02).map(at)
    for (darker, lighter) in zip(steps, steps.dropFirst()) { #expect(lighter >= darker - 0.003, "\(steps)") }
    // Where faces and clothes are, every step is a step.
    let middle = stride(from: 0.1, through: white + 0.06, by: 0.05).map(at)
    for (darker, lighter) in zip(middle, middle.dropFirst()) { #expect(lighter > darker + 0.01, "\(middle)") }
    #expect(at(0.01) < 0.03 && at(0.985) > 0.97 && row.allSatisfy { $0 < 1.01 })
  }

  @Test func theBitstreamIsBelievedWhereTheContainerSaysOtherwise() async throws {
    let bench = try await TestInstance()
    let source = try await bench.make("ramp.mp4", Self.ramp + Self.tags("arib-std-b67"))
    var data = try Data(contentsOf: source)
    // The colr box: 'nclx', then primaries, transfer and matrix; 1, 1, 1 is BT.709.
    let place = try #require(data.range(of: Data("colrnclx".utf8))).upperBound
    data.replaceSubrange(place..<place + 6, with: [0, 1, 0, 1, 0, 1])
    try data.write(to: source)
    let row = try await TranscodedClip(source, on: bench).row()
    let grey = row[Int(0.75 * Double(row.count - 1))]
    #expect((0.82...0.9).contains(grey), "white paper at \(grey): not tone-mapped")
  }

  private static let ramp =
    "-f lavfi -i nullsrc=s=480x64:d=0.2,format=yuv420p10le,geq=lum=64+876*X/479:cb=512:cr=512 "

  private static func tags(_ transfer: String) -> String {
    "-c:v libx264 -preset ultrafast -qp 4 -pix_fmt yuv420p10le -color_primaries bt2020 -color_trc \(transfer) "
      + "-colorspace bt2020nc -color_range tv -movflags write_colr"
  }
}
