#if !hasFeature(Embedded)
  /// A small neural network that says what to do next: of the actions that are possible the one to which it
  /// gives most. Learned by trial in a replica of the outside simulator (decision 0050); it draws nothing at
  /// random and keeps nothing from one decision to the next.
  struct LearnedPolicy: Sendable {
    private static let layers = LearnedWeights.layers
    /// What is negative between two layers counts only so much.
    private static let slope: Float = 0.01
    private var observation = Observation()
    /// What goes into each layer, and the last one's answer.
    private var values: [[Float]] =
      [[Float](repeating: 0, count: Observation.count)]
      + layers.map { [Float](repeating: 0, count: $0.outputs) }

    mutating func choose(_ input: DecisionInput) -> Step {
      observation.fill(input)
      for index in values[0].indices { values[0][index] = observation.numbers[index] }
      for (index, layer) in Self.layers.enumerated() { run(layer, index) }
      var best = -1
      for action in 0..<Observation.actionCount where observation.isPossible[action] {
        if best < 0 || values[Self.layers.count][action] > values[Self.layers.count][best] { best = action }
      }
      let pause = best - Observation.clips * Observation.rates
      guard pause < 0 else { return Step(pause: Observation.pauses[pause]) }
      return Step(clip: best / Observation.rates, rate: best % Observation.rates)
    }

    /// In an order of additions that is the same everywhere: output by output side by side, never summed up
    /// in parts.
    private mutating func run(_ layer: Layer, _ index: Int) {
      let isLast = index + 1 == Self.layers.count
      let input = values[index]
      values[index + 1].withUnsafeMutableBufferPointer { output in
        for place in 0..<layer.outputs { output[place] = layer.biases[place] }
        layer.weights.withUnsafeBufferPointer { weights in
          for (place, value) in input.enumerated() where value != 0 {
            let row = place * layer.outputs
            for other in 0..<layer.outputs { output[other] += value * weights[row + other] }
          }
        }
        if !isLast {
          for place in 0..<layer.outputs where output[place] < 0 { output[place] *= Self.slope }
        }
      }
    }

    struct Layer: Sendable {
      let outputs: Int
      /// By input, then by output.
      let weights: [Float]
      let biases: [Float]
    }
  }
#endif
