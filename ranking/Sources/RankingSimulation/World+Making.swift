internal import Foundation
internal import Ranking

extension World {
  static func direction(by generator: inout SeededGenerator) -> [Double] {
    normalised((0..<dimensions).map { _ in generator.normal() })
  }

  private static func normalised(_ vector: [Double]) -> [Double] {
    let length = max(product(vector, vector).squareRoot(), 1e-9)
    return vector.map { $0 / length }
  }

  private static func sum(_ terms: [(Double, [Double])]) -> [Double] {
    (0..<dimensions).map { place in terms.reduce(0) { $0 + $1.0 * $1.1[place] } }
  }

  /// Small numbers come more often: some topics are of many, most of few.
  private static func topic(_ count: Int, by generator: inout SeededGenerator) -> Int {
    min(Int(pow(generator.uniform(), 1.6) * Double(count)), count - 1)
  }

  static func creator(_ centres: [[Double]], by generator: inout SeededGenerator) -> Creator {
    Creator(
      topics: [topic(centres.count, by: &generator), topic(centres.count, by: &generator)],
      offset: direction(by: &generator), quality: generator.normal(),
      activity: pow(1 - generator.uniform(), -0.7))
  }

  static func clips(
    _ settings: Settings, _ centres: [[Double]], _ creators: [Creator], by generator: inout SeededGenerator
  ) -> [MadeClip] {
    let activity = creators.reduce(0) { $0 + $1.activity }
    // Clips of the start came over the thirty days before.
    var times = (0..<settings.clips).map { _ in start - Int64(generator.uniform() * 30 * Double(day)) }
    for number in 0..<settings.days {
      for _ in 0..<settings.newClips {
        times.append(start + Int64((Double(number) + generator.uniform()) * Double(day)))
      }
    }
    times.sort()
    return times.enumerated().map { number, time in
      var left = generator.uniform() * activity
      let creator =
        creators.indices.first {
          left -= creators[$0].activity
          return left < 0
        } ?? 0
      return clip(number, of: creator, at: time, centres, creators, by: &generator)
    }
  }

  private static func clip(
    _ number: Int, of creator: Int, at time: Int64, _ centres: [[Double]], _ creators: [Creator],
    by generator: inout SeededGenerator
  ) -> MadeClip {
    let maker = creators[creator]
    let topic = maker.topics[generator.uniform() < 0.75 ? 0 : 1]
    let tag = topic * tagsOfTopic + generator.below(tagsOfTopic)
    let vector = normalised(
      sum([(1, centres[topic]), (0.4, maker.offset), (0.5, direction(by: &generator))]))
    let seconds = (20 * exp(0.7 * generator.normal())).clamped(to: 6...120)
    return MadeClip(
      clip: Clip(
        id: clipID(number), author: creatorID(creator),
        tags: [UInt64(topic), UInt64(1_000 + tag), UInt64(5_000 + generator.below(40))],
        sound: UInt64(generator.below(200)), duration: Int64(seconds * 1_000), publishedAt: time),
      creator: creator, vector: vector, quality: 0.6 * maker.quality + 0.8 * generator.normal(), tag: tag)
  }

  static func people(
    _ settings: Settings, _ centres: [[Double]], by generator: inout SeededGenerator
  ) -> [Person] {
    var firstDays = [Int](repeating: 0, count: settings.viewers)
    for day in 0..<settings.days {
      firstDays.append(contentsOf: repeatElement(day, count: settings.newViewers))
    }
    return firstDays.map { firstDay in
      var terms = [(0.5, direction(by: &generator))]
      for weight in [1, 0.7, 0.5].prefix(1 + generator.below(3)) {
        terms.append((weight, centres[topic(centres.count, by: &generator)]))
      }
      return Person(
        taste: normalised(sum(terms)),
        tags: (0..<centres.count * tagsOfTopic).map { _ in generator.normal() },
        creators: (0..<settings.creators).map { _ in generator.normal() },
        activity: min(exp(0.6 * generator.normal()), 4), firstDay: firstDay)
    }
  }

  static func visits(
    _ settings: Settings, _ people: [Person], by generator: inout SeededGenerator
  ) -> [Visit] {
    var visits: [Visit] = []
    for (viewer, person) in people.enumerated() {
      for number in person.firstDay..<settings.days {
        // Exponential times between visits: a Poisson process. Who is new comes on their first day.
        var left = person.activity
        if number > person.firstDay { left += log(1 - generator.uniform()) }
        while left > 0 {
          // From seven in the morning to midnight, most in the evening.
          let hour = 7 + 17 * generator.uniform().squareRoot()
          visits.append(
            Visit(viewer: viewer, at: start + Int64(number) * day + Int64(hour * 3_600_000)))
          left += log(1 - generator.uniform())
        }
      }
    }
    return visits.sorted { ($0.at, $0.viewer) < ($1.at, $1.viewer) }
  }
}

extension Double {
  func clamped(to range: ClosedRange<Double>) -> Double { min(max(self, range.lowerBound), range.upperBound) }
}
