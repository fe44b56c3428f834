extension FragmentIndex {
  /// Throws unless each segment begins with a key frame by its content, not only by its flags, and holds no
  /// other: then renditions with equal segments have equal key frames, and a switch between them is clean
  /// anywhere.
  func requireKeyFramesOnlyAtCuts(in bytes: [UInt8]) throws {
    for (number, fragment) in fragments.enumerated() {
      let samples = fragment.video.samples
      guard let first = samples.first, try Self.isIDR(first, bytes) else {
        throw BoxReader.Malformed(reason: "segment \(number) does not start with an IDR picture")
      }
      guard !samples.dropFirst().contains(where: \.isKeyFrame) else {
        throw BoxReader.Malformed(reason: "segment \(number) has a key frame inside")
      }
    }
  }

  /// Whether the first slice of a sample of H.264 is of an IDR picture (NAL unit type 5). Units stand behind
  /// their lengths of four bytes, as our encoder writes them.
  private static func isIDR(_ sample: TrackFragment.Sample, _ bytes: [UInt8]) throws -> Bool {
    var reader = BoxReader(bytes, in: sample.bytes)
    while !reader.isAtEnd {
      let length = Int(try reader.u32())
      guard length > 0 else { continue }
      let type = try reader.u8() & 31
      if (1...5).contains(type) { return type == 5 }
      try reader.skip(length - 1)
    }
    return false
  }
}
