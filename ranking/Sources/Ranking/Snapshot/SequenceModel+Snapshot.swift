extension Ranker {
  static func write(_ sequence: SequenceModel, to writer: inout SnapshotWriter) {
    for values in [
      sequence.attention.weights, sequence.squares, sequence.clips, sequence.biases, sequence.clipSquares,
      sequence.biasSquares,
    ] {
      writer.append(values)
    }
    writer.append(sequence.inOrder)
    writer.append(sequence.generator.state)
  }

  /// After the clips. Nil: by the settings there is none, and none was written.
  func readSequence(from reader: inout SnapshotReader) throws(SnapshotError) -> SequenceModel? {
    guard var read = sequence else { return nil }
    read.attention.weights = try reader.floats(read.attention.weights.count)
    read.squares = try reader.floats(read.squares.count)
    read.clips = try reader.floats(clips.count * read.settings.dimensions)
    read.biases = try reader.floats(clips.count)
    read.clipSquares = try reader.floats(clips.count)
    read.biasSquares = try reader.floats(clips.count)
    guard (read.squares + read.clipSquares + read.biasSquares).allSatisfy({ $0 > 0 }) else { throw .damaged }
    read.refill(try reader.numbers(below: clips.count))
    read.generator = SeededGenerator(seed: try reader.integer())
    return read
  }
}
