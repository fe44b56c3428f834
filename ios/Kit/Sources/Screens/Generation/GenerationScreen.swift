public import AppModel
internal import Contract
internal import Foundation
public import SwiftUI

/// One clip from words: how far it is, and what can be done with what came of it.
public struct GenerationScreen: View {
  private let model: GenerationModel
  @State private var asksToCancel = false
  @State private var asksToDiscard = false

  public init(_ model: GenerationModel) { self.model = model }

  public var body: some View {
    Form {
      switch model.state {
      case .loading: ProgressView("Loading").frame(maxWidth: .infinity)
      case .failed(let failure): TryAgainView(failure) { await model.load() }
      case .gone: Text("There is no such clip of yours, or not any more.")
      case .shown(let generation): sections(generation)
      }
    }
    .scrollDismissesKeyboard(.interactively)
    .navigationTitle("A clip from words")
    .edits(model.publishing, title: "Publish the clip", action: "Publish")
    .task(id: model.id) { await model.follow() }
    .refreshable { await model.load() }
    .sensoryFeedback(.success, trigger: model.canWatch) { _, isThere in isThere }
    .alert("Cancel this clip?", isPresented: $asksToCancel) {
      Button("Let it go on", role: .cancel) {}
      Button("Cancel the clip", role: .destructive) { Task { await model.cancel() } }
    } message: {
      Text("You get its credits back.")
    }
    .alert("Discard it?", isPresented: $asksToDiscard) {
      Button("Cancel", role: .cancel) {}
      Button("Discard", role: .destructive) { Task { await model.discard() } }
    } message: {
      if model.canPublish {
        Text("Its clip goes with it. You can have that back for a day.")
      } else {
        Text("It leaves this list. What is published stays.")
      }
    }
  }

  @ViewBuilder private func sections(_ generation: Generation) -> some View {
    if model.canWatch { result(generation) }
    if let why = model.words.why(generation) {
      Section {
        Text(verbatim: model.words.state(generation).words).font(.headline)
        Text(verbatim: why.words)
      }
    }
    if model.canCancel { progress(generation) }
    about(generation)
    if model.versions.count > 1 { versions }
    if let wish = model.refining { RefiningSections(wish, model) }
    if model.canDiscard {
      Section {
        Button("Discard", role: .destructive) { asksToDiscard = true }.disabled(model.isBusy)
      }
    }
  }

  // MARK: Under way

  private func progress(_ generation: Generation) -> some View {
    Section {
      VStack(alignment: .leading, spacing: 8) {
        ProgressView(value: model.progress.share)
        Text(verbatim: line(generation)).font(.subheadline).foregroundStyle(.secondary).monospacedDigit()
      }
      .accessibilityElement(children: .ignore)
      .accessibilityLabel("Progress")
      .accessibilityValue(Text(verbatim: line(generation)))
      .accessibilityAddTraits(.updatesFrequently)
      Button("Watch clips meanwhile") { model.watchMeanwhile() }
      Button("Cancel", role: .destructive) { asksToCancel = true }.disabled(model.isBusy)
    } footer: {
      Text("You can leave. A notification says when it is ready, or why there is none.")
    }
  }

  private func line(_ generation: Generation) -> String {
    let percent = model.progress.share.formatted(.percent.precision(.fractionLength(0)))
    let left = model.words.remaining(generation).map { [$0.words] } ?? []
    return ([model.words.state(generation).words, percent] + left).joined(separator: " · ")
  }

  // MARK: What came of it

  private func result(_ generation: Generation) -> some View {
    Section {
      Text(verbatim: model.words.state(generation).words).font(.headline)
      MadeByAI().foregroundStyle(.secondary)
      Button("Watch it") { Task { await model.watch() } }.bold().disabled(model.isBusy)
      if model.canPublish {
        Button("Publish") { model.publish() }
        Button("Keep for later") { model.keepForLater() }
      } else {
        Button("Your clips") { model.openOwnClips() }
      }
    } footer: {
      if model.canPublish {
        Text("Until you publish it, only you see it. It stays among your clips until you discard it.")
      } else {
        Text("Its caption and who sees it are changed under “Your clips”.")
      }
    }
  }

  private func about(_ generation: Generation) -> some View {
    Section {
      Text(verbatim: generation.prompt)
      LabeledContent("Length") { Text("\(generation.seconds) s") }
      LabeledContent("Style", value: GenerationWords.name(of: generation.style).words)
      LabeledContent("Shape", value: GenerationWords.name(of: generation.aspect).words)
      LabeledContent("Price") { Text("\(generation.credits) credits") }
    } header: {
      Text("The prompt")
    }
  }

  // MARK: Versions

  private var versions: some View {
    Section("Versions") {
      ScrollView(.horizontal) {
        HStack(alignment: .top, spacing: 8) {
          ForEach(Array(model.versions.enumerated()), id: \.element.id) { version in
            card(version.element, number: version.offset + 1)
          }
        }
      }
      .scrollIndicators(.hidden)
    }
  }

  private func card(_ version: Generation, number: Int) -> some View {
    Button {
      model.turn(to: version)
    } label: {
      VStack(alignment: .leading, spacing: 4) {
        Text("Version \(number)").font(.headline)
        Text(verbatim: version.prompt).font(.footnote).lineLimit(3).multilineTextAlignment(.leading)
        Text(verbatim: model.words.state(version).words).font(.footnote).foregroundStyle(.secondary)
      }
      .frame(width: 176, alignment: .topLeading)
      .padding(8)
      .overlay {
        RoundedRectangle(cornerRadius: 8)
          .stroke(version.id == model.id ? Color.accentColor : Color.gray.opacity(0.3), lineWidth: 2)
      }
    }
    .buttonStyle(.plain)
    .accessibilityElement(children: .combine)
    .accessibilityAddTraits(version.id == model.id ? [.isSelected] : [])
  }
}

/// Another version of one, with everything as it was but for the prompt.
private struct RefiningSections: View {
  private let wish: WishModel
  private let model: GenerationModel
  @FocusState private var focus: WishModel.Field?

  init(_ wish: WishModel, _ model: GenerationModel) {
    self.wish = wish
    self.model = model
  }

  var body: some View {
    Section {
      PromptField(wish, $focus)
    } header: {
      Text("Another version")
    } footer: {
      Text("Change the prompt. What is here stays beside the new one.")
    }
    .disabled(wish.form.isBusy)
    .follows(wish.form, $focus)
    if let offer = model.offer.offer { PriceSection(wish, offer, model.words, "Make this version") }
  }
}
