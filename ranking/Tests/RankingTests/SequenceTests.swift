import Foundation
import Testing

@testable import Ranking

@Suite struct SequenceAttentionTests {
  /// Of a weighted sum of the answer, by weights and by tokens. Floats have seven digits, so differences are of
  /// a hundredth, where curvature is small still.
  @Test func gradientsAreThoseThatDifferencesGive() {
    var generator = SeededGenerator(seed: 62)
    let size = 8
    var attention = SequenceAttention(size: size, by: &generator)
    for place in attention.weights.indices { attention.weights[place] += Float(generator.normal()) * 0.1 }
    var tokens = (0..<5 * size).map { _ in Float(generator.normal()) }
    let wanted = (0..<size).map { _ in Float(generator.normal()) }
    func value() -> Double {
      zip(attention.trace(tokens).answer, wanted).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    }
    func difference(_ change: (Float) -> Void) -> Float {
      change(0.01)
      let above = value()
      change(-0.02)
      let below = value()
      change(0.01)
      return Float((above - below) / 0.02)
    }
    let gradients = attention.gradients(attention.trace(tokens), of: wanted)
    for place in tokens.indices {
      let difference = difference { tokens[place] += $0 }
      #expect(abs(difference - gradients.tokens[place]) < 0.02)
    }
    // Vectors of outcomes are part of the tokens.
    for place in 0..<attention.outcome(isPositive: false) {
      let difference = difference { attention.weights[place] += $0 }
      #expect(abs(difference - gradients.weights[place]) < 0.02)
    }
    #expect(gradients.weights.count { abs($0) > 0.1 } > 100)
  }
}

@Suite struct SequenceModelTests {
  private static func model(clips: Int = 20, seed: UInt64 = 1) -> SequenceModel {
    var settings = SequenceModel.Settings()
    settings.dimensions = 16
    settings.recent = 1_024
    var model = SequenceModel(settings: settings, seed: seed)
    for clip in 0..<clips { model.begin(clip) }
    return model
  }

  /// Each clip is followed by the next, whatever came before.
  private static func teach(_ model: inout SequenceModel, walks: Int, seed: UInt64 = 2) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<walks {
      var watches = (0..<4).map { _ in UInt32(generator.below(20)) | SequenceModel.positive }
      for _ in 0..<6 {
        let clip = (watches.last! & ~SequenceModel.positive) + 1
        model.learn(clip % 20, after: watches)
        watches.append(clip % 20 | SequenceModel.positive)
      }
    }
  }

  @Test func learnsWhatFollowsWhat() {
    var model = Self.model()
    Self.teach(&model, walks: 1_500)
    var right = 0
    for last in UInt32(0)..<20 {
      let watches = [(last + 7) % 20, (last + 12) % 20, last].map { $0 | SequenceModel.positive }
      let scores = model.scores(model.answer(after: watches))
      if scores.indices.max(by: { scores[$0] < scores[$1] }) == Int((last + 1) % 20) { right += 1 }
    }
    #expect(right >= 18)
  }

  @Test func errorsAreTheGradientOfWhatIsLost() {
    var model = Self.model()
    Self.teach(&model, walks: 20)
    let answer = model.answer(after: [3, 4 | SequenceModel.positive])
    let among: [UInt32] = [5, 1, 2, 9]
    let errors = model.errors(among, answer)
    #expect(abs(errors.reduce(0, +)) < 1e-5)
    for (place, clip) in among.enumerated() {
      func loss(_ change: Float) -> Float {
        var other = model
        other.biases[Int(clip)] += change
        // The share of the first is one more than its error.
        return -log(other.errors(among, answer)[0] + 1)
      }
      #expect(abs((loss(0.01) - loss(-0.01)) / 0.02 - errors[place]) < 0.01)
    }
  }

  @Test func theSameSeedGivesTheSameModel() {
    var models = [Self.model(), Self.model(), Self.model(seed: 9)]
    for place in models.indices { Self.teach(&models[place], walks: 10) }
    #expect(models[0] == models[1] && models[0] != models[2])
  }

  @Test func anAnswerHangsOnOrderAndOutcomeAndNotOnWhatWasLongAgo() {
    let model = Self.model()
    let positive = SequenceModel.positive
    #expect(model.answer(after: []).isEmpty)
    #expect(model.answer(after: [1, 2]) != model.answer(after: [2, 1]))
    let last = [UInt32](repeating: 5, count: SequenceModel.length)
    #expect(model.answer(after: [1] + last) == model.answer(after: [2] + last))
    var taught = model
    Self.teach(&taught, walks: 5)
    #expect(taught.answer(after: [1, 2]) != taught.answer(after: [1, 2 | positive]))
  }

  @Test func aRingThatIsReadInAnewGoesOnAsIfNothingHadHappened() {
    var model = Self.model()
    Self.teach(&model, walks: 250)
    var other = model
    other.refill(model.inOrder)
    #expect(model.inOrder.count == 1_024)
    for one in [1, 2, 3] as [UInt32] {
      model.learn(one, after: [7])
      other.learn(one, after: [7])
    }
    #expect(model.clips == other.clips && model.attention == other.attention)
    #expect(model.inOrder == other.inOrder)
  }

  @Test func nothingIsToldFromClipsThatAreGone() {
    var model = Self.model()
    Self.teach(&model, walks: 30)
    model.remove { $0 % 2 == 0 }
    #expect(!model.inOrder.isEmpty && model.inOrder.allSatisfy { $0 % 2 == 1 })
    model.begin(4)
    #expect(model.biases[4] == SequenceModel.unknownBias)
    #expect(model.clipCount == 20)
  }

  @Test func numbersWithoutBoundsAnswerNothing() {
    var model = Self.model()
    for place in model.clips.indices { model.clips[place] = .greatestFiniteMagnitude }
    #expect(model.answer(after: [1, 2]).isEmpty)
    let before = model.clips
    model.learn(3, after: [1, 2])
    model.learn(999, after: [1, 2])
    #expect(model.clips == before)
    #expect(model.score(of: .max, model.answer(after: [])) == SequenceModel.unknownBias)
  }
}
