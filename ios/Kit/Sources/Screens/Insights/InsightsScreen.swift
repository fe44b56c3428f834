public import AppModel
internal import Contract
internal import Foundation
public import SwiftUI

/// How one's own clip does. Each picture is said in words as well, and stands in numbers below it.
public struct InsightsScreen: View {
  private let model: InsightsModel
  /// Of a tile with a number; it grows with the letters.
  @ScaledMetric(relativeTo: .body) private var tile: CGFloat = 104

  public init(_ model: InsightsModel) { self.model = model }

  public var body: some View {
    content
      .navigationTitle("How it does")
      .task { await model.begin() }
  }

  @ViewBuilder private var content: some View {
    switch model.state {
    case .loading: ProgressView("Loading")
    case .failed(let why): TryAgainView(why) { await model.load() }.padding()
    case .gone:
      ContentUnavailableView(
        "Nothing to see here", systemImage: "chart.bar",
        description: Text("This is none of your clips, or it is not there any more."))
    case .shown(let figures):
      List {
        counts(figures)
        StayingSection(figures: figures, words: model.words)
        WaysSection(figures: figures, words: model.words)
        DaysSection(figures: figures, words: model.words)
      }
      .refreshable { await model.load() }
    }
  }

  private func counts(_ figures: InsightsFigures) -> some View {
    Section {
      if !model.caption.isEmpty { Text(verbatim: model.caption).font(.headline).lineLimit(3) }
      LazyVGrid(columns: [GridItem(.adaptive(minimum: tile))], alignment: .leading, spacing: 12) {
        ForEach(figures.counts, id: \.kind) { count in
          VStack(alignment: .leading) {
            Text(verbatim: InsightsWords.name(of: count.kind).words)
              .font(.footnote)
              .foregroundStyle(.secondary)
            Text(verbatim: model.words.number(count.number)).font(.title3).bold().monospacedDigit()
          }
          .accessibilityElement(children: .combine)
        }
      }
    }
  }
}

/// How long people stay: a curve, once there are enough visits that it tells of the clip and not of people.
struct StayingSection: View {
  let figures: InsightsFigures
  let words: InsightsWords

  var body: some View {
    Section("How long people stay") {
      if let curve = figures.staying {
        Text(verbatim: words.staying(curve).words)
        picture(curve)
        Text("How many of those who start it are still there, from \(figures.starts) visits.")
          .font(.footnote)
          .foregroundStyle(.secondary)
        if curve.end != nil {
          Text("The line across marks its end: behind it people watch it again.")
            .font(.footnote)
            .foregroundStyle(.secondary)
        }
        DisclosureGroup("In numbers") {
          ForEach(curve.shares.indices, id: \.self) { second in
            LabeledContent {
              Text(verbatim: words.percent(curve.shares[second])).monospacedDigit()
            } label: {
              Text("\(second) s")
            }
          }
        }
      } else {
        Text("The curve is drawn from \(figures.startsNeeded) visits on.").foregroundStyle(.secondary)
        Text("So far it is \(figures.starts) visits.").foregroundStyle(.secondary)
      }
    }
  }

  private func picture(_ curve: StayingCurve) -> some View {
    VStack {
      StayingPicture(curve: curve)
      HStack {
        Text("\(0) s")
        Spacer()
        Text("\(curve.seconds) s")
      }
      .font(.footnote)
      .foregroundStyle(.secondary)
    }
    .accessibilityElement(children: .ignore)
    .accessibilityLabel("How long people stay")
    .accessibilityValue(Text(verbatim: words.summary(curve).words))
    .accessibilityAddTraits(.isImage)
  }
}

/// Where people come upon it.
struct WaysSection: View {
  let figures: InsightsFigures
  let words: InsightsWords

  var body: some View {
    Section {
      if figures.ways.isEmpty { Text("Nobody has come upon it yet.").foregroundStyle(.secondary) }
      ForEach(figures.ways, id: \.source) { way in
        VStack(alignment: .leading) {
          Text(verbatim: InsightsWords.name(of: way.source).words).font(.headline)
          shown(way.impressions, way.views).font(.subheadline).foregroundStyle(.secondary)
          ProgressView(value: way.share).accessibilityHidden(true)
        }
        .accessibilityElement(children: .combine)
      }
    } header: {
      Text("Where people come upon it")
    } footer: {
      if let since = figures.countedSince {
        Text("Where, how often and on which days it was shown is counted since \(words.date(since)).")
      }
    }
  }
}

/// Its last days.
struct DaysSection: View {
  let figures: InsightsFigures
  let words: InsightsWords

  var body: some View {
    Section {
      if let best = figures.best {
        shown(figures.impressions, figures.views)
        picture(best)
        DisclosureGroup("In numbers") {
          ForEach(figures.days.reversed(), id: \.start) { row($0) }
        }
      } else {
        Text("It was not shown on any of them.").foregroundStyle(.secondary)
      }
    } header: {
      Text("The last \(figures.days.count) days")
    } footer: {
      if figures.best != nil {
        Text("Pale: how often it was shown. Bright: views. A day is one of UTC.")
      }
    }
  }

  private func picture(_ best: InsightsFigures.Day) -> some View {
    VStack {
      DaysPicture(days: figures.days)
      HStack {
        ForEach(ends, id: \.start) { day in
          if day != figures.days.first { Spacer() }
          Text(verbatim: words.day(day))
        }
      }
      .font(.footnote)
      .foregroundStyle(.secondary)
    }
    .accessibilityElement(children: .ignore)
    .accessibilityLabel("The last \(figures.days.count) days")
    .accessibilityValue(
      Text("The most on \(words.day(best)): \(shown(best.impressions, best.views))")
    )
    .accessibilityAddTraits(.isImage)
  }

  private var ends: [InsightsFigures.Day] {
    figures.days.count > 1 ? [figures.days[0], figures.days[figures.days.count - 1]] : figures.days
  }

  private func row(_ day: InsightsFigures.Day) -> some View {
    VStack(alignment: .leading) {
      Text(verbatim: words.day(day)).font(.headline)
      shown(day.impressions, day.views).font(.subheadline)
      if let reactions = reactions(day) { reactions.font(.subheadline).foregroundStyle(.secondary) }
    }
    .accessibilityElement(children: .combine)
  }

  /// Those that came or went on it; `nil`: none.
  private func reactions(_ day: InsightsFigures.Day) -> Text? {
    let all: [(Int, Text)] = [
      (day.likes, Text("\(day.likes) likes")), (day.bookmarks, Text("\(day.bookmarks) bookmarks")),
      (day.shares, Text("\(day.shares) shares")), (day.comments, Text("\(day.comments) comments")),
    ]
    let some = all.filter { $0.0 != 0 }.map(\.1)
    return some.first.map { some.dropFirst().reduce($0) { Text("\($0), \($1)") } }
  }
}

/// How often it was shown, and the views among that.
private func shown(_ impressions: Int, _ views: Int) -> Text {
  Text("\(Text("Shown \(impressions) times")), \(Text("\(views) views"))")
}
