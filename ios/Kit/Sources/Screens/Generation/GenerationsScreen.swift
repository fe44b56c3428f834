public import AppModel
internal import Contract
internal import Foundation
public import SwiftUI

/// All clips that somebody has had made from words, the newest first.
public struct GenerationsScreen: View {
  private let generations: Generations
  private let model: GenerationsModel
  private let signIn: @MainActor () -> Void

  public init(_ generations: Generations, signIn: @escaping @MainActor () -> Void) {
    self.generations = generations
    model = generations.list
    self.signIn = signIn
  }

  public var body: some View {
    content
      .navigationTitle("Clips from words")
      .toolbar {
        ToolbarItem(placement: .primaryAction) {
          Button("A new one", systemImage: "plus") { generations.openNew() }
        }
      }
  }

  @ViewBuilder private var content: some View {
    if generations.isInUse {
      rows
    } else {
      GenerationsForAccounts(signIn: signIn)
    }
  }

  private var rows: some View {
    List {
      ForEach(model.list.items, id: \.id) { generation in
        GenerationRow(generation, generations).task { await model.list.came(to: generation) }
      }
      ListEnd(list: model.list, none: "You haven’t had a clip made yet.")
    }
    .task {
      await model.list.renew()
      await generations.offer.load()
      await model.follow()
    }
    .refreshable {
      await model.list.reload()
      await generations.offer.load()
    }
  }
}

/// One of them: what was to be seen, how far it is, what it cost, and the same again.
private struct GenerationRow: View {
  private let generation: Generation
  private let generations: Generations

  init(_ generation: Generation, _ generations: Generations) {
    self.generation = generation
    self.generations = generations
  }

  var body: some View {
    VStack(alignment: .leading, spacing: 4) {
      Button {
        generations.open(generation.id)
      } label: {
        facts
      }
      .buttonStyle(.plain)
      if generation.state.isOver { again }
    }
  }

  private var facts: some View {
    VStack(alignment: .leading, spacing: 4) {
      Text(verbatim: generation.prompt).font(.headline).lineLimit(3)
      Text(verbatim: generations.words.state(generation).words).font(.subheadline)
      if !generation.state.isOver { ProgressView(value: share) }
      if let why = generations.words.why(generation) { Text(verbatim: why.words).font(.subheadline) }
      HStack {
        Text("\(generation.credits) credits")
        Text(verbatim: Age.of(generation.createdAt, at: Date()).words)
      }
      .font(.footnote)
      .foregroundStyle(.secondary)
    }
    .frame(maxWidth: .infinity, alignment: .leading)
    .contentShape(.rect)
    .accessibilityElement(children: .combine)
  }

  private var share: Double { Double(min(max(generation.permille, 0), 1000)) / 1000 }

  /// With its price of now, which may not be that of then.
  @ViewBuilder private var again: some View {
    if let length = generations.offer.length(of: generation.seconds) {
      Button("The same again for \(length.credits) credits") {
        Task { await generations.list.again(generation) }
      }
      .buttonStyle(.borderless)
      .frame(minHeight: 44)
      .disabled(
        generations.list.isBusy(generation) || generations.offer.obstacle(to: generation.seconds) != nil)
    }
  }
}
